/** JSON over several lines whose fields have a given order. */

import { htmlSafe, quote, toIndentedJson, type Value, writeOrderedJson } from '../../values/index.js';
import type { Io } from '../io.js';
import { colored } from './color.js';

/** JSON over several lines; coloured on a terminal. */
export function jsonOutput(value: Value | Ordered, io?: Io): string {
  const text = htmlSafe(value instanceof Ordered ? value.indented('') : toIndentedJson(value));
  return `${io?.color === true ? colored(text) : text}\n`;
}

/**
 * JSON over several lines with the fields of objects in their own order; undefined fields are left
 * out.
 */
export function orderedJson(value: unknown): string {
  const parts: string[] = [];
  writeOrdered(value, (part) => parts.push(part));
  return parts.join('');
}

/** Writes `orderedJson` in parts. */
export function writeOrdered(value: unknown, write: (part: string) => void): void {
  writeOrderedJson(value, (part) => write(htmlSafe(part)));
  write('\n');
}

type FieldValue = Value | Ordered | readonly Ordered[];

/** An object whose fields keep their order. */
export class Ordered {
  readonly #fields: readonly (readonly [string, FieldValue])[];

  constructor(...fields: readonly (readonly [string, FieldValue | undefined])[]) {
    this.#fields = fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  }

  indented(prefix: string): string {
    const inner = `${prefix}  `;
    const lines = this.#fields.map(([name, value]) => `${inner}${quote(name)}: ${indentedField(value, inner)}`);
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${prefix}}`;
  }
}

function indentedField(value: FieldValue, prefix: string): string {
  if (value instanceof Ordered) return value.indented(prefix);
  if (Array.isArray(value) && value[0] instanceof Ordered) {
    const inner = `${prefix}  `;
    return `[\n${(value as readonly Ordered[]).map((element) => inner + element.indented(inner)).join(',\n')}\n${prefix}]`;
  }
  return toIndentedJson(value as Value, '  ', prefix);
}
