/** Reads and writes JSON without loss: all digits and all keys are kept. */

import { compareStrings, sortedKeys, sortedMembers, valueAt } from '../compare.js';
import { SizeError } from '../memory.js';
import { ExactNumber, numberFromText, numberText } from '../numbers/number.js';
import { DepthError, isStackOverflow } from '../numbers/range-errors.js';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import { allAtOnce } from '../steps.js';
import { htmlSafe } from '../text/html-safe.js';
import { encodeUtf8 } from '../text/utf8.js';
import { jsonString } from '../text/well-formed.js';
import type { PlainObject, Value } from '../value.js';
import { countText, countWork } from '../work.js';
import { mayLoseForm } from './exact-forms.js';
import { JsonBytes } from './json-bytes.js';
import { jsonComplaint } from './json-complaint.js';
import { JsonError, maxDepth } from './json-error.js';
import { readJsonSteps } from './json-reader.js';

export { JsonError, maxDepth } from './json-error.js';

/** The value of a JSON text. Throws a JsonError. */
export function parseJson(text: string): Value {
  checkDepth(text);
  try {
    return mayLoseForm(text) ? (JSON.parse(text, readExactly) as Value) : (JSON.parse(text) as Value);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new JsonError(() => jsonComplaint(text, true) ?? 'invalid JSON', offsetOf(error.message));
    // The check of each number is recursive; the reader in steps is not.
    if (error instanceof RangeError) return allAtOnce(readJsonSteps(encodeUtf8(text), { whole: true }));
    throw error;
  }
}

function offsetOf(message: string): number | undefined {
  const found = /at position (\d+)/.exec(message);
  return found === null ? undefined : Number(found[1]);
}

function readExactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number') return numberFromText(context!.source!);
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)) {
    const keys = Object.keys(value);
    if (keys.some((key) => !key.isWellFormed())) {
      return Object.fromEntries(keys.map((key) => [key.toWellFormed(), (value as Record<string, unknown>)[key]]));
    }
  }
  return value;
}

function checkDepth(text: string): void {
  if (text.length <= maxDepth || !hasManyBrackets(text)) return;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 92) i++;
      else if (c === 34) inString = false;
    } else if (c === 34) inString = true;
    else if (c === 91 || c === 123) {
      if (++depth > maxDepth) throw new JsonError(`nested deeper than ${maxDepth} levels`, i);
    } else if (c === 93 || c === 125) depth--;
  }
}

/** Whether a text has enough brackets to nest too deeply; those in strings count. */
function hasManyBrackets(text: string): boolean {
  let left = maxDepth;
  for (let i = text.indexOf('{'); i >= 0 && left >= 0; i = text.indexOf('{', i + 1)) left--;
  for (let i = text.indexOf('['); i >= 0 && left >= 0; i = text.indexOf('[', i + 1)) left--;
  return left < 0;
}

const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The characters of shorter strings are tested one by one: that is faster. */
const shortText = 14;

