/** Texts replaced in texts. */
import { objectGet, sortedKeys } from '../../../compare.js';
import { TextBuilder } from '../../../text/text-builder.js';
import { fromBinary, isAscii, toBinary } from '../../../text/utf8.js';
import type { ObjectValue } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { operandError } from '../../builtin-errors.js';
import { withinLength } from '../../limits.js';
import { splitAt } from '../go/find-part.js';
import { block, joinedUnits, unitsPerPart } from './text-units.js';

export function replaceText(text: string, old: string, replacement: string, context: BuiltinContext): string {
  if (old !== '') {
    const pieces = splitAt(text, old);
    return pieces.length === 1
      ? text
      : joinedUnits(pieces, replacement, text.length + (pieces.length - 1) * (replacement.length - old.length));
  }
  return replacePairs(text, [['', replacement]], context);
}

/**
 * Replaces all patterns in one pass. At one place the pattern that sorts first wins, a shorter one
 * before a longer one.
 */
export function replaceAll(patterns: ObjectValue, text: string, context: BuiltinContext): string {
  const pairs: [string, string][] = [];
  for (const key of sortedKeys(patterns)) {
    if (typeof key !== 'string') throw operandError(1, 'non-string key found in pattern object');
    const replacement = objectGet(patterns, key);
    if (typeof replacement !== 'string') throw operandError(1, 'non-string value found in pattern object');
    pairs.push([key, replacement]);
  }
  return replacePairs(text, pairs, context);
}

function replacePairs(text: string, pairs: readonly (readonly [string, string])[], context: BuiltinContext): string {
  const [first] = pairs;
  if (first === undefined) return text;
  if (first[0] !== '') return withinLength(() => replaceAt(text, pairs, false, context));
  // An empty pattern matches between bytes, not characters.
  if (isAscii(text)) return withinLength(() => replaceAt(text, pairs, true, context));
  const binary = pairs.map(([old, replacement]) => [toBinary(old), toBinary(replacement)] as const);
  return withinLength(() => fromBinary(replaceAt(toBinary(text), binary, true, context)));
}

/**
 * `withEmpty`: the first pattern is empty. It does not match twice at one place: the other patterns
 * get their turn.
 */
function replaceAt(
  text: string,
  pairs: readonly (readonly [string, string])[],
  withEmpty: boolean,
  context: BuiltinContext,
): string {
  const byFirst = new Map<number, (readonly [string, string])[]>();
  for (const pair of withEmpty ? pairs.slice(1) : pairs) {
    const first = pair[0].charCodeAt(0);
    const others = byFirst.get(first);
    if (others === undefined) byFirst.set(first, [pair]);
    else others.push(pair);
  }
  const result = new TextBuilder();
  let last = 0;
  let wasEmpty = false;
  let work = 0;
  for (let i = 0; i <= text.length; ) {
    if (++work > block) {
      context.tick(work * unitsPerPart);
      work = 0;
    }
    if (withEmpty && !wasEmpty) {
      result.add(text.slice(last, i) + pairs[0]![1]);
      last = i;
      wasEmpty = true;
      continue;
    }
    wasEmpty = false;
    const candidates = byFirst.get(text.charCodeAt(i));
    const pair = candidates?.find(([old]) => {
      work += 1 + (old.length >> 5);
      return text.startsWith(old, i);
    });
    if (pair === undefined) i++;
    else {
      result.add(text.slice(last, i) + pair[1]);
      i += pair[0].length;
      last = i;
    }
  }
  result.add(text.slice(last));
  return result.toString();
}
