/** The functions that every Go template has. `and` and `or` are the executor's: they stop early. */

import { objectGet, objectSize } from '../../../compare.js';
import { fromBinary, toBinary } from '../../../text/utf8.js';
import { goFormat, goText } from '../go/format.js';
import type { GoValue } from '../go/go-value.js';
import { GoBigInt, GoFloat, GoInt, goMapEntries, goType, isMap, sliceOf, stringOf } from '../go/go-value.js';
import { queryEscape } from '../url/escape.js';

/** The error of a template function; the message is Go's, without `error calling <name>: `. */
export class TemplateFunctionError extends Error {}

/** A value, or undefined for Go's «no value» of a missing key. */
export type Maybe = GoValue | undefined;

interface TemplateFunction {
  readonly min: number;
  readonly max: number;
  readonly call: (args: readonly Maybe[]) => Maybe;
}

const many = Number.POSITIVE_INFINITY;

// biome-ignore format: a table
export const templateFunctions: ReadonlyMap<string, TemplateFunction> = new Map(Object.entries({
  and: { min: 1, max: many, call: (args: readonly Maybe[]) => args.at(-1) },
  or: { min: 1, max: many, call: (args: readonly Maybe[]) => args.at(-1) },
  not: { min: 1, max: 1, call: ([a]: readonly Maybe[]) => !isTrue(a) },
  len: { min: 1, max: 1, call: ([a]: readonly Maybe[]) => new GoInt(BigInt(lengthOf(a)), 'int') },
  index: { min: 1, max: many, call: index },
  slice: { min: 1, max: many, call: slice },
  call: { min: 1, max: many, call: () => { throw new TemplateFunctionError('non-function'); } },
  print: { min: 0, max: many, call: (args: readonly Maybe[]) => print(args) },
  println: { min: 0, max: many, call: (args: readonly Maybe[]) => `${args.map((a) => goText(a ?? null)).join(' ')}\n` },
  printf: { min: 1, max: many, call: printf },
  html: { min: 0, max: many, call: (args: readonly Maybe[]) => escapeHtml(escapable(args)) },
  js: { min: 0, max: many, call: (args: readonly Maybe[]) => escapeJs(escapable(args)) },
  urlquery: { min: 0, max: many, call: (args: readonly Maybe[]) => queryEscape(escapable(args)) },
  eq: { min: 1, max: many, call: equalsAny },
  ne: { min: 2, max: 2, call: ([a, b]: readonly Maybe[]) => !equals(a, b) },
  lt: { min: 2, max: 2, call: ([a, b]: readonly Maybe[]) => less(a, b) },
  le: { min: 2, max: 2, call: ([a, b]: readonly Maybe[]) => less(a, b) || equals(a, b) },
  gt: { min: 2, max: 2, call: ([a, b]: readonly Maybe[]) => !(less(a, b) || equals(a, b)) },
  ge: { min: 2, max: 2, call: ([a, b]: readonly Maybe[]) => !less(a, b) },
}));

/** Neither empty nor zero, false or nil. A number of the document is a text, so `0` is true. */
export function isTrue(value: Maybe): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoFloat) return value.value !== 0;
  if (value instanceof GoBigInt) return true;
  const text = stringOf(value);
  if (text !== undefined) return text !== '';
  const elements = sliceOf(value);
  if (elements !== undefined) return elements.length > 0;
  return isMap(value) && objectSize(value) > 0;
}

function printf([format, ...args]: readonly Maybe[]): string {
  if (typeof format !== 'string') throw new WrongTypeError(format, 'string');
  return goFormat(
    format,
    args.map((a) => a ?? null),
  );
}

/** An argument that a function's parameter cannot take. */
export class WrongTypeError extends Error {
  readonly value: Maybe;
  readonly wanted: string;

  constructor(value: Maybe, wanted: string) {
    super(
      `wrong type for value; expected ${wanted}; got ${value === undefined || value === null ? 'nil' : goType(value)}`,
    );
    this.value = value;
    this.wanted = wanted;
  }
}

/** Go's `fmt.Sprint`: a space between operands where neither is a string. */
function print(args: readonly Maybe[]): string {
  let text = '';
  args.forEach((value, i) => {
    const previous = args[i - 1];
    if (i > 0 && !isText(value) && !isText(previous)) text += ' ';
    text += goText(value ?? null);
  });
  return text;
}

function isText(value: Maybe): boolean {
  return value !== undefined && stringOf(value) !== undefined;
}

function lengthOf(value: Maybe): number {
  if (value === undefined) throw new TemplateFunctionError('reflect: call of reflect.Value.Type on zero Value');
  if (value === null) throw new TemplateFunctionError('len of nil pointer');
  const text = stringOf(value);
  if (text !== undefined) return toBinary(text).length;
  const elements = sliceOf(value);
  if (elements !== undefined) return elements.length;
  if (isMap(value)) return objectSize(value);
  throw new TemplateFunctionError(`len of type ${goType(value)}`);
}

function index([item, ...keys]: readonly Maybe[]): Maybe {
  if (item === undefined || item === null) throw new TemplateFunctionError('index of untyped nil');
  let found: Maybe = item;
  for (const key of keys) found = element(found, key);
  return found;
}

