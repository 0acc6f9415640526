/** Requests signed for AWS. */
import { makeObject, objectEntries, objectGet } from '../../../compare.js';
import { RegoSet } from '../../../set.js';
import { termText } from '../../../text/term-text.js';
import { isNumber, isObject, isString, type ObjectValue, type Value } from '../../../value.js';
import { type BuiltinContext, cryptoOf } from '../../builtin-context.js';
import { BuiltinError, operandError, operandTypeError } from '../../builtin-errors.js';
import { toEscapedJson } from '../go/escaped-json.js';
import { int64Of } from '../go/int64.js';
import { UrlError } from '../url/escape.js';
import { type GoUrl, parseUrl } from '../url/url.js';
import { type AwsCredentials, signedHeaders } from './aws-signature.js';
import { Parameters } from './parameters.js';

const requiredConfig = ['aws_access_key', 'aws_region', 'aws_secret_access_key', 'aws_service'];

interface Config {
  readonly members: ObjectValue;
  readonly credentials: AwsCredentials;
}

// In messages about types the reference counts each operand as 1, and headers as 0.

export function configOperand(operand: Value): Config {
  if (!isObject(operand)) throw operandTypeError(1, operand, 'object');
  return { members: operand, credentials: readCredentials(operand) };
}

export function timestampOperand(operand: Value): bigint {
  if (!isNumber(operand)) throw operandTypeError(1, operand, 'number');
  const timeNs = int64Of(operand);
  if (timeNs === undefined) throw operandError(3, 'could not convert time_ns value into a unix timestamp');
  return timeNs;
}

export function signRequest(request: ObjectValue, config: Config, timeNs: bigint, ctx: BuiltinContext): ObjectValue {
  const parameters = new Parameters(request);
  const headers = parameters.get('headers') ?? {};
  if (!isObject(headers)) throw operandTypeError(0, headers, 'object');
  const { method, url } = readTarget(parameters);
  const body = bodyOf(parameters);
  const given = new Map([...objectEntries(headers)].map(([name, value]) => [textOr(name), textOr(value)]));
  const disabled = objectGet(config.members, 'disable_payload_signing') ?? false;
  if (typeof disabled !== 'boolean') throw operandError(2, "invalid value for 'disable_payload_signing' in AWS config");
  const crypto = cryptoOf(ctx);
  const service = textOr(objectGet(config.members, 'aws_service'));
  const added = signedHeaders(
    { method, url, headers: given, body },
    { service, credentials: config.credentials, timeNs, signsBody: !disabled },
    crypto,
  );
  const all = makeObject([...given, ...added]);
  return makeObject([...objectEntries(request), ['headers', all]]);
}

/** A text operand as the reference reads it: empty for any other type. */
function textOr(value: Value | undefined): string {
  return value !== undefined && isString(value) ? value : '';
}

function readCredentials(config: ObjectValue): AwsCredentials {
  const missing = requiredConfig.filter((name) => objectGet(config, name) === undefined);
  if (missing.length > 0)
    throw operandError(2, `missing required AWS config parameters(s): ${termText(new RegoSet(missing))}`);
  const invalid = requiredConfig.filter((name) => typeof objectGet(config, name) !== 'string');
  if (invalid.length > 0)
    throw operandError(2, `invalid values for required AWS config parameters(s): ${termText(new RegoSet(invalid))}`);
  return {
    accessKey: textOr(objectGet(config, 'aws_access_key')),
    secretKey: textOr(objectGet(config, 'aws_secret_access_key')),
    region: textOr(objectGet(config, 'aws_region')),
    sessionToken: textOr(objectGet(config, 'aws_session_token')),
  };
}

function readTarget(parameters: Parameters): { readonly method: string; readonly url: GoUrl } {
  const [method, url] = [parameters.get('method'), parameters.get('url')];
  if (typeof method !== 'string' || typeof url !== 'string') {
    const invalid = (['method', 'url'] as const).filter((name) => typeof parameters.get(name) !== 'string');
    throw operandError(1, `invalid values for required request parameters(s): ${termText(new RegoSet(invalid))}`);
  }
  try {
    return { method, url: parseUrl(url) };
  } catch (error) {
    throw error instanceof UrlError ? new BuiltinError(error.message) : error;
  }
}

function bodyOf(parameters: Parameters): string {
  const raw = parameters.get('raw_body');
  if (raw !== undefined) return textOr(raw);
  const body = parameters.get('body');
  return body === undefined ? '' : toEscapedJson(body);
}
