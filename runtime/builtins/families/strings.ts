/** Strings: searching, cutting, replacing. Positions count characters (code points). */

import { countSort, objectGet, sortedKeys } from '../../values/compare.js';
import { checkElements, checkTextLength } from '../../values/memory.js';
import { decimalOf, integerOf, type NumberValue } from '../../values/numbers/number.js';
import { codePoints } from '../../values/text/code-points.js';
import { TextBuilder } from '../../values/text/text-builder.js';
import { fromBinary, isAscii, toBinary } from '../../values/text/utf8.js';
import { any, anyOf, array, boolean, number, object, set, string } from '../../values/type.js';
import type { ObjectValue, Value } from '../../values/value.js';
import { countText, countWork } from '../../values/work.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted, linear } from '../cost.js';
import { BuiltinError, operandError } from '../errors.js';
import { toLower, toUpper } from '../lib/go/case-mapping.js';
import { charactersOf, finderOf, splitAt } from '../lib/go/search.js';
import { sprintf } from '../lib/go/sprintf.js';
import { renderTemplate } from '../lib/template/execute.js';
import { stringOperand, stringsOperand, withinLength } from '../string-operands.js';
import { intOperand } from '../value-operands.js';

const stringOrStrings = anyOf(string, array(string), set(string));

// biome-ignore format: a table
export const strings: readonly Builtin[] = [
  builtin('concat', [arg('delimiter', string), arg('collection', anyOf(array(string), set(string)))], string, concat, { checksOperands: true, cost: counted }),
  builtin('contains', [arg('haystack', string), arg('needle', string)], boolean, contains, { cost: counted }),
  builtin('startswith', [arg('search', string), arg('base', string)], boolean, (search, base) => search.startsWith(base), { cost: linear(0.1) }),
  builtin('endswith', [arg('search', string), arg('base', string)], boolean, (search, base) => search.endsWith(base), { cost: linear(0.1) }),
  builtin('format_int', [arg('number', number), arg('base', number)], string, formatInt, { cost: linear(20) }),
  builtin('indexof', [arg('haystack', string), arg('needle', string)], number, indexOf, { cost: counted }),
  builtin('indexof_n', [arg('haystack', string), arg('needle', string)], array(number), allIndexesOf, { cost: counted }),
  builtin('lower', [arg('x', string)], string, toLower, { cost: linear(0.2) }),
  builtin('upper', [arg('x', string)], string, toUpper, { cost: linear(0.2) }),
  builtin('replace', [arg('x', string), arg('old', string), arg('new', string)], string, replace, { cost: counted }),
  builtin('split', [arg('x', string), arg('delimiter', string)], array(string), split, { cost: counted }),
  builtin('sprintf', [arg('format', string), arg('values', array())], string, sprintf, { cost: counted }),
  builtin('substring', [arg('value', string), arg('offset', number), arg('length', number)], string, substring, { checksOperands: true, cost: linear(0.1) }),
  builtin('trim', [arg('value', string), arg('cutset', string)], string, (value, cutset) => trimLeft(trimRight(value, cutset), cutset), { cost: counted }),
  builtin('trim_left', [arg('value', string), arg('cutset', string)], string, trimLeft, { cost: counted }),
  builtin('trim_right', [arg('value', string), arg('cutset', string)], string, trimRight, { cost: counted }),
  builtin('trim_prefix', [arg('value', string), arg('prefix', string)], string, trimPrefix, { cost: linear(0.1) }),
  builtin('trim_suffix', [arg('value', string), arg('suffix', string)], string, trimSuffix, { cost: linear(0.1) }),
  builtin('trim_space', [arg('value', string)], string, trimSpace, { cost: counted }),
  builtin('strings.any_prefix_match', [arg('search', stringOrStrings), arg('base', stringOrStrings)], boolean, anyPrefixMatch, { checksOperands: true, cost: counted }),
  builtin('strings.any_suffix_match', [arg('search', stringOrStrings), arg('base', stringOrStrings)], boolean, anySuffixMatch, { checksOperands: true, cost: counted }),
  builtin('strings.count', [arg('search', string), arg('substring', string)], number, count, { cost: counted }),
  builtin('strings.replace_n', [arg('patterns', object(string, string)), arg('value', string)], string, replaceAll, { cost: counted }),
  builtin('strings.reverse', [arg('x', string)], string, (x) => reverse(x), { cost: counted }),
  builtin('strings.split_n', [arg('x', string), arg('delimiter', string), arg('n', number)], array(string), splitN, { cost: counted }),
  builtin('strings.render_template', [arg('value', string), arg('vars', object(string, any))], string, renderTemplate, { cost: counted }),
];

