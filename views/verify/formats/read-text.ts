/** A text in a format by its name. */
import type { Value } from '../../../values/index.js';
import { loadFormat } from './formats.js';

/** Rejects with a FormatError, or with an UnknownFormatError. */
export async function readText(format: string, text: string, path = '-'): Promise<Value> {
  return (await loadFormat(format)).format.parse(text, { path });
}
