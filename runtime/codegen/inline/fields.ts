/** Look-ups of constant keys as JavaScript. */

import type { CodeWriter } from '../writer.js';
import { inheritedNames, scalarNames, valueClassNames } from './inherited-names.js';

/**
 * Conditions of which one holds where a value has no field of a name; else `t` is the field's value
 * behind them. Inherited names, and all but plain objects, take the long way.
 */
export function missingField(source: string, name: string, w: CodeWriter): readonly string[] {
  const key = JSON.stringify(name);
  // An array's element is no field: `rows["1"]` is undefined.
  if (inheritedNames.has(name) || /^\d+$/.test(name))
    return [`${source} === undefined`, `(t = ${w.use('valueAt')}(${source}, ${key})) === undefined`];
  const field = `${source}?.${/^[A-Za-z_$][\w$]*$/.test(name) ? name : `[${key}]`}`;
  const isPlain = valueClassNames.has(name) ? `!(${source} instanceof ${w.use('ValueClass')})` : undefined;
  const read =
    isPlain === undefined ? `(t = ${field}) === undefined` : `(t = ${isPlain} ? ${field} : undefined) === undefined`;
  const missing = `(t = ${w.use('miss')}(${source}, ${key})) === undefined`;
  return [...(scalarNames.has(name) ? [`typeof ${source} !== "object"`] : []), `(${read} && ${missing})`];
}