function contains(haystack: string, needle: string): boolean {
  return haystack.length <= block ? haystack.includes(needle) : needle === '' || finderOf(needle)(haystack, 0) >= 0;
}

function concat(delimiter: Value, collection: Value): string {
  const separator = stringOperand(delimiter, 1);
  const members = stringsOperand(collection, 2, 'set', 'array');
  countWork(members.length);
  let length = Math.max(members.length - 1, 0) * separator.length;
  for (const member of members) length += member.length;
  return joined(members, separator, length);
}

/** Texts joined to one of this length. */
function joined(texts: readonly string[], separator: string, length: number): string {
  checkTextLength(length);
  countWork(texts.length * unitsPerPart + Math.floor(length / unitCharacters));
  return texts.join(separator);
}

/** Units for a text that is joined to others, and characters that are copied in a unit. */
const unitsPerPart = 4;
const unitCharacters = 4;

/** A fraction is cut off. */
function formatInt(value: NumberValue, base: NumberValue): string {
  if (base !== 2 && base !== 8 && base !== 10 && base !== 16) throw operandError(2, 'must be one of {2, 8, 10, 16}');
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value.toString(base);
  const { digits, exponent } = decimalOf(value);
  const whole = exponent >= 0 ? integerOf(value)! : exponent < -100_000 ? 0n : digits / 10n ** BigInt(-exponent);
  return whole.toString(base);
}

const surrogate = /[\ud800-\udfff]/;

function indexOf(haystack: string, needle: string): number {
  if (needle === '') throw new BuiltinError('empty search character');
  const at = haystack.length <= block ? haystack.indexOf(needle) : finderOf(needle)(haystack, 0);
  countText(at);
  return at <= 0 ? at : codePoints(haystack.slice(0, at));
}

/** Matches may overlap. */
function allIndexesOf(haystack: string, needle: string): number[] {
  if (needle === '') throw new BuiltinError('empty search character');
  const found: number[] = [];
  let counted = 0;
  let position = 0;
  const find = finderOf(needle);
  for (let at = find(haystack, 0); at >= 0; at = find(haystack, at + 1)) {
    countWork(1 + ((at - counted) >> 3));
    checkElements(found.length + 1);
    position += codePoints(haystack, counted, at);
    counted = at;
    found.push(position);
  }
  return found;
}

/** A negative length reaches to the end. */
function substring(operand: Value, offset: Value, length: Value): string {
  const value = stringOperand(operand, 1);
  const start = intOperand(offset, 2);
  const size = intOperand(length, 3);
  if (start < 0) throw new BuiltinError('negative offset');
  if (!surrogate.test(value)) return size < 0 ? value.slice(start) : value.slice(start, start + size);
  const from = unitAt(value, 0, start);
  return value.slice(from, size < 0 ? undefined : unitAt(value, from, size));
}

