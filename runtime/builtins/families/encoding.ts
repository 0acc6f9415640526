/** Encodings: base64, hex, JSON, YAML, URL queries. */
import { sortedMembers } from '../../values/compare.js';
import { htmlSafe } from '../../values/json/html-safe.js';
import { JsonError, jsonEntries, toIndentedJson, toJson } from '../../values/json/json.js';
import { jsonComplaint } from '../../values/json/json-complaint.js';
import { checkTextLength } from '../../values/memory.js';
import { decodeUtf8, encodeUtf8, fromBinary, isAscii, toBinary } from '../../values/text/utf8.js';
import { any, anyOf, array, boolean, object, record, set, string } from '../../values/type.js';
import { isObject, isSet, type ObjectValue, type Value } from '../../values/value.js';
import { countText, countWork } from '../../values/work.js';
import type * as Yaml from '../../values/yaml/yaml.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { BuiltinError, operandError, operandTypeError } from '../errors.js';
import { Base64Error, decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from '../lib/go/base64.js';
import { toHex } from '../lib/go/octets.js';
import { marshalOptions } from '../lib/json/options.js';
import { readJson } from '../lib/json/text.js';
import { queryEscape, queryUnescape, UrlError } from '../lib/url/escape.js';
import { withinLength } from '../string-operands.js';

const x = [arg('x', string)] as const;
const stringArrays = array(string);
const options = record({ indent: string, prefix: string, pretty: boolean }, { key: string, value: any });

// biome-ignore format: a table
export const encoding: readonly Builtin[] = [
  builtin('base64.encode', x, string, (text) => base64(text), { cost: linear(1) }),
  builtin('base64.decode', x, string, (text) => attempt(() => decodeUtf8(decodeBase64(text))), { cost: linear(2) }),
  builtin('base64.is_valid', x, boolean, isValid((text) => decodeBase64(text)), { checksOperands: true, cost: linear(2) }),
  builtin('base64url.encode', x, string, (text) => base64(text).replaceAll('+', '-').replaceAll('/', '_'), { cost: linear(3) }),
  builtin('base64url.encode_no_pad', x, string, (text) => base64Url(text), { cost: linear(3) }),
  builtin('base64url.decode', x, string, (text) => attempt(() => decodeUtf8(bytesOfBase64Url(text))), { cost: linear(3) }),
  builtin('hex.encode', x, string, (text) => encodeHex(text), { cost: linear(5) }),
  builtin('hex.decode', x, string, (text) => decodeHex(text), { cost: linear(5) }),
  builtin('json.marshal', [arg('x', any)], string, (value) => marshal(() => toJson(value)), { cost: counted }),
  builtin('json.marshal_with_options', [arg('x', any), arg('opts', options)], string, marshalWithOptions, { cost: counted }),
  builtin('json.unmarshal', x, any, unmarshalJson, { cost: counted }),
  builtin('json.is_valid', x, boolean, isValid((text) => readJson(text)), { checksOperands: true, cost: counted }),
  builtin('yaml.marshal', [arg('x', any)], string, (value) => withinLength(() => attempt(() => yaml!.toYaml(value))), { load: loadYaml, cost: counted }),
  builtin('yaml.unmarshal', x, any, (text) => attempt(() => yaml!.parseYaml(text)), { load: loadYaml, cost: linear(30) }),
  builtin('yaml.is_valid', x, boolean, isValid((text) => yaml!.parseYaml(text)), { load: loadYaml, checksOperands: true, cost: linear(30) }),
  builtin('urlquery.encode', x, string, (text) => queryEscape(text), { cost: linear(5) }),
  builtin('urlquery.decode', x, string, (text) => attempt(() => queryUnescape(text)), { cost: linear(5) }),
  builtin('urlquery.encode_object', [arg('object', object(string, anyOf(string, stringArrays, set(string))))], string, encodeQuery, { checksOperands: true, cost: counted }),
  builtin('urlquery.decode_object', x, object(string, stringArrays), decodeQuery, { cost: linear(10) }),
];

let yaml: typeof Yaml | undefined;

async function loadYaml(): Promise<void> {
  yaml ??= await import('../../values/yaml/yaml.js');
}

/** What `run` answers; complaints about the text become the built-in's error. */
function attempt<T extends Value>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isComplaint(error)) throw new BuiltinError(error.message);
    throw error;
  }
}

/** JSON with the characters escaped that HTML would read. */
function marshal(write: () => string): string {
  return withinLength(() => {
    const json = attempt(write);
    checkTextLength(json.length);
    countText(json.length);
    return htmlSafe(json);
  });
}

function isComplaint(error: unknown): error is Error {
  return error instanceof Base64Error || error instanceof UrlError || error instanceof JsonError || isYamlError(error);
}

function isYamlError(error: unknown): boolean {
  return yaml !== undefined && error instanceof yaml.YamlError;
}

