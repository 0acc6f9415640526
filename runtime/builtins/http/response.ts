/** A response → the object that `http.send` answers. */
import { JsonError, parseJson } from '../../values/json.js';
import { decodeUtf8 } from '../../values/utf8.js';
import type { Value } from '../../values/value.js';
import type * as Yaml from '../../values/yaml.js';
import type { NetworkResponse } from '../host-network.js';

let yaml: typeof Yaml | undefined;

/** Loads what `responseValue` may need. */
export async function loadDecoders(): Promise<void> {
  yaml ??= await import('../../values/yaml.js');
}

/** A body is decoded where its type says how, or the request. What cannot be decoded is null. */
export interface Decoding {
  readonly forceJson: boolean;
  readonly forceYaml: boolean;
}

export function responseValue(response: NetworkResponse, decoding: Decoding): Value {
  const text = decodeUtf8(response.body);
  return {
    status: statusOf(response),
    status_code: response.statusCode,
    body: decoded(text, headerOf(response, 'content-type') ?? '', decoding),
    raw_body: text,
    headers: headersValue(response),
  };
}

/** `200 OK`. */
export function statusOf({ statusCode, statusText }: NetworkResponse): string {
  return statusText === '' ? String(statusCode) : `${statusCode} ${statusText}`;
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

function decoded(text: string, type: string, { forceJson, forceYaml }: Decoding): Value {
  try {
    if (forceJson || isJsonType(type)) return parseJson(text);
    if (forceYaml || type.includes('application/yaml') || type.includes('application/x-yaml')) return yaml!.parseYaml(text);
  } catch (error) {
    if (!(error instanceof JsonError) && !(yaml !== undefined && error instanceof yaml.YamlError)) throw error;
  }
  return null;
}

function isJsonType(type: string): boolean {
  const media = type.split(';')[0]!.trim().toLowerCase();
  return media === 'application/json' || /^application\/[^/]*\+json$/.test(media);
}
