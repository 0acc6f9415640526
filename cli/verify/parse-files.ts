/** Prints the values of configuration files, for conftest's `parse` and for `writ parse-config`. */

import { htmlSafe, type PlainObject, quote, toIndentedJson } from '../../values/index.js';
import { type ConfigFile, type ConfigReadOptions, documentsOfFile, readConfigFile } from '../../views/node.js';
import { byPath } from './run-checks.js';

/** The value of a file, or of several by path. Rejects with a ConfigFileError. */
export async function parsedText(
  paths: readonly string[],
  reading: ConfigReadOptions,
  isCombined: boolean,
): Promise<string> {
  const files = byPath(await Promise.all(paths.map((path) => readConfigFile(path, reading))));
  if (isCombined) return `${htmlSafe(combinedText(files))}\n\n`;
  const [only] = files;
  const byName = (): PlainObject => Object.fromEntries(files.map((file) => [file.path, file.value]));
  return `${htmlSafe(toIndentedJson(files.length === 1 ? only!.value : byName(), '  '))}\n`;
}

/** The input that `--combine` makes: a path before the contents. */
function combinedText(files: readonly ConfigFile[]): string {
  const items = files.flatMap((file) =>
    documentsOfFile(file).map(
      (contents) =>
        `\t{\n\t\t"path": ${quote(file.path)},\n\t\t"contents": ${toIndentedJson(contents, '\t', '\t\t')}\n\t}`,
    ),
  );
  return items.length === 0 ? 'null' : `[\n${items.join(',\n')}\n]`;
}
