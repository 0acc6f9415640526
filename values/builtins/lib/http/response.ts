/** A response → the object that `http.send` answers. */
import { JsonError, parseJson } from '../../../json/json.js';
import { readJsonSteps } from '../../../json/json-reader.js';
import { memoryOfOne } from '../../../memory.js';
import type { Steps } from '../../../steps.js';
import { decodeUtf8 } from '../../../text/utf8.js';
import type { ObjectValue, Value } from '../../../value.js';
import { YamlError } from '../../../yaml/yaml-error.js';
import type { NetworkResponse } from '../../host-network.js';
import { loadedYaml } from '../formats/loaded-yaml.js';

/** A body is decoded by its type or by the request's parameters. It is null where that fails. */
export interface Decoding {
  readonly forceJson: boolean;
  readonly forceYaml: boolean;
}

/** The object, in steps where the body is long. Throws a SizeError for a body that is too large. */
export function* responseSteps(response: NetworkResponse, decoding: Decoding): Steps<ObjectValue> {
  const text = decodeUtf8(response.body);
  const type = headerOf(response, 'content-type') ?? '';
  const isJson = decoding.forceJson || isJsonType(type);
  return {
    status: statusOf(response),
    status_code: response.statusCode,
    body:
      isJson && response.body.length > maxAtOnce
        ? yield* longJson(response.body)
        : decoded(text, isJson, type, decoding),
    raw_body: text,
    headers: headersValue(response),
  };
}

/** Longer bodies are read by a reader that counts memory and can pause. */
const maxAtOnce = 128 * 1024;

function* longJson(body: Uint8Array): Steps<Value> {
  try {
    return yield* readJsonSteps(body, { take: memoryOfOne() });
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

/** `200 OK`. */
function statusOf({ statusCode, statusText }: NetworkResponse): string {
  return `${statusCode} ${statusText}`;
}

/** The first value of a header. */
export function headerOf(response: NetworkResponse, name: string): string | undefined {
  return response.headers.find(([given]) => given.toLowerCase() === name)?.[1];
}

function headersValue(response: NetworkResponse): Value {
  const headers = new Map<string, string[]>();
  for (const [given, value] of response.headers) {
    const name = given.toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(headers);
}

function decoded(text: string, isJson: boolean, type: string, { forceYaml }: Decoding): Value {
  if (isJson) return firstJson(text) ?? null;
  if (!forceYaml && !type.includes('application/yaml') && !type.includes('application/x-yaml')) return null;
  const stripped = text.startsWith('\ufeff') ? text.slice(1) : text;
  return jsonOf(stripped) ?? yamlOf(stripped) ?? firstJson(stripped) ?? null;
}

function jsonOf(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function yamlOf(text: string): Value | undefined {
  try {
    return loadedYaml().parseYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return undefined;
    throw error;
  }
}

/**
 * The JSON value at the start of a text, undefined if there is none. The rest of the text is
 * ignored.
 */
function firstJson(text: string): Value | undefined {
  return jsonOf(text) ?? jsonOf(text.slice(0, endOfValue(text)));
}

const scalar = /\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/sy;

/** Where the brackets that a text starts with close, or the scalar ends. */
function endOfValue(text: string): number {
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  if (!/^\s*[[{]/.test(text)) {
    scalar.lastIndex = 0;
    return scalar.test(text) ? scalar.lastIndex : 0;
  }
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (found[0] === '[' || found[0] === '{') depth++;
    else if (found[0] === ']' || found[0] === '}') {
      if (--depth === 0) return tokens.lastIndex;
    }
  }
  return 0;
}

const mediaType = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;\s*[\w!#$%&'*+.^`|~-]+=(?:[^\s;",]+|"(?:[^"\\]|\\.)*")\s*)*;?\s*$/;

function isJsonType(type: string): boolean {
  const media = mediaType.exec(type)?.[1]?.toLowerCase();
  return media === 'application/json' || (media !== undefined && /^application\/[^/]*\+json$/.test(media));
}