function element(item: Maybe, key: Maybe): Maybe {
  if (item === undefined || item === null) throw new TemplateFunctionError('index of nil pointer');
  const elements = sliceOf(item);
  if (elements !== undefined) return elements[position(key, elements.length, 'index')];
  const text = stringOf(item);
  if (text !== undefined) {
    const bytes = toBinary(text);
    return new GoInt(BigInt(bytes.charCodeAt(position(key, bytes.length, 'index'))), 'int');
  }
  if (!isMap(item)) throw new TemplateFunctionError(`can't index item of type ${goType(item)}`);
  if (key === undefined || key === null) throw new TemplateFunctionError('value is nil; should be of type string');
  if (typeof key !== 'string') {
    throw new TemplateFunctionError(`value has type ${goType(key)}; should be string`);
  }
  const member = objectGet(item, key);
  if (member !== undefined) return member;
  for (const [name, value] of goMapEntries(item)) if (name === key) return value;
  return null;
}

function position(key: Maybe, length: number, what: string): number {
  if (key === undefined || key === null) throw new TemplateFunctionError('cannot index slice/array with nil');
  if (!(key instanceof GoInt)) throw new TemplateFunctionError(`cannot index slice/array with type ${goType(key)}`);
  const at = Number(key.value);
  if (at < 0 || at > length || (what === 'index' && at === length))
    throw new TemplateFunctionError(`index out of range: ${key.value}`);
  return at;
}

function slice([item, ...bounds]: readonly Maybe[]): Maybe {
  if (item === undefined || item === null) throw new TemplateFunctionError('slice of untyped nil');
  if (bounds.length > 3) throw new TemplateFunctionError(`too many slice indexes: ${bounds.length}`);
  const text = stringOf(item);
  const source = text === undefined ? sliceOf(item) : toBinary(text);
  if (source === undefined) throw new TemplateFunctionError(`can't slice item of type ${goType(item)}`);
  if (text !== undefined && bounds.length === 3) throw new TemplateFunctionError('cannot 3-index slice a string');
  const [from = 0, to = source.length] = bounds.map((bound) => position(bound, source.length, 'slice'));
  if (from > to) throw new TemplateFunctionError(`invalid slice index: ${from} > ${to}`);
  return typeof source === 'string' ? fromBinary(source.slice(from, to)) : source.slice(from, to);
}

type Basic = 'bool' | 'int' | 'float' | 'string' | undefined;

function basicKind(value: Maybe): Basic {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof GoInt) return 'int';
  if (value instanceof GoFloat) return 'float';
  return stringOf(value) === undefined ? undefined : 'string';
}

function isNil(value: Maybe): value is null | undefined {
  return value === undefined || value === null;
}

function incompatible(a: GoValue, b: GoValue): TemplateFunctionError {
  return new TemplateFunctionError(`incompatible types for comparison: ${goType(a)} and ${goType(b)}`);
}

function equalsAny([first, ...others]: readonly Maybe[]): boolean {
  if (others.length === 0) throw new TemplateFunctionError('missing argument for comparison');
  return others.some((other) => equals(first, other));
}

function equals(a: Maybe, b: Maybe): boolean {
  const kind = basicKind(a);
  if (kind !== basicKind(b)) {
    if (!isNil(a) && !isNil(b)) throw incompatible(a, b);
    return false;
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (kind === undefined) throw new TemplateFunctionError(`non-comparable type ${goText(a)}: ${goType(b)}`);
  if (kind === 'bool') return a === b;
  if (kind === 'int') return (a as GoInt).value === (b as GoInt).value;
  if (kind === 'float') return (a as GoFloat).value === (b as GoFloat).value;
  return stringOf(a) === stringOf(b);
}

function less(a: Maybe, b: Maybe): boolean {
  const [kind, other] = [basicKind(a), basicKind(b)];
  if (isNil(a) || isNil(b) || kind === undefined || other === undefined)
    throw new TemplateFunctionError('invalid type for comparison');
  if (kind !== other) throw incompatible(a, b);
  if (kind === 'bool') throw new TemplateFunctionError('invalid type for comparison');
  if (kind === 'int') return (a as GoInt).value < (b as GoInt).value;
  if (kind === 'float') return (a as GoFloat).value < (b as GoFloat).value;
  return toBinary(stringOf(a) ?? '') < toBinary(stringOf(b) ?? '');
}

/**
 * The text that an escaping function is given. Unlike printing, it shows a value that is not there
 * as a template does.
 */
function escapable(args: readonly Maybe[]): string {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  return print(args.map((value) => (isNil(value) ? '<no value>' : value)));
}

const htmlEscapes: { readonly [character: string]: string } = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (c) => htmlEscapes[c] ?? c);
}

const jsEscapes: { readonly [character: string]: string } = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

function escapeJs(text: string): string {
  return text.replace(/[\\'"<>&=\0-\x1f]|[^\0-\x7f\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (c) => {
    const known = jsEscapes[c];
    if (known !== undefined) return known;
    return `\\u${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}
