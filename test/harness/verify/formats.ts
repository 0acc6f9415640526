/** Texts of configuration formats as values, for tests. */
import type { Value } from '../../../values/index.js';
import { loadFormat } from '../../../views/verify/formats/formats.js';

/** The value of a text in the format of a name. */
export async function parsedFormat(name: string, text: string): Promise<Value> {
  return (await loadFormat(name)).format.parse(text, { path: 'file' });
}
