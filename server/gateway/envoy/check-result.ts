/** The answer of a check, made from the value of the decision. */
import type { PlainObject, Value } from '../../../values/index.js';
import { ExactNumber, isArray, isNumber, isObject, typeName } from '../../../values/index.js';
import { type FieldTarget, nameProblem, parameterNameProblem, parameterProblem, valueProblem } from '../http-fields.js';

/** A decision of the wrong form. */
export class ResultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ResultError';
  }
}

/** The codes of `google.rpc.Code` in a status. */
const permissionDenied = 7;

/** The statuses of Envoy's enumeration. */
const httpStatuses: ReadonlySet<number> = new Set([
  100,
  ...between(200, 208),
  226,
  ...between(300, 305),
  307,
  308,
  ...between(400, 417),
  ...between(421, 424),
  426,
  428,
  429,
  431,
  ...between(500, 508),
  510,
  511,
]);

/** Statuses without a body: a client would read it as its answer (100), or as its next response. */
const bodiless: ReadonlySet<number> = new Set([100, 204, 205, 304]);

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The answer to a request that cannot be parsed. */
export function parseFailure(message: string): PlainObject {
  const body = `request_parse_error: ${message}`;
  return { status: { code: permissionDenied, message: body }, deniedResponse: { status: { code: 400 }, body } };
}

/**
 * The CheckResponse of a decision, without its id. Throws a ResultError for a value that is no
 * decision.
 * @param decision in the form that JSON has: a set is an array
 */
export function responseOf(decision: Value): PlainObject {
  if (typeof decision === 'boolean') return { status: statusOf(decision) };
  if (!isObject(decision))
    throw new ResultError(
      `failed to get response status: illegal value for policy evaluation result: ${typeName(decision)}`,
    );
  const fields = new Map(Object.entries(decision as PlainObject));
  const isAllowed = within('response status', () => allowedOf(fields));
  const headers = within('response headers', () =>
    headersOf(fields.get('headers'), isAllowed ? 'request' : 'response'),
  );
  const metadata = within('dynamic metadata', () => metadataOf(fields));
  return {
    status: statusOf(isAllowed),
    ...(isAllowed ? { okResponse: okOf(fields, headers) } : { deniedResponse: deniedOf(fields, headers) }),
    ...(metadata !== undefined && { dynamicMetadata: metadata }),
  };
}

/** The same decision where nothing is enforced: the request goes on. */
export function allowing(response: PlainObject): PlainObject {
  const { deniedResponse: _, ...rest } = response;
  const { code } = rest.status as { readonly code?: number };
  return code === undefined ? response : { ...rest, status: {}, okResponse: {} };
}

function statusOf(isAllowed: boolean): PlainObject {
  return isAllowed ? {} : { code: permissionDenied };
}

type Fields = ReadonlyMap<string, Value>;

function okOf(fields: Fields, headers: readonly PlainObject[]): PlainObject {
  const removed = within('request headers to remove', () => removedHeaders(fields));
  const added = within('response headers to send to client', () =>
    headersOf(fields.get('response_headers_to_add'), 'response'),
  );
  const set = within('request query parameters to set', () => parametersOf(fields.get('query_parameters_to_set')));
  const dropped = within('request query parameters to remove', () => removedParameters(fields));
  return {
    headers,
    headersToRemove: removed,
    responseHeadersToAdd: added,
    queryParametersToSet: set,
    queryParametersToRemove: dropped,
  };
}

function deniedOf(fields: Fields, headers: readonly PlainObject[]): PlainObject {
  const body = within('response body', () => bodyOf(fields));
  const code = within('response http status', () => httpStatusOf(fields));
  return { status: { code }, headers, ...(body !== '' && !bodiless.has(code) && { body }) };
}

function allowedOf(fields: Fields): boolean {
  const allowed = fields.get('allowed');
  if (allowed === undefined)
    throw new ResultError('unable to determine evaluation result due to missing "allowed" key');
  if (typeof allowed !== 'boolean') throw wrongType('allowed', 'boolean', allowed);
  return allowed;
}

function bodyOf(fields: Fields): string {
  const body = fields.get('body');
  if (body === undefined) return '';
  if (typeof body !== 'string') throw wrongType('body', 'string', body);
  return body;
}