/** Anything but a string is not valid, rather than an error. */
function isValid(parse: (text: string) => unknown): (text: Value) => boolean {
  return (text) => {
    if (typeof text !== 'string') return false;
    try {
      parse(text);
      return true;
    } catch (error) {
      if (isComplaint(error)) return false;
      throw error;
    }
  };
}

/** Shorter texts become none that is too long. */
const long = 1 << 14;

function base64(text: string): string {
  // Four characters stand for three bytes, of which a character has three at most.
  if (text.length > long) checkTextLength(Math.ceil((isAscii(text) ? text.length : 3 * text.length) / 3) * 4);
  return isAscii(text) ? btoa(text) : encodeBase64(encodeUtf8(text));
}

/** Without padding. */
function base64Url(text: string): string {
  checkTextLength(4 * text.length);
  return encodeBase64Url(encodeUtf8(text));
}

function bytesOfBase64Url(text: string): Uint8Array {
  // Lengths and positions count bytes.
  const binary = toBinary(text);
  if (binary.length % 4 === 1 && !binary.endsWith('=')) throw new Base64Error(`illegal base64url string: ${text}`);
  return decodeBase64Url(binary);
}

function encodeHex(text: string): string {
  checkTextLength(2 * text.length);
  const bytes = encodeUtf8(text);
  checkTextLength(2 * bytes.length);
  return toHex(bytes);
}

function decodeHex(text: string): string {
  const bad = /[^0-9a-fA-F]/.exec(text);
  if (bad !== null) throw new BuiltinError(`encoding/hex: invalid byte: ${firstByte(text, bad.index)}`);
  if (text.length % 2 === 1) throw new BuiltinError('encoding/hex: odd length hex string');
  return fromBinary(text.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}

/** The first byte of a character, shown as if it were one: `U+0067 'g'`. */
function firstByte(text: string, at: number): string {
  const code = toBinary(String.fromCodePoint(text.codePointAt(at)!)).charCodeAt(0);
  const shows = code >= 0x20 && code !== 0x7f && (code < 0x80 || code > 0xa0) && code !== 0xad;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${shows ? ` '${String.fromCharCode(code)}'` : ''}`;
}

function unmarshalJson(text: string): Value {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new BuiltinError(jsonComplaint(text) ?? error.message);
    throw error;
  }
}

/** Go does not put the prefix before the first line; the reference does. */
function marshalWithOptions(value: Value, opts: ObjectValue): string {
  const { pretty, indent, prefix } = marshalOptions(opts);
  if (!pretty) return marshal(() => toJson(value));
  // The layout is not escaped, what is laid out is: until then control characters stand for it, which JSON has only escaped.
  const json = marshal(() => `\u0001${toIndentedJson(value, '\u0002', '\u0001')}`);
  const layout = json.split(/[\u0001\u0002]/).length - 1;
  checkTextLength(json.length + layout * Math.max(prefix.length, indent.length));
  countText(json.length + layout * Math.max(prefix.length, indent.length));
  return json.replaceAll('\u0001', () => prefix).replaceAll('\u0002', () => indent);
}

/** Units for a character that is escaped. */
const unitsPerCharacter = 5;

function encodeQuery(operand: Value): string {
  if (!isObject(operand)) throw operandTypeError(1, operand, 'object');
  const pairs: string[] = [];
  for (const [key, member] of jsonEntries(operand)) {
    for (const value of queryValues(member)) {
      countWork(unitsPerCharacter * (key.length + value.length));
      pairs.push(`${queryEscape(key)}=${queryEscape(value)}`);
    }
  }
  checkTextLength(pairs.reduce((length, pair) => length + pair.length + 1, 0));
  return pairs.join('&');
}

function queryValues(member: Value): readonly string[] {
  if (typeof member === 'string') return [member];
  const values = isSet(member) ? sortedMembers(member) : Array.isArray(member) ? (member as readonly Value[]) : undefined;
  if (values?.every((value) => typeof value === 'string') !== true) {
    throw operandError(1, 'values must be string, array[string], or set[string]');
  }
  return values as readonly string[];
}

const maxParameters = 10_000;

/** The first complaint about an escape counts, but one about a semicolon that comes later replaces it. */
function decodeQuery(query: string): ObjectValue {
  const parts = query.split('&');
  if (parts.length > maxParameters) throw new BuiltinError('number of URL query parameters exceeded limit');
  const values = new Map<string, string[]>();
  let complaint: string | undefined;
  for (const part of parts) {
    if (part.includes(';')) complaint = 'invalid semicolon separator in query';
    else if (part !== '') {
      try {
        const equals = part.indexOf('=');
        const key = queryUnescape(equals < 0 ? part : part.slice(0, equals));
        const value = queryUnescape(equals < 0 ? '' : part.slice(equals + 1));
        const known = values.get(key);
        if (known === undefined) values.set(key, [value]);
        else known.push(value);
      } catch (error) {
        if (!(error instanceof UrlError)) throw error;
        complaint ??= error.message;
      }
    }
  }
  if (complaint !== undefined) throw new BuiltinError(complaint);
  return Object.fromEntries(values);
}
