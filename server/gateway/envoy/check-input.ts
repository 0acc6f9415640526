/** The input of the policy, made from a check request. */
import type { PlainObject, Value } from '../../../values/index.js';
import { decodeMessage, jsonNaming, structureNaming } from '../protobuf/decode.js';
import { versions } from './authz-messages.js';
import type { GrpcBodies } from './grpc-body.js';
import { parseBody } from './request-body.js';
import { parseTarget } from './request-target.js';

export type ApiVersion = keyof typeof versions;

const namings = { v3: jsonNaming, v2: structureNaming } as const;

/** As policies see the version of the protocol. */
const shown = {
  v3: { ext_authz: 'v3', encoding: 'protojson' },
  v2: { ext_authz: 'v2', encoding: 'encoding/json' },
  /** The form of requests that a gateway asks about over HTTP. */
  http: { ext_authz: 'http', encoding: 'json' },
} as const;

export type InputVersion = keyof typeof shown;

export interface InputOptions {
  readonly skipsBody: boolean;
  readonly grpcBodies: GrpcBodies | undefined;
}

/** The message of a check. Throws a DecodeError. */
export function decodeCheck(version: ApiVersion, bytes: Uint8Array): PlainObject {
  return decodeMessage(versions[version].checkRequest, bytes, namings[version]);
}

/** Throws a RequestError for a path, a query or a body that cannot be parsed. */
export function inputOf(
  version: InputVersion,
  message: PlainObject,
  { skipsBody, grpcBodies }: InputOptions,
): PlainObject {
  const { source, request = {} } = part(message.attributes) as { readonly source?: Value; readonly request?: Value };
  const { http } = part(request) as { readonly http?: Value };
  const { path: target = '', headers = {}, body: text = '', rawBody: raw = '' } = part(http) as unknown as HttpRequest;
  const { path, query } = parseTarget(target);
  const body = skipsBody ? undefined : parseBody({ headers, text, raw, path }, grpcBodies);
  const { principal } = part(source) as { readonly principal?: Value };
  return {
    ...message,
    parsed_path: path,
    parsed_query: query,
    ...(body !== undefined && { parsed_body: body.value, truncated_body: body.isTruncated }),
    ...(principal !== undefined && { source_principal: principal }),
    version: shown[version],
  };
}

/** The parts of a request that are parsed. */
interface HttpRequest {
  readonly path?: string;
  readonly headers?: PlainObject;
  readonly body?: string;
  readonly rawBody?: string;
}

function part(value: Value | undefined): PlainObject {
  return (value ?? {}) as PlainObject;
}
