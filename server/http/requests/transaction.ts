/** Bodies of `POST /v1/transactions`: operations, in the words of the requests that write alone. */
import type { DataOperation } from '../../../runtime/index.js';
import { inSlices, isArray, isObject, type PlainObject, type Value } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import type { RequestConditions } from '../etags.js';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { type ClientWrite, writeOf } from '../writes.js';
import { firstJsonOf } from './document.js';
import type { Exchange } from './exchange.js';
import { percentDecoded } from './params.js';
import { patchOperations } from './patch.js';
import { cleaned, segmentsAfter } from './path.js';

export interface TransactionOperation {
  readonly method: string;
  /** The path as in the URL of a request. */
  readonly path: string;
  readonly write: ClientWrite;
}

/** Rejects with an ApiError that names the operation at fault. */
export async function transactionOf(
  exchange: Exchange,
  { limits, maxPatchOperations }: Settings,
): Promise<readonly TransactionOperation[]> {
  let body: Value;
  try {
    body = await firstJsonOf(exchange, limits);
  } catch (error) {
    if (error instanceof MalformedBody) throw invalidParameter(error.message);
    throw error;
  }
  const operations = body !== null && isObject(body) ? ((body as PlainObject).operations ?? null) : null;
  if (!isArray(operations)) throw invalidParameter('the body must be an object with an array "operations"');
  const found: TransactionOperation[] = [];
  let left = maxPatchOperations;
  for (const [i, row] of operations.entries()) {
    try {
      if (row === null || !isObject(row)) throw invalidParameter('must be an object');
      const operation = await operationOf(row as PlainObject, left);
      left -= Math.max(1, operation.write.part.data?.length ?? 0);
      if (left < 0)
        throw invalidParameter(`a transaction has at most ${maxPatchOperations} operations, those of patches included`);
      found.push(operation);
    } catch (error) {
      throw error instanceof ApiError ? atOperation(i, error) : error;
    }
  }
  return found;
}

/** The same error, of an operation of a transaction. */
export function atOperation(index: number, { status, code, message, errors }: ApiError): ApiError {
  return new ApiError(status, code, `operations[${index}]: ${message}`, errors);
}

async function operationOf(fields: PlainObject, most: number): Promise<TransactionOperation> {
  const method = text(fields, 'method');
  const path = text(fields, 'path');
  if (cleaned(path) !== undefined || /[?#]|\/$/.test(path) || percentDecoded(path) === undefined)
    throw invalidParameter(`path ${JSON.stringify(path)} must be that of a request`);
  const conditions = { ifMatch: optionalText(fields, 'if_match'), ifNoneMatch: optionalText(fields, 'if_none_match') };
  const { body } = fields;
  if (path.startsWith('/v1/policies/')) return { method, path, write: policyWrite(method, path, body, conditions) };
  if (path !== '/v1/data' && !path.startsWith('/v1/data/'))
    throw invalidParameter(`path ${JSON.stringify(path)} must begin with /v1/data or /v1/policies/`);
  const target = segmentsAfter('/v1/data', path);
  const data = await dataOperations(method, target, body, most);
  return { method, path, write: writeOf({ data }, { path: target }, conditions) };
}

function policyWrite(
  method: string,
  path: string,
  body: Value | undefined,
  conditions: RequestConditions,
): ClientWrite {
  const policy = segmentsAfter('/v1/policies', path).join('/');
  if (method === 'DELETE') return writeOf({ policies: new Map([[policy, undefined]]) }, { policy }, conditions);
  if (method !== 'PUT') throw invalidParameter('method must be PUT or DELETE for a policy');
  if (typeof body !== 'string') throw invalidParameter('body must be the text of the policy');
  return writeOf({ policies: new Map([[policy, body]]) }, { policy }, conditions);
}

async function dataOperations(
  method: string,
  path: readonly string[],
  body: Value | undefined,
  most: number,
): Promise<readonly DataOperation[]> {
  if (method === 'DELETE') return [{ op: 'remove', path }];
  if (method !== 'PUT' && method !== 'PATCH')
    throw invalidParameter('method must be PUT, PATCH or DELETE for a document');
  if (body === undefined) throw invalidParameter('body is missing');
  if (method === 'PATCH') return await inSlices(patchOperations(body, path, most));
  return [{ op: 'write', path, value: body, transferred: true }];
}

function text(fields: PlainObject, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw invalidParameter(`${name} must be a string`);
  return value;
}

function optionalText(fields: PlainObject, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? text(fields, name) : undefined;
}
