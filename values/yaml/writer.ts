/** Values as YAML texts. */
import { sortedMembers } from '../compare.js';
import { jsonEntries, maxDepth } from '../json/json.js';
import { formatFloat } from '../numbers/go-float.js';
import { countDigits, ExactNumber, numberText } from '../numbers/number.js';
import { RegoSet } from '../set.js';
import { TextBuilder } from '../text/text-builder.js';
import type { ObjectValue, Value } from '../value.js';
import { countWork } from '../work.js';
import { compareKeys } from './key-order.js';
import { stringScalar } from './written-text.js';
import { YamlError } from './yaml-error.js';

/** Units for a value that is written. */
const unitsPerNode = 50;

export class YamlWriter {
  #depth = 0;

  write(value: Value): string {
    return this.#node(value, 0).slice(1);
  }

  /**
   * The text after `key:` or `-`, with its leading space or line break; children are at `indent`.
   */
  #node(value: Value, indent: number): string {
    countWork(unitsPerNode);
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return ` ${scalar(value, indent)}`;
    if (++this.#depth > maxDepth) throw YamlError.tooDeep();
    const text =
      Array.isArray(value) || value instanceof RegoSet
        ? this.#sequence(value, indent)
        : this.#mapping(value as ObjectValue, indent);
    this.#depth--;
    return text;
  }

  #sequence(value: readonly Value[] | RegoSet, indent: number): string {
    const members = value instanceof RegoSet ? sortedMembers(value) : value;
    if (members.length === 0) return ' []';
    const pad = ' '.repeat(indent);
    const text = new TextBuilder();
    for (const member of members) text.add(`\n${pad}-${this.#inline(member, indent + 2)}`);
    return text.toString();
  }

  /** The first line of a collection within a sequence follows the dash. */
  #inline(member: Value, indent: number): string {
    const text = this.#node(member, indent);
    return text.startsWith('\n') ? ` ${text.slice(1 + indent)}` : text;
  }

  #mapping(value: ObjectValue, indent: number): string {
    const entries = [...jsonEntries(value)];
    countWork(entries.length * Math.ceil(Math.log2(entries.length + 1)) * unitsPerNode);
    entries.sort(([a], [b]) => compareKeys(a, b));
    if (entries.length === 0) return ' {}';
    const pad = ' '.repeat(indent);
    const text = new TextBuilder();
    for (const [key, member] of entries) text.add(`\n${pad}${this.#entry(key, member, indent)}`);
    return text.toString();
  }

  #entry(key: string, member: Value, indent: number): string {
    const inner = indent + 2;
    const text = this.#node(member, inner);
    if (Array.from(key).length <= 128 && !key.includes('\n')) return `${scalar(key)}:${text}`;
    return `? ${scalar(key, inner)}\n${' '.repeat(indent)}:${text.startsWith('\n') ? ` ${text.slice(1 + inner)}` : text}`;
  }
}

/** A scalar. A key has no indent: it must be on one line. */
function scalar(value: null | boolean | string | number | ExactNumber, indent?: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return stringScalar(value, indent === undefined ? undefined : Math.max(indent, 2));
  if (typeof value === 'boolean') return String(value);
  const text = numberText(value);
  countDigits(text.length);
  if (/^-?\d+$/.test(text)) {
    const integer = BigInt(text);
    if (integer >= -(1n << 63n) && integer < 1n << 64n) return String(integer);
  }
  const double = Number(text);
  return Number.isFinite(double) ? formatFloat(double, 'g', -1) : text;
}
