/**
 * The request that a gateway asks about. Only the headers that the configured gateway sets itself
 * are read: any other header is the client's, who could name another path by it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { PlainObject } from '../../../values/index.js';
import type { OriginalSource } from './forward-config.js';

/** A question without the headers that name the original request. */
export class OriginalRequestError extends Error {}

interface Question {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The values of each header, line by line. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
}

/** The names of the headers by source. A gateway sets one of `paths`. */
const names = {
  forwarded: {
    method: 'x-forwarded-method',
    paths: ['x-forwarded-uri'],
    host: 'x-forwarded-host',
    scheme: 'x-forwarded-proto',
  },
  original: {
    method: 'x-original-method',
    paths: ['x-original-uri', 'x-original-url'],
    host: 'host',
    scheme: 'x-forwarded-proto',
  },
} as const;

/**
 * A check's attributes: method, path, headers, host and scheme. Throws an OriginalRequestError.
 * @param body in UTF-8, or in base64 where it is none
 */
export function attributesOf(
  question: Question,
  source: OriginalSource,
  body: { readonly body?: string; readonly rawBody?: string },
): PlainObject {
  const { headers } = question;
  const shown = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  );
  const { method, path, host, scheme } = lineOf(question, source);
  return {
    attributes: {
      request: {
        http: {
          method,
          path,
          headers: shown,
          ...(host !== undefined && { host }),
          ...(scheme !== undefined && { scheme }),
          ...body,
        },
      },
    },
  };
}

interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly scheme: string | undefined;
}

function lineOf({ method, url, headers, headersDistinct }: Question, source: OriginalSource): RequestLine {
  if (source === 'request')
    return { method, path: url, host: headers.host, scheme: header(headers, 'x-forwarded-proto') };
  const own = names[source];
  // A gateway that adds a line leaves the client's in front of it.
  for (const name of [own.method, ...own.paths])
    if ((headersDistinct[name]?.length ?? 0) > 1)
      throw new OriginalRequestError(`${name} is set twice: the gateway must set it, not add to it`);
  const { path, host, scheme } = targetOf(headers, source);
  const asked = header(headers, own.method);
  if (asked === undefined) throw missing(own.method, source, headers);
  return {
    method: asked,
    path,
    host: host ?? header(headers, own.host) ?? headers.host,
    scheme: scheme ?? header(headers, own.scheme),
  };
}

/** Where two headers are there, the gateway has set one of them, and the client the other. */
function targetOf(headers: IncomingHttpHeaders, source: keyof typeof names): Target {
  const { paths } = names[source];
  const [target, ...others] = paths.flatMap((name) => header(headers, name) ?? []);
  if (others.length > 0)
    throw new OriginalRequestError(`${paths.join(' and ')} are both set: the gateway must remove one`);
  if (target === undefined) throw missing(paths[0], source, headers);
  return parseTarget(target);
}

/** A question without the header is about no request. */
function missing(name: string, source: keyof typeof names, headers: IncomingHttpHeaders): OriginalRequestError {
  const other = source === 'forwarded' ? 'original' : 'forwarded';
  const sent = names[other].paths.find((path) => header(headers, path) !== undefined);
  const cure = sent === undefined ? '' : `: it sets ${sent}, for which plugins.forward_auth.source is "${other}"`;
  return new OriginalRequestError(`the gateway does not set ${name}${cure}`);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined || value === '' ? undefined : textOf(value);
}

function textOf(value: string | string[]): string {
  return asUtf8(typeof value === 'string' ? value : value.join(','));
}

/** Node makes one character of each byte. */
function asUtf8(value: string): string {
  return /[\u0080-\u00ff]/.test(value) ? Buffer.from(value, 'latin1').toString() : value;
}

interface Target {
  readonly path: string;
  /** Undefined where the target is a path alone, as the scheme is. */
  readonly host: string | undefined;
  readonly scheme: string | undefined;
}

/** `x-original-url` is a whole URL. */
function parseTarget(target: string): Target {
  const [, scheme, host, path = target] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  return { path, host, scheme };
}