/** Where so many characters after a position end. */
function unitAt(text: string, from: number, characters: number): number {
  let at = from;
  for (let i = 0; i < characters && at < text.length; i++) {
    if (i % block === 0) countWork(block);
    at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  return at;
}

/** Characters between two counts of a walk through a text. */
const block = 1024;

/** An empty delimiter splits into characters. */
function split(text: string, delimiter: string): readonly string[] {
  if (delimiter !== '') return splitAt(text, delimiter);
  if (surrogate.test(text)) return charactersOf(text);
  countWork(text.length * 2);
  checkElements(text.length);
  return text.split('');
}

/** The first `n` parts, or the last ones where `n` is negative. */
function splitN(text: string, delimiter: string, n: Value): readonly string[] {
  const size = intOperand(n, 3);
  const parts = split(text, delimiter);
  return size >= 0 ? parts.slice(0, size) : parts.slice(Math.max(parts.length + size, 0));
}

function replace(text: string, old: string, replacement: string, context: BuiltinContext): string {
  if (old !== '') {
    const pieces = splitAt(text, old);
    return pieces.length === 1 ? text : joined(pieces, replacement, text.length + (pieces.length - 1) * (replacement.length - old.length));
  }
  return replacePairs(text, [['', replacement]], context);
}

/** Replaces all patterns in one pass. At one place the pattern that sorts first wins, a shorter one before a longer one. */
function replaceAll(patterns: ObjectValue, text: string, context: BuiltinContext): string {
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
  if (pairs.length === 0) return text;
  if (pairs[0]![0] !== '') return withinLength(() => replaceAt(text, pairs, false, context));
  // An empty pattern matches between bytes, not characters.
  if (isAscii(text)) return withinLength(() => replaceAt(text, pairs, true, context));
  const binary = pairs.map(([old, replacement]) => [toBinary(old), toBinary(replacement)] as const);
  return withinLength(() => fromBinary(replaceAt(toBinary(text), binary, true, context)));
}

/** `withEmpty`: the first pattern is empty. It does not match twice at one place: the other patterns get their turn. */
function replaceAt(text: string, pairs: readonly (readonly [string, string])[], withEmpty: boolean, context: BuiltinContext): string {
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

/** Matches do not overlap; an empty string is found around every character. */
function count(text: string, part: string): number {
  if (part === '') {
    countText(text.length);
    return codePoints(text) + 1;
  }
  let found = 0;
  const find = finderOf(part);
  for (let at = find(text, 0); at >= 0; at = find(text, at + part.length)) {
    countWork();
    found++;
  }
  return found;
}

/** Block by block, since a list of all characters takes far more memory than the text. */
function reverse(text: string): string {
  if (text.length <= block) return Array.from(text).reverse().join('');
  const blocks: string[] = [];
  for (let end = text.length; end > 0; ) {
    let start = Math.max(end - block, 0);
    if (start > 0 && characterBefore(text, start + 1).length === 2) start--;
    countWork((end - start) * unitsPerPart);
    blocks.push(Array.from(text.slice(start, end)).reverse().join(''));
    end = start;
  }
  return blocks.join('');
}

/** The cutset is a set of characters, not a prefix: trim_left("xyxa", "xy") is "a". */
function trimLeft(text: string, cutset: string): string {
  const isCut = memberOf(cutset);
  let start = 0;
  while (start < text.length) {
    const character = characterAt(text, start);
    if (!isCut(character)) break;
    if (start % block === 0) countWork(block * unitsPerPart);
    start += character.length;
  }
  return text.slice(start);
}

function trimRight(text: string, cutset: string): string {
  const isCut = memberOf(cutset);
  let end = text.length;
  while (end > 0) {
    const character = characterBefore(text, end);
    if (!isCut(character)) break;
    if (end % block === 0) countWork(block * unitsPerPart);
    end -= character.length;
  }
  return text.slice(0, end);
}

const shortCutset = 40;

function memberOf(cutset: string): (character: string) => boolean {
  if (cutset.length <= shortCutset) return (character) => cutset.includes(character);
  const characters = new Set(cutset);
  return (character) => characters.has(character);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)!;
  return code > 0xffff ? text.slice(at, at + 2) : text[at]!;
}

function characterBefore(text: string, end: number): string {
  const isPair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
  return isPair ? text.slice(end - 2, end) : text[end - 1]!;
}

function trimPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function trimSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
}

// Unlike String.prototype.trim this takes U+0085 and leaves U+FEFF.
const space =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

function trimSpace(text: string): string {
  return trimLeft(trimRight(text, space), space);
}

function anyPrefixMatch(search: Value, base: Value): boolean {
  return anyStartsWithAny(oneOrMore(search, 1), oneOrMore(base, 2), false);
}

function anySuffixMatch(search: Value, base: Value): boolean {
  return anyStartsWithAny(oneOrMore(search, 1), oneOrMore(base, 2), true);
}

function oneOrMore(operand: Value, position: number): readonly string[] {
  return typeof operand === 'string' ? [operand] : stringsOperand(operand, position, 'string', 'set', 'array');
}

const fewPairs = 256;

/** Units for finding a text in a sorted list. */
const unitsPerSearch = 30;

function anyStartsWithAny(texts: readonly string[], parts: readonly string[], atEnd: boolean): boolean {
  countWork(texts.length * unitsPerPart + parts.length * unitsPerSearch);
  if (texts.length * parts.length <= fewPairs) {
    return texts.some((text) => parts.some((part) => (atEnd ? text.endsWith(part) : text.startsWith(part))));
  }
  const sorted = sortedTexts(texts, atEnd);
  return parts.some((part) => {
    const prefix = atEnd ? reverse(part) : part;
    return sorted[lowerBound(sorted, prefix)]?.startsWith(prefix) === true;
  });
}

// Documents are immutable, and the same long list is asked again and again.
const sortedForward = new WeakMap<readonly string[], readonly string[]>();
const sortedBackward = new WeakMap<readonly string[], readonly string[]>();

/** In the order of code units, so that what starts with a text follows it; reversed texts for suffixes. */
function sortedTexts(texts: readonly string[], reversed: boolean): readonly string[] {
  const known = reversed ? sortedBackward : sortedForward;
  let sorted = known.get(texts);
  if (sorted === undefined) countSort(texts.length);
  if (sorted === undefined) known.set(texts, (sorted = (reversed ? texts.map(reverse) : [...texts]).sort()));
  return sorted;
}

/** The index of the first text that does not sort before `wanted`. */
function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
