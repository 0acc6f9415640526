/** `object.get` of a path that is an array of keys, as JavaScript. */
import type { LoweredOperand } from '../../lowering/lowered.js';
import type { CodeWriter } from '../writer.js';
import { missingField } from './fields.js';
import type { Inline } from './inline-call.js';

/** A key of a path: the text of its operand, and its value where that is a constant text. */
export interface ObjectPathKey {
  readonly text: string;
  readonly name?: string | undefined;
}

/** Conditions under which an operand is a plain object. */
export function plainObjectTests(source: string, w: CodeWriter): readonly string[] {
  return [
    `typeof ${source} === "object"`,
    `${source} !== null`,
    `!Array.isArray(${source})`,
    `!(${source} instanceof ${w.use('ValueClass')})`,
  ];
}

/** The built-in counts the keys, so the text does. An empty path leads to the object itself. */
export function objectPathText(
  object: LoweredOperand,
  keys: readonly ObjectPathKey[],
  otherwise: LoweredOperand,
  w: CodeWriter,
): Inline | undefined {
  if (keys.length === 0) return undefined;
  const source = w.operand(object);
  w.declare('p');
  const missing = keys.map((key, i) => {
    const above = i === 0 ? source : 'p';
    const text = missingAt(above, key, w);
    return i === 0 ? text : `(p = t, ${text})`;
  });
  const result = `(${w.use('countWork')}(${keys.length}), ${missing.join(' || ')}) ? ${w.operand(otherwise)} : t`;
  return { conditions: plainObjectTests(source, w), result };
}

function missingAt(source: string, { text, name }: ObjectPathKey, w: CodeWriter): string {
  if (name !== undefined) return `(${missingField(source, name, w).join(' || ')})`;
  return `(t = ${w.use('valueAt')}(${source}, ${text})) === undefined`;
}
