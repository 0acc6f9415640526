/** A folder of policies as the project of the playground. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileErrorText, readBundle } from '../../engine/node.js';
import { textOfFile, toIndentedJson } from '../../values/index.js';
import type { FolderProject } from '../web/playground/page/folder-project.js';

export class ProjectFolder {
  readonly path: string;
  readonly #ignored: readonly string[];

  constructor(path: string, ignored: readonly string[]) {
    this.path = path;
    this.#ignored = ignored;
  }

  /** Rejects with a BundleError for a file that cannot be read. */
  async read(): Promise<FolderProject> {
    const { modules, dataFiles, data } = await readBundle(this.path, { ignore: [...this.#ignored] });
    const files = modules.map(({ bundlePath, text }) => ({ file: bundlePath.replace(/^\//, ''), text }));
    // Data of several files is shown as one document, which no file of the folder is.
    const [only] = dataFiles;
    const isOne = dataFiles.length === 0 || (dataFiles.length === 1 && only!.bundlePath === '/data.json');
    return {
      files,
      data: isOne ? this.#textAt('data.json') : toIndentedJson(data),
      isDataOneFile: isOne,
      input: this.#textAt('input.json'),
    };
  }

  /**
   * Writes a policy, `data.json` or `input.json`. Other names, and names outside the folder, are
   * refused with a sentence.
   */
  write(file: string, text: string): string | undefined {
    const path = resolve(this.path, file);
    const inside = relative(this.path, path);
    if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || file.includes('\0'))
      return `${file} is outside of the folder`;
    if (!inside.endsWith('.rego') && inside !== 'data.json' && inside !== 'input.json')
      return `${file} is no policy, no data.json and no input.json`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return undefined;
    } catch (error) {
      return fileErrorText(error);
    }
  }

  #textAt(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? textOfFile(readFileSync(path)) : '';
  }
}
