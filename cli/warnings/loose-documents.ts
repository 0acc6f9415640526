import { loadFiles } from '../../engine/node.js';
import type { PlainObject } from '../../values/index.js';

/** The documents beside loose policies; undefined where a file cannot be read. */
export async function looseDocuments(
  paths: readonly string[],
  ignore: readonly string[] = [],
): Promise<PlainObject | undefined> {
  try {
    return (await loadFiles(paths, ignore, (name) => !name.endsWith('.rego'))).data;
  } catch {
    return undefined;
  }
}
