/** The body of a request, parsed by its content type. */

import { JsonError, type PlainObject, parseJson, type Value } from '../../../values/index.js';
import type { GrpcBodies } from './grpc-body.js';
import { parseMediaType } from './media-type.js';
import { parseMultipart } from './multipart.js';
import type { ParsedBody } from './parsed-body.js';
import { CheckRequestError } from './request-error.js';
import { parseForm } from './request-target.js';

/** The parts of a request that its body is parsed by. */
export interface BodyRequest {
  readonly headers: PlainObject;
  /** The body as text; empty without one. */
  readonly text: string;
  /** The body in base64, of Envoys that send bytes. */
  readonly raw: string;
  readonly path: readonly string[];
}

const nothing: ParsedBody = { value: null, isTruncated: false };
const truncated: ParsedBody = { value: null, isTruncated: true };

/** Throws a RequestError. */
export function parseBody(request: BodyRequest, grpc: GrpcBodies | undefined): ParsedBody {
  const { headers } = request;
  if (headerOf(headers, 'x-envoy-auth-partial-body') === 'true') return truncated;
  const contentType = headerOf(headers, 'content-type') ?? '';
  if (contentType.includes('application/json'))
    return textual(request, (bytes, text) => jsonOf(text ?? bytes.toString()));
  if (contentType.includes('application/x-www-form-urlencoded'))
    return textual(request, (bytes, text) => parseForm(text ?? bytes.toString()));
  if (contentType.includes('multipart/form-data')) {
    const boundary = parseMediaType(contentType).parameters.get('boundary');
    return boundary === undefined || boundary === '' ? nothing : textual(request, (bytes) => formOf(bytes, boundary));
  }
  if (contentType.includes('application/grpc') && grpc !== undefined && request.raw !== '')
    return grpc.parse(Buffer.from(request.raw, 'base64'), request.path) ?? truncated;
  return nothing;
}

/** Names of headers are in lower case, as Envoy sends them. */
function headerOf(headers: PlainObject, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? (headers[name] as string) : undefined;
}

function textual(
  { headers, text, raw }: BodyRequest,
  parse: (bytes: Buffer, text: string | undefined) => Value,
): ParsedBody {
  if (text === '' && raw === '') return nothing;
  const bytes = text === '' ? Buffer.from(raw, 'base64') : Buffer.from(text);
  if (lengthOf(headerOf(headers, 'content-length')) > bytes.length) return truncated;
  return { value: parse(bytes, text === '' ? undefined : text), isTruncated: false };
}

/** -1 where the header is absent. */
function lengthOf(header: string | undefined): number {
  if (header === undefined) return -1;
  if (!/^[+-]?\d+$/.test(header))
    throw new CheckRequestError(`content-length ${JSON.stringify(header)}: invalid syntax`);
  const length = BigInt(header.replace(/^\+/, ''));
  if (BigInt.asIntN(64, length) !== length)
    throw new CheckRequestError(`content-length ${JSON.stringify(header)}: value out of range`);
  return Number(length);
}

function jsonOf(text: string): Value {
  if (text.trim() === '') throw new CheckRequestError('EOF');
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new CheckRequestError(error.message);
    throw error;
  }
}

function formOf(body: Buffer, boundary: string): Value {
  const values = new Map<string, Value[]>();
  for (const { name, contentType, content } of parseMultipart(body, boundary)) {
    const value = contentType.includes('application/json') ? jsonOf(content.toString()) : content.toString();
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return Object.fromEntries(values);
}