function needsEscape(text: string): boolean {
  if (text.length > shortText) return escaped.test(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

/** A string as a JSON literal. */
export function quote(text: string): string {
  countText(text.length);
  return needsEscape(text) ? JSON.stringify(jsonString(text)) : `"${text}"`;
}

/**
 * A value as JSON text on one line: sorted keys, sets as sorted arrays, exact numbers, keys that
 * are not strings as their JSON text. Throws a JsonError if the value is nested too deeply or too
 * large: an array of two equal arrays of two equal arrays and so on takes little memory, but its
 * text is exponentially long.
 */
export function toJson(value: Value, limit = maxWritten): string {
  return bounded(written, value, limit);
}

/** The value has more members than the caller's limit. */
export class TooManyValues extends JsonError {}

type Writer = (value: Value, indent: string, prefix: string) => string;

function bounded(writer: Writer, value: Value, limit: number, indent = '', prefix = ''): string {
  const before = remaining;
  const previousLimit = currentLimit;
  remaining = currentLimit = limit;
  try {
    return writer(value, indent, prefix);
  } catch (error) {
    if (error instanceof SizeError) throw error;
    if (error instanceof RangeError) throw new JsonError(isStackOverflow(error) ? 'nested too deeply' : 'too long');
    throw error;
  } finally {
    remaining = before;
    currentLimit = previousLimit;
  }
}

/**
 * The default limit of values: some seconds of work, and for most documents more than a string can
 * hold.
 */
export const maxWritten = 20_000_000;

/** The number of values that the current call may still write. */
let remaining = Number.POSITIVE_INFINITY;
let currentLimit = maxWritten;

function counted(values: number): void {
  remaining -= values;
  if (remaining < 0) throw new TooManyValues(`more than ${currentLimit} values`);
}

/** Throws before the keys of an object are sorted that has too many. */
function checkKeys(keys: number): void {
  if (keys > remaining) counted(keys);
}

/** Longer strings count as several values. */
const shortString = 64;

/** A deep value is written again, without recursion. */
function written(value: Value): string {
  const before = remaining;
  try {
    return write(value);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    remaining = before;
    return inFrames(value, '', '');
  }
}

function write(value: Value): string {
  counted(1);
  countWork(unitsPerMember);
  switch (typeof value) {
    case 'string':
      if (value.length > shortString) counted(value.length / shortString);
      return quote(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new JsonError(`a ${typeof value} is not a JSON value`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return writeAll(value);
  if (value instanceof RegoSet) return writeAll(sortedMembers(value));
  if (value instanceof ExactNumber) return numberText(value);
  return writeObject(value as PlainObject | RegoObject);
}

/** Units for writing a member. */
const unitsPerMember = 15;

/** The common case: a loop over keys takes half the time of one over entries. */
function writeObject(object: PlainObject | RegoObject): string {
  const keys = sortedKeys(object, checkKeys);
  if (keys.length >= manyMembers || !areStrings(keys)) return writeLarge((text) => addObject(object, keys, text));
  let text = '{';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const member = object instanceof RegoObject ? object.get(key) : object[key];
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += quote(key);
    text += ':';
    text += write(member);
  }
  return `${text}}`;
}

/** Whether sorted keys are strings: other values sort before or after all of these. */
export function areStrings(keys: readonly Value[]): keys is readonly string[] {
  return keys.length === 0 || (typeof keys[0] === 'string' && typeof keys[keys.length - 1] === 'string');
}

function writeAll(values: readonly Value[]): string {
  if (values.length >= manyMembers) return writeLarge((text) => addAll(values, text));
  let text = '[';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    text += write(values[i]!);
  }
  return `${text}]`;
}

/** From this number of members on, bytes take less time than concatenation. */
const manyMembers = 16;

/** Kept from the last large collection. */
let spareBytes: JsonBytes | undefined;

/** A key that is a collection may be written while another collection is. */
function writeLarge(add: (text: JsonBytes) => void): string {
  const bytes = spareBytes ?? new JsonBytes(quote);
  spareBytes = undefined;
  add(bytes);
  const text = bytes.take();
  spareBytes = bytes;
  return text;
}

const [comma, colon] = [44, 58];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** Does as `write`. */
function addValue(value: Value, text: JsonBytes): void {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null || value instanceof ExactNumber)) {
    text.text(write(value));
    return;
  }
  counted(1);
  countWork(unitsPerMember);
  if (typeof value === 'string') {
    if (value.length > shortString) counted(value.length / shortString);
    text.string(value);
  } else if (Array.isArray(value)) addAll(value, text);
  else if (value instanceof RegoSet) addAll(sortedMembers(value), text);
  else addObject(value as PlainObject | RegoObject, sortedKeys(value as PlainObject | RegoObject, checkKeys), text);
}

function addAll(values: readonly Value[], text: JsonBytes): void {
  text.character(openBracket);
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text.character(comma);
    addValue(values[i]!, text);
  }
  text.character(closeBracket);
}

function addObject(object: PlainObject | RegoObject, keys: readonly Value[], text: JsonBytes): void {
  text.character(openBrace);
  if (areStrings(keys)) {
    for (let i = 0, isFirst = true; i < keys.length; i++) {
      const key = keys[i]!;
      const member = object instanceof RegoObject ? object.get(key) : object[key];
      if (member !== undefined) isFirst = addMember(key, member, isFirst, text);
    }
  } else {
    let isFirst = true;
    for (const [key, member] of jsonEntries(object)) isFirst = addMember(key, member, isFirst, text);
  }
  text.character(closeBrace);
}

function addMember(key: string, member: Value, isFirst: boolean, text: JsonBytes): false {
  if (!isFirst) text.character(comma);
  text.string(key);
  text.character(colon);
  addValue(member, text);
  return false;
}

