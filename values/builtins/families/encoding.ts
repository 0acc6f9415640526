/** Encodings: base64, hex, JSON, YAML, URL queries. */

import { JsonError, toIndentedJson, toJson } from '../../json/json.js';
import { jsonComplaint } from '../../json/json-complaint.js';
import { checkTextLength } from '../../memory.js';
import { htmlSafe } from '../../text/html-safe.js';
import { any, anyOf, array, boolean, object, record, set, string } from '../../type.js';
import type { ObjectValue, Value } from '../../value.js';
import { countText } from '../../work.js';
import { YamlError } from '../../yaml/yaml-error.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { BuiltinError } from '../builtin-errors.js';
import { counted, linear } from '../cost.js';
import { base64, base64Url, decodeHex, encodeHex, textOfBase64, textOfBase64Url } from '../lib/encoding/bytes.js';
import { loadedYaml, loadYaml } from '../lib/formats/loaded-yaml.js';
import { decodeBase64 } from '../lib/go/base64.js';
import { Base64Error } from '../lib/go/base64-decoder.js';
import { marshalOptions } from '../lib/json/marshal-options.js';
import { readJson } from '../lib/json/read-json.js';
import { queryEscape, queryUnescape, UrlError } from '../lib/url/escape.js';
import { decodeQuery, encodeQuery } from '../lib/url/query.js';
import { withinLength } from '../limits.js';
import { unchecked } from '../read-operands.js';

const x = [arg('x', string)] as const;

const anything = [arg('x', string, unchecked)] as const;

const stringArrays = array(string);

const options = record({ indent: string, prefix: string, pretty: boolean }, { key: string, value: any });

// biome-ignore format: a table
export const encoding: readonly Builtin[] = [
  builtin('base64.encode', x, string, (text) => base64(text), { cost: linear(1) }),
  builtin('base64.decode', x, string, (text) => attempt(() => textOfBase64(text)), { cost: linear(2) }),
  builtin('base64.is_valid', anything, boolean, isValid((text) => decodeBase64(text)), { cost: linear(2) }),
  builtin('base64url.encode', x, string, (text) => base64(text).replaceAll('+', '-').replaceAll('/', '_'), { cost: linear(3) }),
  builtin('base64url.encode_no_pad', x, string, (text) => base64Url(text), { cost: linear(3) }),
  builtin('base64url.decode', x, string, (text) => attempt(() => textOfBase64Url(text)), { cost: linear(3) }),
  builtin('hex.encode', x, string, (text) => encodeHex(text), { cost: linear(5) }),
  builtin('hex.decode', x, string, (text) => decodeHex(text), { cost: linear(5) }),
  builtin('json.marshal', [arg('x', any)], string, (value) => marshal(() => toJson(value)), { cost: counted }),
  builtin('json.marshal_with_options', [arg('x', any), arg('opts', options)], string, marshalWithOptions, { cost: counted }),
  builtin('json.unmarshal', x, any, unmarshalJson, { cost: counted }),
  builtin('json.is_valid', anything, boolean, isValid((text) => readJson(text)), { cost: counted }),
  builtin('yaml.marshal', [arg('x', any)], string, (value) => withinLength(() => attempt(() => loadedYaml().toYaml(value))), { load: loadYaml, cost: counted }),
  builtin('yaml.unmarshal', x, any, (text) => attempt(() => loadedYaml().parseYaml(text)), { load: loadYaml, cost: linear(30) }),
  builtin('yaml.is_valid', anything, boolean, isValid((text) => loadedYaml().parseYaml(text)), { load: loadYaml, cost: linear(30) }),
  builtin('urlquery.encode', x, string, (text) => queryEscape(text), { cost: linear(5) }),
  builtin('urlquery.decode', x, string, (text) => attempt(() => queryUnescape(text)), { cost: linear(5) }),
  builtin('urlquery.encode_object', [arg('object', object(string, anyOf(string, stringArrays, set(string))))], string, encodeQuery, { cost: counted }),
  builtin('urlquery.decode_object', x, object(string, stringArrays), decodeQuery, { cost: linear(10) }),
];

/** The answer of `run`. Complaints about the text become the built-in's error. */
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
  return (
    error instanceof Base64Error ||
    error instanceof UrlError ||
    error instanceof JsonError ||
    error instanceof YamlError
  );
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
  // Only the JSON is escaped, not its layout: control characters, which JSON has only escaped, mark
  // the layout until then.
  const json = marshal(() => `\u0001${toIndentedJson(value, '\u0002', '\u0001')}`);
  const layout = json.split(/[\u0001\u0002]/).length - 1;
  checkTextLength(json.length + layout * Math.max(prefix.length, indent.length));
  countText(json.length + layout * Math.max(prefix.length, indent.length));
  return json.replaceAll('\u0001', () => prefix).replaceAll('\u0002', () => indent);
}
