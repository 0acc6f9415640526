/**
 * YAML in and out, as the reference's library (go-yaml under a JSON conversion) has it. Its reader
 * takes some milliseconds to load: import this file when YAML is needed, not before.
 */
import * as library from 'js-yaml';
import { sortedMembers } from '../compare.js';
import { jsonEntries, maxDepth } from '../json/json.js';
import { SizeError } from '../memory.js';
import { formatFloat } from '../numbers/go-float.js';
import { countDigits, ExactNumber, numberText } from '../numbers/number.js';
import { RegoSet } from '../set.js';
import { TextBuilder } from '../text/text-builder.js';
import { fromBinary } from '../text/utf8.js';
import type { ObjectValue, Value } from '../value.js';
import { countWork } from '../work.js';
import { compareKeys } from './key-order.js';
import { notFinite, readsAsOther, resolveScalar } from './yaml-scalars.js';

/** Text that is no YAML, or is too much of it; the message starts with `yaml: `. */
export class YamlError extends Error {
  readonly code = 'invalid_yaml';

  constructor(message: string) {
    super(message);
    this.name = 'YamlError';
  }
}

/** As deep as a document may nest. */
const maxNesting = 1000;
/** As many values as aliases may expand a document to, beyond ten for each character. */
const maxExpanded = 400_000;

/**
 * The value of the first document of a YAML text, null for an empty text. No object is in it twice:
 * aliases become copies. Throws a YamlError.
 */
export function parseYaml(text: string): Value {
  if (!text.isWellFormed()) throw new YamlError(`yaml: ${byteComplaint(text)}`);
  try {
    const value = firstDocument(text);
    const isShared = checkSize(value, maxExpanded + 10 * text.length);
    return isShared ? unshared(value) : value;
  } catch (error) {
    if (error instanceof library.YAMLException) throw new YamlError(`yaml: ${complaint(error, text)}`);
    if (error instanceof RangeError) throw new YamlError('yaml: exceeded max depth');
    throw error;
  }
}

/**
 * The complaint about the first bytes that are no UTF-8, which are lone surrogates here (utf8.ts).
 */
function byteComplaint(text: string): string {
  const [bytes] = /(?:(?<![\ud800-\udbff])[\udc80-\udcff])+/.exec(text) ?? [''];
  const first = bytes.charCodeAt(0) - 0xdc00;
  if (!(first >= 0xc2 && first <= 0xf4)) return 'invalid leading UTF-8 octet';
  return text.endsWith(bytes) && bytes.length < (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)
    ? 'incomplete UTF-8 octet sequence'
    : 'invalid trailing UTF-8 octet';
}

let schema: library.Schema | undefined;