/** An object's entries with their JSON keys, sorted by key text. */
export function* jsonEntries(object: PlainObject | RegoObject): IterableIterator<[string, Value]> {
  const keys = sortedKeys(object, checkKeys);
  if (keys.every((key) => typeof key === 'string')) {
    for (const key of keys) yield [key, valueAt(object, key)];
    return;
  }
  const named = new Map<string, Value>();
  for (const key of keys) named.set(keyName(key), valueAt(object, key));
  yield* [...named].sort(([a], [b]) => compareStrings(a, b));
}

/** The JSON name of a key: the string itself, or the text of another value as Go writes it. */
export function keyName(key: Value): string {
  return typeof key === 'string' ? key : htmlSafe(write(key));
}

/**
 * A value as indented JSON text, in the layout of Go's `MarshalIndent`. Throws a JsonError as
 * `toJson` does.
 */
export function toIndentedJson(value: Value, indent = '  ', prefix = '', limit = maxWritten): string {
  return bounded(indented, value, limit, indent, prefix);
}

/** A collection whose members are written one after the other. */
interface Frame {
  readonly names: readonly string[] | undefined;
  readonly members: readonly Value[];
  readonly close: string;
  /** The line break and spaces before each member, and before the closing bracket. */
  readonly line: string;
  readonly end: string;
  next: number;
}

/** As `write`, over lines. Nothing recurses: a value may be deep. */
function indented(value: Value, indent: string, prefix: string): string {
  return inFrames(value, `\n${prefix}`, indent);
}

/**
 * Writes as `toIndentedJson`, with the fields of plain objects in their own order, in parts: the
 * text may be longer than a string can be. Undefined fields are left out.
 */
export function writeOrderedJson(value: unknown, write: (part: string) => void): void {
  const writer: Writer = (given, indent) => inFrames(given, '\n', indent, { entries: Object.entries, write });
  write(bounded(writer, value as Value, maxWritten, '  '));
}

type Entries = (object: PlainObject) => Iterable<readonly [string, Value | undefined]>;

interface FrameOptions {
  readonly entries?: Entries;
  /** Takes the text so far whenever it has become long. */
  readonly write?: (part: string) => void;
}

const longPart = 1024 * 1024;

/** A foreign plan can make a value that contains itself: only its depth tells. */
const mostFrames = 50_000;

/** @param line what stands before a member of an outermost value; empty without an indent */
function inFrames(
  value: Value,
  line: string,
  indent: string,
  { entries = jsonEntries, write: take }: FrameOptions = {},
): string {
  const frames: Frame[] = [];
  const colonText = line === '' ? ':' : ': ';
  let text = '';
  const begin = (member: Value, end: string): void => {
    if (typeof member !== 'object' || member === null || member instanceof ExactNumber) {
      text += write(member);
      return;
    }
    counted(1);
    countWork(unitsPerMember);
    const frame = frameOf(member, end, indent, entries);
    text += frame.names === undefined ? '[' : '{';
    if (frame.members.length === 0) text += frame.close;
    else if (frames.push(frame) > mostFrames) throw new DepthError('values nest too deeply');
  };
  begin(value, line);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const at = frame.next++;
    if (at === frame.members.length) {
      text += `${frame.end}${frame.close}`;
      frames.pop();
      continue;
    }
    text += at === 0 ? frame.line : `,${frame.line}`;
    if (frame.names !== undefined) text += `${quote(frame.names[at]!)}${colonText}`;
    begin(frame.members[at]!, frame.line);
    if (take !== undefined && text.length > longPart) {
      take(text);
      text = '';
    }
  }
  return text;
}

function frameOf(value: Value, end: string, indent: string, entriesOf: Entries): Frame {
  const place = { end, line: `${end}${indent}`, next: 0 };
  if (Array.isArray(value)) return { names: undefined, members: value, close: ']', ...place };
  if (value instanceof RegoSet) return { names: undefined, members: sortedMembers(value), close: ']', ...place };
  const names: string[] = [];
  const members: Value[] = [];
  const entries = value instanceof RegoObject ? jsonEntries(value) : entriesOf(value as PlainObject);
  for (const [key, member] of entries) {
    if (member === undefined) continue;
    names.push(key);
    members.push(member);
  }
  return { names, members, close: '}', ...place };
}

/** Plain JSON data for hosts: no exact numbers (the nearest double instead), no classes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
