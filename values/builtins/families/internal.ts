/** The compiler's own calls (`in`, print, template strings, test cases), and trace. */

import { lookup, objectEntries, objectSize, sortedMembers } from '../../compare.js';
import { equal } from '../../equal.js';
import { checkElements, checkTextLength } from '../../memory.js';
import { ExactNumber } from '../../numbers/number.js';
import { RegoSet } from '../../set.js';
import { termText } from '../../text/term-text.js';
import { any, array, boolean, set, string } from '../../type.js';
import { type ArrayValue, isArray, isObject, isSet, typeName, type Value } from '../../value.js';
import { countWork } from '../../work.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { HaltError } from '../builtin-errors.js';
import { constant, counted, sizeOf } from '../cost.js';
import { checked } from '../read-operands.js';

function member(value: Value, collection: Value): boolean {
  if (isSet(collection)) return collection.has(value);
  countWork(sizeOf(collection));
  if (isArray(collection))
    return typeof value === 'string' ? collection.includes(value) : collection.some((v) => equal(v, value));
  if (!isObject(collection)) return false;
  countWork(objectSize(collection) * 5);
  for (const [, member] of objectEntries(collection)) if (equal(member, value)) return true;
  return false;
}

function memberWithKey(key: Value, value: Value, collection: Value): boolean {
  const found = lookup(collection, key);
  return found !== undefined && equal(found, value);
}

const undefinedText = '<undefined>';

/** A value as print shows it: a string without quotes. */
function shown(value: Value): string {
  return typeof value === 'string' ? value : termText(value);
}

/** The texts of each part of a line: of a scalar, or of each value of an expression, in a set. */
function alternatives(parts: readonly Value[]): string[][] {
  return parts.map((part) => {
    if (part instanceof RegoSet) return part.size === 0 ? [undefinedText] : sortedMembers(part).map(shown);
    if (typeof part === 'object' && part !== null && !(part instanceof ExactNumber)) {
      throw new HaltError('eval_internal_error', `illegal argument type: ${typeName(part)}`);
    }
    return [shown(part)];
  });
}

/** Units for a part of a line. */
const unitsPerPart = 5;

/**
 * Prints a line for every combination of the values that its parts have.
 * @param more the place of the call, where it is known, and the context
 */
function printAll(parts: ArrayValue, ...more: [BuiltinContext] | [place: string, BuiltinContext]): boolean {
  const context = more.at(-1) as BuiltinContext;
  const place = more.length === 2 ? more[0] : undefined;
  let lines: string[][] = [[]];
  for (const texts of alternatives(parts)) {
    context.tick(unitsPerPart * lines.length * texts.length * (1 + ((lines[0]?.length ?? 0) >> 3)));
    checkElements(lines.length * texts.length);
    lines = lines.flatMap((line) => texts.map((text) => [...line, text]));
  }
  for (const line of lines) context.print(line.join(' '), place);
  return true;
}

function print(parts: readonly Value[], context: BuiltinContext): boolean {
  context.print(parts.map(shown).join(' '));
  return true;
}

function templateString(parts: ArrayValue): string {
  let text = '';
  for (const [first = '', ...others] of alternatives(parts)) {
    if (others.length > 0)
      throw new HaltError('eval_conflict_error', 'template-strings must not produce multiple outputs');
    text += first;
    checkTextLength(text.length);
  }
  return text;
}

function trace(note: string, context: BuiltinContext): boolean {
  context.trace(note);
  return true;
}

// biome-ignore format: a table
export const internals = [
  builtin('internal.member_2',        [arg('x', any), arg('collection', any)], boolean, member, { infix: 'in', cost: counted }),
  builtin('internal.member_3',        [arg('key', any), arg('x', any), arg('collection', any)], boolean, memberWithKey, { infix: 'in', cost: counted }),
  { ...builtin('internal.print',      [arg('parts', array(set(any)), checked(array(any)))], undefined, printAll, { cost: counted }), isPlaced: true },
  builtin('internal.template_string', [arg('parts', array(any))], string, templateString, { cost: counted }),
  builtin('internal.test_case',       [arg('parts', array(any))], undefined, () => true, { cost: constant }),
  builtin('print', [], undefined, print, { variadic: any, cost: counted }),
  builtin('trace', [arg('note', string)], boolean, trace, { cost: constant }),
];