const preamble = /^(?:\ufeff)?(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*(?:---(?=\s|$))?/;
const documentEnd = /^(?:---|\.\.\.)(?=\s|$)/m;

/** The text after the first document is not read: it may be no YAML at all. */
function cutDocument(text: string): string {
  const start = preamble.exec(text)![0].length;
  const end = text.slice(start).search(documentEnd);
  return end <= 0 ? text : text.slice(0, start + end);
}

function firstDocument(whole: string): Value {
  const text = documentEnd.test(whole) ? cutDocument(whole) : whole;
  const atEnd = blockScalar.test(text) && !text.endsWith('\n') ? loadMarked(text) : undefined;
  if (typeof atEnd === 'string' && atEnd.endsWith(`${endMark}\n`)) return atEnd.slice(0, -2);
  if (atEnd !== undefined && cutEndMark(atEnd, 0)) return atEnd;
  return load(text);
}

/** A private character that tells which scalar the text ends with. */
const endMark = '\uf8f0';
const blockScalar = /[|>][-+\d]*[ \t]*(?:#.*)?\r?\n/;

/**
 * A block scalar that the text ends with has no line end there; js-yaml gives it one. Whether there
 * was such a scalar.
 */
function cutEndMark(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxNesting) return false;
  const members = value as Record<string, unknown>;
  const last = Object.keys(members).at(-1);
  if (last === undefined) return false;
  const member = members[last];
  if (typeof member !== 'string') return cutEndMark(member, depth + 1);
  if (!member.endsWith(`${endMark}\n`)) return false;
  members[last] = member.slice(0, -2);
  return true;
}

/**
 * Undefined where the text does not read with the mark: then it does not end with a block scalar,
 * or is wrong anyway.
 */
function loadMarked(text: string): Value | undefined {
  try {
    return load(text + endMark);
  } catch (error) {
    if (error instanceof library.YAMLException) return undefined;
    throw error;
  }
}

/**
 * go-yaml counts the indentation of a block scalar that is the whole document from 0, js-yaml from
 * -1.
 */
const indentedDocument = /^((?:---[ \t]+)?[|>][-+]?)([1-8])/;

function load(text: string): Value {
  if (indentedDocument.test(text)) text = text.replace(indentedDocument, (_all, start, digit) => start + (Number(digit) + 1));
  if (surrogateEscape.test(text)) refuseSurrogates(text);
  if (nullKey.test(text)) refuseNullKeys(text);
  return loadWith(text, (schema ??= makeSchema()));
}

/** Content that ends by itself: a collection in brackets, or a text in quotes. */
const closedContent = /^(?:---[ \t]+|\s|#.*\n)*[[{"']/;

/** The first document. go-yaml stops reading at its end, so any text may follow closed brackets. */
function loadWith(text: string, used: library.Schema): Value {
  const options = { schema: used, json: true, maxDepth: maxNesting } as library.LoadOptions;
  try {
    return (library.loadAll(text, undefined, options)[0] ?? null) as Value;
  } catch (error) {
    const end = error instanceof library.YAMLException && /^end of the stream/.test(error.reason ?? '') ? error.mark?.position : undefined;
    if (!end || !closedContent.test(text)) throw error;
    return (library.loadAll(text.slice(0, end), undefined, options)[0] ?? null) as Value;
  }
}

/** A place where null may stand as a key. */
const nullKey = /(?:^|[\n{[,?-])[ \t]*(?:(?:~|[nN]ull|NULL)[ \t]*)?:(?=\s|$)/;
let keySchema: library.Schema | undefined;

/** Stands for null while keys are looked at: the reader makes texts of keys alone. */
const nullAsKey = {
  get [Symbol.toStringTag]() {
    return 'Null';
  },
  toString(): never {
    throw new YamlError('yaml: unsupported map key of type: null');
  },
};

function constructKey(text: string): Value {
  return constructScalar(text) ?? (nullAsKey as unknown as Value);
}

/** Throws a YamlError where a key is null, or absent. */
function refuseNullKeys(text: string): void {
  try {
    loadWith(text.replace(/(^|[\n{[,?])([ \t]*):(?=\s|$)/g, '$1$2~:'), (keySchema ??= makeSchema(constructKey)));
  } catch (error) {
    // Any other mistake is found when the text itself is read.
    if (error instanceof YamlError) throw error;
  }
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Throws a YamlError where a quoted text has half a pair of UTF-16 by its number. Elsewhere a
 * backslash means nothing.
 */
function refuseSurrogates(text: string): void {
  const marked = text.replace(/\\(?:u(?=[dD][89a-fA-F])|[\s\S])/g, (written) => (written === '\\u' ? '\\z' : written));
  try {
    loadWith(marked, (schema ??= makeSchema()));
  } catch (error) {
    const { reason, mark } = error as Partial<library.YAMLException>;
    if (/unknown escape sequence/.test(reason ?? ''))
      throw new YamlError(`yaml: ${lineText(mark?.line ? mark.line + 1 : 0)}found invalid Unicode character escape code`);
  }
}

function makeSchema(construct: (text: string) => Value = constructScalar): library.Schema {
  const { FAILSAFE_SCHEMA, Type } = library;
  const scalar = new Type('tag:yaml.org,2002:plain', {
    kind: 'scalar',
    resolve: (text: string) => resolveScalar(text) !== undefined,
    construct,
  });
  const merge = new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: string) => text === '<<' });
  const tagged = (name: string) => new Type(`tag:yaml.org,2002:${name}`, { kind: 'scalar', construct });
  const binary = new Type('tag:yaml.org,2002:binary', { kind: 'scalar', construct: (text: string) => fromBinary(atob(text)) });
  // Tags that mean nothing here are passed over.
  const others = ['!', 'tag:'].flatMap((prefix) =>
    (['scalar', 'sequence', 'mapping'] as const).map((kind) => new Type(prefix, { kind, multi: true, construct: (data: unknown) => data })),
  );
  const explicit = [binary, ...['int', 'float', 'bool', 'null'].map(tagged), ...others];
  return FAILSAFE_SCHEMA.extend({ implicit: [scalar, merge], explicit });
}

function constructScalar(text: string): Value {
  const value = resolveScalar(text);
  if (value === notFinite) throw new YamlError(`json: unsupported value: ${/nan/i.test(text) ? 'NaN' : text[0] === '-' ? '-Inf' : '+Inf'}`);
  return value === undefined ? text : value;
}

/**
 * Counts values as often as they are seen from the root: aliases share them, so a short text may
 * have a great many. Answers whether any are shared.
 */
function checkSize(root: Value, limit: number): boolean {
  let isShared = false;
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const sizeOf = (value: Value): number => {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 1;
    const known = sizes.get(value);
    if (known !== undefined) {
      isShared = true;
      return known;
    }
    if (open.has(value)) throw new YamlError('yaml: anchor value contains itself');
    open.add(value);
    let size = 1;
    for (const member of Array.isArray(value) ? (value as readonly Value[]) : Object.values(value as Record<string, Value>)) {
      size += sizeOf(member);
      if (size > limit) throw new YamlError('yaml: document contains excessive aliasing');
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  sizeOf(root);
  return isShared;
}

function unshared(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return (value as readonly Value[]).map(unshared);
  return Object.fromEntries(Object.entries(value as Record<string, Value>).map(([key, member]) => [key, unshared(member)]));
}

/** js-yaml's complaint in go-yaml's words, where it has one of the kind. */
function complaint(error: library.YAMLException, text: string): string {
  const reason = error.reason ?? error.message;
  const line = error.mark?.line ?? 0;
  const scanned = lineText(line === 0 ? 0 : line + 1);
  const parsed = lineText(line);
  const row = text.split('\n')[line] ?? '';
  const next = text.slice(error.mark?.position ?? 0).trimStart();
  const alias = /^unidentified alias "(.*)"$/.exec(reason);
  if (alias !== null) return `unknown anchor '${alias[1]}' referenced`;
  if (/double quoted scalar|single quoted scalar/.test(reason)) return `${scanned}found unexpected end of stream`;
  if (/unknown escape sequence/.test(reason)) return `${scanned}found unknown escape character`;
  if (/within a flow collection|missed comma between flow/.test(reason)) return unclosed(text, line);
  if (/tab characters/.test(reason) || /^[@`]/.test(next)) return `${scanned}found character that cannot start any token`;
  if (/expected the node content/.test(reason)) return `${parsed}did not find expected node content`;
  if (/^bad indentation of a mapping entry|end of the stream or a document separator/.test(reason)) {
    if (/:\s.*:(?:\s|$)/.test(row)) return `${scanned}mapping values are not allowed in this context`;
    if (/:\s+-(?:\s|$)/.test(row)) return `${scanned}block sequence entries are not allowed in this context`;
    if (/^- /m.test(text) && !row.startsWith('-') && line > 0) return `${parsed}did not find expected '-' indicator`;
    return `${parsed}did not find expected ${reason.startsWith('bad') ? 'key' : '<document start>'}`;
  }
  if (/^can not read (?:an implicit|a block) mapping/.test(reason)) return `${scanned}could not find expected ':'`;
  if (/^bad indentation of a sequence entry/.test(reason)) return `${parsed}did not find expected '-' indicator`;
  return scanned + reason;
}

function lineText(line: number): string {
  return line === 0 ? '' : `line ${line}: `;
}

/** A flow collection that does not end: which kind is told by the last bracket that is open. */
function unclosed(text: string, line: number): string {
  const open: string[] = [];
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, 'x');
  if (/[[{,:]\s*$/.test(bare)) return `${lineText(Math.max(line, 1))}did not find expected node content`;
  for (const c of bare) {
    if (c === '[' || c === '{') open.push(c);
    else if (c === ']' || c === '}') open.pop();
  }
  const close = open.at(-1) === '{' ? '}' : ']';
  return `${lineText(Math.max(line, 1))}did not find expected ',' or '${close}'`;
}

/**
 * A value as a YAML text, keys with numbers counting up (see `key-order.ts`). Throws a YamlError
 * where it nests too deeply.
 */
export function toYaml(value: Value): string {
  try {
    return `${new Writer().write(value)}\n`;
  } catch (error) {
    if (error instanceof RangeError && !(error instanceof SizeError)) throw new YamlError('yaml: exceeded max depth');
    throw error;
  }
}

/** Units for a value, and for a character of a string, that is written. */
const unitsPerNode = 50;
const unitsPerCharacter = 10;

class Writer {
  #depth = 0;

  write(value: Value): string {
    return this.#node(value, 0, -1).slice(1);
  }

  /**
   * The text after `key:` or `-` at a column, with its leading space or line break; children are at
   * `indent`.
   */
  #node(value: Value, indent: number, column: number): string {
    countWork(unitsPerNode);
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return ` ${scalar(value, indent, column + 1)}`;
    if (++this.#depth > maxDepth) throw new YamlError('yaml: exceeded max depth');
    const text =
      Array.isArray(value) || value instanceof RegoSet ? this.#sequence(value, indent) : this.#mapping(value as ObjectValue, indent);
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

  /** The first line of a collection within a sequence stands beside the dash. */
  #inline(member: Value, indent: number): string {
    const text = this.#node(member, indent, indent - 1);
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
    // A sequence in a mapping is not indented; other collections and texts are.
    const isSequence = Array.isArray(member) || member instanceof RegoSet;
    const inner = isSequence ? indent : indent + 2;
    const written = scalar(key, inner);
    if (Array.from(key).length <= 128 && !key.includes('\n')) return `${written}:${this.#node(member, inner, indent + written.length + 1)}`;
    const text = this.#node(member, inner, indent + 1);
    const pad = ' '.repeat(indent);
    return `? ${scalar(key, indent + 2, indent + 2)}\n${pad}:${text.startsWith('\n') && !isSequence ? ` ${text.slice(1 + indent + 2)}` : text}`;
  }
}

/** A scalar that starts at a column; a key has none, as it has to stay on its line. */
function scalar(value: null | boolean | string | number | ExactNumber, indent: number, column?: number): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return stringScalar(value, Math.max(indent, 2), column);
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

/** Shorter strings cost no more than other values. */
const longText = 20;

const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]/;
const indicator = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[-?:](?:[ \t]|$)|:(?:[ \t]|$)|(?:^|[ \t])#/;

function stringScalar(text: string, indent: number, column: number | undefined): string {
  if (text.length > longText) countWork(text.length * unitsPerCharacter);
  if (!text.isWellFormed()) return `!!binary ${btoa(binaryOf(text))}`;
  if (unprintable.test(text)) return doubleQuoted(text, indent, column);
  if (text.includes('\n')) {
    // Literal text cannot show spaces before a line's end.
    if (column === undefined || / (?:\n|$)/.test(text)) return doubleQuoted(text, indent, column);
    return literal(text, indent);
  }
  if (readsAsOther(text)) return doubleQuoted(text, indent, column);
  if (!/^ | $/.test(text) && !indicator.test(text)) return folded(text, indent, column, 0);
  return `'${folded(text, indent, column === undefined ? undefined : column + 1, 1).replaceAll("'", "''")}'`;
}

const lineWidth = 80;

/**
 * Breaks lines at single spaces beyond the width; `edge` characters at either end stay where they
 * are.
 */
function folded(text: string, indent: number, column: number | undefined, edge: number): string {
  if (column === undefined || column + text.length <= lineWidth || !text.includes(' ')) return text;
  const characters = Array.from(text);
  let result = '';
  let at = column;
  let wasSpace = false;
  characters.forEach((c, i) => {
    const breaks = c === ' ' && !wasSpace && at > lineWidth && i >= edge && i < characters.length - edge && characters[i + 1] !== ' ';
    if (breaks) {
      result += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      result += c;
      at += c === "'" && edge === 1 ? 2 : 1;
    }
    wasSpace = c === ' ';
  });
  return result;
}

function binaryOf(text: string): string {
  return Array.from(text, (c) => (c >= '\udc80' && c <= '\udcff' ? String.fromCharCode(c.charCodeAt(0) - 0xdc00) : toLatin(c))).join('');
}

function toLatin(character: string): string {
  return String.fromCharCode(...new TextEncoder().encode(character));
}

function literal(text: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return `|${hint}${chomp}${lines.map((line) => (line === '' ? '\n' : `\n${pad}${line}`)).join('')}`;
}

const escapes: { readonly [character: string]: string } = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

function doubleQuoted(text: string, indent: number, column: number | undefined): string {
  const characters = Array.from(text);
  let quoted = '"';
  let at = (column ?? 0) + 1;
  let wasSpace = false;
  characters.forEach((c, i) => {
    if (c === ' ' && column !== undefined && !wasSpace && at > lineWidth && i > 0 && i < characters.length - 1) {
      // A space after the break would be lost without the backslash.
      const mark = characters[i + 1] === ' ' ? '\\' : '';
      quoted += `\n${' '.repeat(indent)}${mark}`;
      at = indent + mark.length;
      wasSpace = true;
      return;
    }
    const written = quotedCharacter(c);
    quoted += written;
    at += written.length > 2 ? written.length : Array.from(written).length;
    wasSpace = c === ' ';
  });
  return `${quoted}"`;
}

function quotedCharacter(c: string): string {
  const name = escapes[c];
  if (name !== undefined) return `\\${name}`;
  return unprintable.test(c) ? escapeCode(c.codePointAt(0)!) : c;
}

function escapeCode(code: number): string {
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
