/**
 * The operand of `http.send` → a request. Checks, their order and their words are the reference's.
 */
import { objectGet, objectKeys, sortedEntries } from '../../../compare.js';
import { integerOf, numberText } from '../../../numbers/number.js';
import { RegoSet } from '../../../set.js';
import { termText } from '../../../text/term-text.js';
import { encodeUtf8 } from '../../../text/utf8.js';
import { isArray, isNumber, isObject, type ObjectValue, typeName, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError, operandError } from '../../builtin-errors.js';
import type { HostNetwork, TlsOptions } from '../../host-network.js';
import { toEscapedJson } from '../go/escaped-json.js';
import { parseDuration } from '../time/duration.js';
import { UrlError } from '../url/escape.js';
import { type GoUrl, parseUrl } from '../url/url.js';
import { wrong } from './failure.js';
import { requestTlsOptions, tlsStringParameters, tlsSwitches } from './tls.js';

const stringParameters = ['method', 'url', 'raw_body', ...tlsStringParameters] as const;

const otherParameters = [
  'body',
  'enable_redirect',
  'force_json_decode',
  'force_yaml_decode',
  'headers',
  ...tlsSwitches,
  'timeout',
  'cache',
  'force_cache',
  'force_cache_duration_seconds',
  'raise_error',
  'caching_mode',
  'max_retry_attempts',
  'cache_ignored_headers',
] as const;

type StringParameter = (typeof stringParameters)[number];
type Parameter = StringParameter | (typeof otherParameters)[number];

const known: ReadonlySet<Value> = new Set<Value>([...stringParameters, ...otherParameters]);

/** How responses are kept across evaluations. */
export interface CachePolicy {
  /** Seconds for which a response is fresh. Undefined if its headers decide. */
  readonly forcedSeconds: number | undefined;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: GoUrl;
  /** Canonical names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
  readonly tls: TlsOptions | undefined;
  readonly socket: string | undefined;
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
}

const defaultTimeoutMs = 5000;

export class Parameters {
  readonly #object: ObjectValue;

  /** Throws a BuiltinError where a parameter is unknown or missing. */
  constructor(object: ObjectValue) {
    const unknown = [...objectKeys(object)].filter((key) => !known.has(key));
    if (unknown.length > 0) throw operandError(1, `invalid request parameters(s): ${termText(new RegoSet(unknown))}`);
    const missing = ['method', 'url'].filter((key) => objectGet(object, key) === undefined);
    if (missing.length > 0)
      throw operandError(1, `missing required request parameters(s): ${termText(new RegoSet(missing))}`);
    this.#object = object;
  }

