/** A folder that `writ playground` serves beside the page. */

/** The folder as the command reads it. */
export interface FolderProject {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly data: string;
  /** Whether `data.json` holds all data: then the page may save it. */
  readonly isDataOneFile: boolean;
  readonly input: string;
}

/** Files by name, with `data.json` and `input.json`. */
type Texts = ReadonlyMap<string, string>;

/** The texts of a project by the names of their files. */
function textsOf({ files, data, input }: Omit<FolderProject, 'isDataOneFile'>): Texts {
  return new Map([...files.map(({ file, text }) => [file, text] as const), ['data.json', data], ['input.json', input]]);
}

export class FolderClient {
  #saved: Texts = new Map();
  #isDataOneFile = true;

  /** Rejects with the server's sentence where the folder cannot be read. */
  async read(): Promise<FolderProject> {
    const response = await fetch('folder/project', { cache: 'no-store' });
    if (!response.ok) throw new Error(await response.text());
    const project = (await response.json()) as FolderProject;
    this.#isDataOneFile = project.isDataOneFile;
    return project;
  }

  /** Notes the present content of the folder. */
  keep(project: FolderProject): void {
    this.#saved = textsOf(project);
  }

  /**
   * The project after a change on the disk: texts that were changed in the page stay, the others
   * are those of the disk.
   */
  merged(shown: Omit<FolderProject, 'isDataOneFile'>, disk: FolderProject): FolderProject {
    const own = textsOf(shown);
    const changed = new Set([...own].filter(([file, text]) => this.#saved.get(file) !== text).map(([file]) => file));
    const pick = (file: string, text: string) => (changed.has(file) ? own.get(file)! : text);
    const isOnDisk = new Set(disk.files.map(({ file }) => file));
    const added = shown.files.filter(({ file }) => changed.has(file) && !isOnDisk.has(file));
    return {
      files: [...disk.files.map(({ file, text }) => ({ file, text: pick(file, text) })), ...added],
      data: pick('data.json', disk.data),
      isDataOneFile: disk.isDataOneFile,
      input: pick('input.json', disk.input),
    };
  }

  /** The names of files whose texts are not those of the disk. */
  unsaved(shown: Omit<FolderProject, 'isDataOneFile'>): readonly string[] {
    return [...textsOf(shown)].flatMap(([file, text]) => {
      const isWritten = (this.#saved.get(file) ?? '') === text;
      return isWritten || (file === 'data.json' && !this.#isDataOneFile) ? [] : [file];
    });
  }

  /** Writes what is not on the disk. Rejects with the server's sentence. */
  async save(shown: Omit<FolderProject, 'isDataOneFile'>): Promise<readonly string[]> {
    const texts = textsOf(shown);
    const files = this.unsaved(shown);
    for (const file of files) {
      const address = `folder/files/${file.split('/').map(encodeURIComponent).join('/')}`;
      const response = await fetch(address, { method: 'PUT', body: texts.get(file)! });
      if (!response.ok) throw new Error(await response.text());
    }
    this.#saved = texts;
    return files;
  }

  /** Calls back after each change of the folder. Returns the function that ends it. */
  follow(changed: () => void): () => void {
    const events = new EventSource('folder/events');
    events.onmessage = changed;
    return () => events.close();
  }
}