function httpStatusOf(fields: Fields): number {
  const status = fields.get('http_status');
  if (status === undefined) return 403;
  if (!isNumber(status)) throw wrongType('http_status', 'number', status);
  const code = status instanceof ExactNumber ? Number(status.text) : status;
  const text = status instanceof ExactNumber ? status.text : String(status);
  if (!Number.isInteger(code)) throw new ResultError(`error converting JSON number to int: ${text} is no integer`);
  if (!httpStatuses.has(code)) throw new ResultError(`invalid HTTP status code ${text}`);
  return code;
}

function metadataOf(fields: Fields): PlainObject | undefined {
  const metadata = fields.get('dynamic_metadata');
  if (metadata === undefined) return undefined;
  if (!isObject(metadata)) throw wrongType('dynamic_metadata', 'object', metadata);
  checkStruct(metadata, structDepth);
  return metadata as PlainObject;
}

/** Messages within messages that readers of protobuf take, without those around a struct. */
const structDepth = 98;

/** Throws a ResultError for a value that no struct of protobuf can hold. */
function checkStruct(value: Value, depth: number): void {
  if (depth < 0) throw new ResultError('dynamic_metadata is nested too deeply');
  if (value instanceof ExactNumber && !Number.isFinite(Number(value.text)))
    throw new ResultError(`dynamic_metadata: the number ${value.text} is too large`);
  // An object is a struct with entries, and a list has values only.
  if (isArray(value)) for (const member of value) checkStruct(member, depth - 2);
  else if (isObject(value)) for (const member of Object.values(value as PlainObject)) checkStruct(member, depth - 3);
}

/** Headers of one object, or of several in an array. */
function headersOf(headers: Value | undefined, target: FieldTarget): readonly PlainObject[] {
  if (headers === undefined) return [];
  const objects = isArray(headers) ? headers : [headers];
  return objects.flatMap((object) => {
    if (!isObject(object)) throw wrongType('headers', 'object', object);
    return Object.entries(object as PlainObject).flatMap(([key, value]) => {
      refuse(nameProblem(key, target));
      return headerValues(key, value);
    });
  });
}

function headerValues(key: string, value: Value): readonly PlainObject[] {
  const option = (text: string) => {
    refuse(valueProblem(key, text));
    return { header: { key, value: text } };
  };
  if (typeof value === 'string') return [option(value)];
  if (!isArray(value)) throw new ResultError(`type assertion error for header '${key}'`);
  return value.map((member) => {
    if (typeof member !== 'string') throw new ResultError(`invalid value type ${typeName(member)} for header '${key}'`);
    return option(member);
  });
}

function parametersOf(parameters: Value | undefined): readonly PlainObject[] {
  if (parameters === undefined) return [];
  if (!isObject(parameters))
    throw new ResultError(
      `type assertion error, expected query_parameters_to_set to be a map but got '${typeName(parameters)}'`,
    );
  return Object.entries(parameters as PlainObject).flatMap(([key, value]) => {
    refuse(parameterNameProblem(key));
    const parameter = (text: string) => {
      refuse(parameterProblem(text));
      return { key, value: text };
    };
    if (typeof value === 'string') return [parameter(value)];
    if (!isArray(value))
      throw new ResultError(`type assertion error, expected value to be string or array but got '${typeName(value)}'`);
    return value.map((member) => {
      if (typeof member !== 'string')
        throw new ResultError(
          `type assertion error: expected array element to be string but got '${typeName(member)}'`,
        );
      return parameter(member);
    });
  });
}

/** Names of headers that a request is without; a pseudo-header cannot be removed. */
function removedHeaders(fields: Fields): readonly string[] {
  const names = textsOf(fields, 'request_headers_to_remove');
  for (const name of names) refuse(nameProblem(name, 'response'));
  return names;
}

function removedParameters(fields: Fields): readonly string[] {
  const names = textsOf(fields, 'query_parameters_to_remove');
  for (const name of names) refuse(parameterNameProblem(name));
  return names;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new ResultError(problem);
}

function textsOf(fields: Fields, name: string): readonly string[] {
  const value = fields.get(name);
  if (value === undefined) return [];
  if (!isArray(value)) throw wrongType(name, '[]string', value);
  return value.map((member) => {
    if (typeof member !== 'string') throw wrongType(`${name} value`, 'string', member);
    return member;
  });
}

function wrongType(name: string, wanted: string, got: Value): ResultError {
  return new ResultError(`type assertion error, expected ${name} to be of type '${wanted}' but got '${typeName(got)}'`);
}

/** Names the part of the answer in an error. */
function within<Result>(subject: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ResultError ? new ResultError(`failed to get ${subject}: ${error.message}`) : error;
  }
}