  get(name: Parameter): Value | undefined {
    return objectGet(this.#object, name);
  }

  /** A text; quotation marks around it do not count. */
  string(name: StringParameter): string {
    const value = this.get(name);
    if (value === undefined) return '';
    if (typeof value !== 'string') throw wrong(`"${name}" must be a string`);
    return value.replace(/^"+|"+$/g, '');
  }

  /** A switch as Go's `ParseBool` reads it. */
  switch(name: Parameter): boolean {
    const value = this.get(name);
    if (value === undefined || value === false) return false;
    if (value === true) return true;
    if (isNumber(value) && (numberText(value) === '0' || numberText(value) === '1')) return numberText(value) === '1';
    throw wrong(`strconv.ParseBool: parsing ${JSON.stringify(termText(value))}: invalid syntax`);
  }

  boolean(name: Parameter): boolean {
    const value = this.get(name) ?? false;
    if (typeof value !== 'boolean') throw wrong(`invalid value for "${name}" field`);
    return value;
  }

  /** Undefined where responses are not kept across evaluations. */
  cachePolicy(): CachePolicy | undefined {
    const cache = this.boolean('cache');
    if (!this.boolean('force_cache')) return cache ? { forcedSeconds: undefined } : undefined;
    const value = this.get('force_cache_duration_seconds');
    if (value === undefined) throw wrong("'force_cache' set but 'force_cache_duration_seconds' parameter is missing");
    const text = termText(value);
    if (!/^[+-]?\d+$/.test(text)) throw wrong(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    const seconds = Number(text);
    if (seconds !== (seconds | 0)) throw wrong(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
    return { forcedSeconds: seconds > 0 ? seconds : undefined };
  }

  /** Whether responses that are kept are kept decoded. */
  keepsDecoded(): boolean {
    const mode = this.get('caching_mode') ?? 'serialized';
    if (typeof mode !== 'string') throw wrong('invalid value for "caching_mode" field');
    if (mode !== 'serialized' && mode !== 'deserialized')
      throw wrong(`invalid value specified for "caching_mode" field: ${mode}`);
    return mode === 'deserialized';
  }

  retries(): number {
    const value = this.get('max_retry_attempts');
    if (value === undefined) return 0;
    const count = isNumber(value) ? integerOf(value) : undefined;
    if (count === undefined || count < 0n || count > 1_000_000n)
      throw wrong(`invalid value ${termText(value)} for field "max_retry_attempts"`);
    return Number(count);
  }

  /** The key of equal requests: all parameters, without the headers to ignore. */
  key(): string {
    const ignored = this.get('cache_ignored_headers');
    const headers = this.get('headers');
    const parts: string[] = [];
    for (const [name, value] of sortedEntries(this.#object)) {
      if (name !== 'cache_ignored_headers' && name !== 'headers') parts.push(`${name as string}=${termText(value)}`);
    }
    if (headers === undefined) return parts.join('\n');
    const names = ignored ?? [];
    if (!isArray(names) || names.some((name) => typeof name !== 'string'))
      throw wrong('cache_ignored_headers must be an array of strings');
    const kept = isObject(headers) ? [...sortedEntries(headers)].filter(([name]) => !names.includes(name)) : [];
    return [...parts, isObject(headers) ? termText(kept as unknown as Value) : termText(headers)].join('\n');
  }

  /** Throws a BuiltinError at the first parameter that is wrong. */
  request(context: BuiltinContext, network: HostNetwork): HttpRequest {
    for (const name of stringParameters) this.string(name);
    const url = parseAddress(this.string('url'));
    checkHost(url, context);
    const followRedirects = this.switch('enable_redirect');
    const timeoutMs = this.#timeoutMs();
    const headers = this.#headers();
    const tls = requestTlsOptions(this, headers.get('Host'), network);
    const { address, socket } = socketOf(url);
    const method = this.string('method').toUpperCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Z]*$/.test(method)) throw wrong(`net/http: invalid method ${JSON.stringify(method)}`);
    return {
      method: method || 'GET',
      url: address,
      headers,
      body: this.#body(),
      tls,
      socket,
      timeoutMs,
      followRedirects,
    };
  }

  #timeoutMs(): number {
    const value = this.get('timeout');
    if (value === undefined) return defaultTimeoutMs;
    if (isNumber(value)) {
      const ns = integerOf(value);
      if (ns === undefined || BigInt.asIntN(64, ns) !== ns)
        throw wrong(`invalid timeout number value ${numberText(value)}, must be int64`);
      return Number(ns) / 1e6;
    }
    if (typeof value !== 'string')
      throw operandError(1, `'timeout' must be one of {string, number} but got ${typeName(value)}`);
    if (/^[+-]?\d{1,18}$/.test(value)) return Number(value) / 1e6;
    try {
      return Number(parseDuration(value)) / 1e6;
    } catch (error) {
      if (error instanceof BuiltinError) throw wrong(`invalid timeout value ${termText(value)}: ${error.message}`);
      throw error;
    }
  }

  #headers(): Map<string, string> {
    const value = this.get('headers') ?? {};
    if (!isObject(value)) throw wrong('invalid type for headers key');
    const headers = new Map<string, string>();
    for (const [name, text] of sortedEntries(value)) {
      if (typeof text !== 'string') throw wrong(`invalid type for headers value ${goQuotedValue(text)}`);
      headers.set(canonicalName(typeof name === 'string' ? name : termText(name)), text);
    }
    return headers;
  }

  #body(): Uint8Array | undefined {
    if (this.get('raw_body') !== undefined) return encodeUtf8(this.string('raw_body'));
    const body = this.get('body');
    return body === undefined ? undefined : encodeUtf8(toEscapedJson(body));
  }
}

function parseAddress(text: string): GoUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    throw error instanceof UrlError ? wrong(error.message) : error;
  }
}

/** Throws a BuiltinError where the host of a URL is not allowed. */
export function checkHost(url: GoUrl, context: BuiltinContext): void {
  const { allowNet } = context;
  if (allowNet === undefined) return;
  const [host = ''] = url.host.split(':', 1);
  if (!allowNet.includes(host)) throw wrong(`unallowed host: ${host}`);
}

/** `unix://host/path?socket=/a.sock` talks HTTP to a Unix socket. */
function socketOf(url: GoUrl): { address: GoUrl; socket: string | undefined } {
  if (url.scheme !== 'unix' || url.rawQuery === '') return { address: url, socket: undefined };
  const query = new URLSearchParams(url.rawQuery);
  const socket = query.get('socket') ?? '';
  query.delete('socket');
  query.sort();
  return { address: { ...url, scheme: 'http', rawQuery: query.toString() }, socket };
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** A header's name as Go writes it: `content-type` is `Content-Type`; other texts stay. */
function canonicalName(name: string): string {
  return token.test(name) ? name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()) : name;
}

function goQuotedValue(value: Value): string {
  if (value === null) return '%!q(<nil>)';
  if (typeof value === 'boolean') return `%!q(bool=${value})`;
  if (isNumber(value)) return `"${numberText(value)}"`;
  if (isArray(value)) return `[${value.map(goQuotedValue).join(' ')}]`;
  return termText(value);
}
