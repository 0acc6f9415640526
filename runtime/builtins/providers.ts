/** Requests to cloud providers: `providers.*`. */
import { makeObject, objectGet, objectKeys, sortStrings } from '../values/compare.js';
import { quote } from '../values/json.js';
import { any, number, object, string } from '../values/type.js';
import { isNumber, isObject, isString, type ObjectValue, type Value } from '../values/value.js';
import { type AwsCredentials, signedHeaders } from './aws-signature.js';
import { arg, type Builtin, builtin } from './builtin.js';
import type { BuiltinContext } from './context.js';
import { BuiltinError, operandError, operandTypeError } from './errors.js';
import { toEscapedJson } from './go-json.js';
import { type GoUrl, parseUrl, UrlError } from './go-url.js';
import { missingHost } from './host.js';
import { int64Of } from './int64.js';

const anyMembers = object(string, any);

export const providers: readonly Builtin[] = [
  builtin(
    'providers.aws.sign_req',
    [arg('request', anyMembers), arg('aws_config', anyMembers), arg('time_ns', number)],
    object(any, any),
    signRequest,
    { checksOperands: true, description: 'Signs an HTTP request for AWS: the request with the headers that do it.' },
  ),
];

const requiredConfig = ['aws_access_key', 'aws_region', 'aws_secret_access_key', 'aws_service'];

/** What `http.send` takes; the request may have no other members. */
const requestMembers = new Set([
  ...['method', 'url', 'body', 'raw_body', 'headers', 'timeout', 'enable_redirect', 'force_json_decode', 'force_yaml_decode'],
  ...['tls_use_system_certs', 'tls_ca_cert', 'tls_ca_cert_file', 'tls_ca_cert_env_variable', 'tls_client_cert', 'tls_client_cert_file'],
  ...['tls_client_cert_env_variable', 'tls_client_key', 'tls_client_key_file', 'tls_client_key_env_variable', 'tls_insecure_skip_verify'],
  ...['tls_server_name', 'cache', 'force_cache', 'force_cache_duration_seconds', 'caching_mode', 'cache_ignored_headers'],
  ...['raise_error', 'max_retry_attempts'],
]);

function signRequest(request: Value, config: Value, time: Value, ctx: BuiltinContext): Value {
  // The reference counts its first three operands as 1 here, and headers as 0.
  if (!isObject(request)) throw operandTypeError(1, request, 'object');
  if (!isObject(config)) throw operandTypeError(1, config, 'object');
  const credentials = readConfig(config);
  if (!isNumber(time)) throw operandTypeError(1, time, 'number');
  const timeNs = int64Of(time);
  if (timeNs === undefined) throw operandError(3, 'could not convert time_ns value into a unix timestamp');
  checkMembers(request);
  const headers = objectGet(request, 'headers') ?? {};
  if (!isObject(headers)) throw operandTypeError(0, headers, 'object');
  const { method, url } = readTarget(request);
  const body = bodyOf(request);
  const given = new Map([...objectKeys(headers)].map((name) => [textOr(name), textOr(objectGet(headers, name))]));
  const disabled = objectGet(config, 'disable_payload_signing') ?? false;
  if (typeof disabled !== 'boolean') throw operandError(2, "invalid value for 'disable_payload_signing' in AWS config");
  if (ctx.host.crypto === undefined) throw missingHost('crypto');
  const service = textOr(objectGet(config, 'aws_service'));
  const added = signedHeaders({ method, url, headers: given, body }, service, credentials, timeNs, !disabled, ctx.host.crypto);
  const all = makeObject([...given, ...added]);
  return makeObject([...[...objectKeys(request)].map((key) => [key, objectGet(request, key)!] as const), ['headers', all]]);
}

/** What the reference makes of a value where it wants a text: nothing of anything else. */
function textOr(value: Value | undefined): string {
  return value !== undefined && isString(value) ? value : '';
}

function readConfig(config: ObjectValue): AwsCredentials {
  const missing = requiredConfig.filter((name) => objectGet(config, name) === undefined);
  if (missing.length > 0) throw operandError(2, `missing required AWS config parameters(s): ${nameSet(missing)}`);
  const invalid = requiredConfig.filter((name) => !isString(objectGet(config, name)!));
  if (invalid.length > 0) throw operandError(2, `invalid values for required AWS config parameters(s): ${nameSet(invalid)}`);
  return {
    accessKey: textOr(objectGet(config, 'aws_access_key')),
    secretKey: textOr(objectGet(config, 'aws_secret_access_key')),
    region: textOr(objectGet(config, 'aws_region')),
    sessionToken: textOr(objectGet(config, 'aws_session_token')),
  };
}

function checkMembers(request: ObjectValue): void {
  const unknown = [...objectKeys(request)].filter((name) => !requestMembers.has(name as string));
  if (unknown.length > 0)
    throw operandError(
      1,
      `invalid request parameters(s): ${nameSet(unknown.map((name) => (isString(name) ? name : toEscapedJson(name))))}`,
    );
  const missing = ['method', 'url'].filter((name) => objectGet(request, name) === undefined);
  if (missing.length > 0) throw operandError(1, `missing required request parameters(s): ${nameSet(missing)}`);
}

function nameSet(names: readonly string[]): string {
  return `{${sortStrings([...names])
    .map(quote)
    .join(', ')}}`;
}

function readTarget(request: ObjectValue): { readonly method: string; readonly url: GoUrl } {
  const method = objectGet(request, 'method')!;
  const url = objectGet(request, 'url')!;
  if (!isString(method) || !isString(url)) {
    const invalid = ['method', 'url'].filter((name) => !isString(objectGet(request, name)!));
    throw operandError(1, `invalid values for required request parameters(s): ${nameSet(invalid)}`);
  }
  try {
    return { method, url: parseUrl(url) };
  } catch (error) {
    throw error instanceof UrlError ? new BuiltinError(error.message) : error;
  }
}

function bodyOf(request: ObjectValue): string {
  const raw = objectGet(request, 'raw_body');
  if (raw !== undefined) return textOr(raw);
  const body = objectGet(request, 'body');
  return body === undefined ? '' : toEscapedJson(body);
}
