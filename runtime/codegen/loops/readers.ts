/** Functions that look up the value at a path of constant keys. */
import { missingField } from '../inline/fields.js';
import type { CodeWriter } from '../writer.js';

/**
 * The name of the function for a path. Each path of a text has its own, so that V8 sees few kinds
 * of objects in it.
 */
export function readerFunction(path: number | readonly string[], w: CodeWriter): string {
  const keys = typeof path === 'number' ? w.path(path) : path;
  const looked = w.apart(() =>
    keys.map((key) => `if (${missingField('v', key, w).join(' || ')}) return undefined; v = t;`),
  );
  return w.reader(`(v) => { let t; ${looked.join(' ')} return v; }`);
}
