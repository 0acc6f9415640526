/** Errors as the API answers them. */

import { CompileErrors, diagnosticToJson, renderDiagnostic } from '../../../compiler/index.js';
import { BundleError, evaluationErrorJson, PolicyError } from '../../../engine/index.js';
import { EvaluationError, StoreError } from '../../../runtime/index.js';
import { type PlainObject, rangeComplaint, type Value } from '../../../values/index.js';
import { StorageError } from '../../storage/storage-error.js';

type ApiErrorCode =
  | 'evaluation_error'
  | 'internal_error'
  | 'invalid_operation'
  | 'invalid_parameter'
  | 'precondition_failed'
  | 'resource_conflict'
  | 'resource_not_found'
  | 'unauthorized'
  | 'unavailable'
  | 'undefined_document';

/** An answer that is an error. Thrown anywhere in a request; the app renders it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errors: readonly Value[];
  /** The explanation of a decision that ended with this error. */
  explanation: Value | undefined;
  /** When it may be tried again. */
  retryAfterSeconds: number | undefined;

  constructor(status: number, code: ApiErrorCode, message: string, errors: readonly Value[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  toJson(): PlainObject {
    const { code, message, errors, explanation } = this;
    return { code, message, ...(errors.length > 0 && { errors }), ...(explanation !== undefined && { explanation }) };
  }
}

/** A malformed body. Routes put the message into a sentence of their own, or leave it. */
export class MalformedBody extends Error {}

export function invalidParameter(message: string, errors: readonly Value[] = []): ApiError {
  return new ApiError(400, 'invalid_parameter', message, errors);
}

/** Any error of a route as an answer. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof MalformedBody) return invalidParameter(error.message);
  if (error instanceof EvaluationError) return evaluationError(error);
  if (error instanceof CompileErrors) return new ApiError(500, 'internal_error', error.message);
  if (error instanceof StoreError) return storeError(error);
  if (error instanceof PolicyError) return policyError(error);
  if (error instanceof BundleError) return invalidParameter(error.message);
  if (error instanceof StorageError) return unavailable(error.message);
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(500, 'internal_error', rangeComplaint(error) ?? message);
}

/** It may be answered soon. */
export function unavailable(message: string): ApiError {
  const error = new ApiError(503, 'unavailable', message);
  error.retryAfterSeconds = 1;
  return error;
}

function evaluationError(error: EvaluationError): ApiError {
  return new ApiError(500, 'internal_error', 'error(s) occurred while evaluating query', [evaluationErrorJson(error)]);
}

function storeError({ code, message }: StoreError): ApiError {
  if (code === 'storage_not_found_error') return new ApiError(404, 'resource_not_found', message);
  if (code === 'storage_write_conflict_error') return new ApiError(404, 'resource_conflict', message);
  if (code === 'storage_invalid_patch_error') return invalidParameter(message);
  return new ApiError(500, 'internal_error', message);
}

function policyError({ code, message }: PolicyError): ApiError {
  if (code === 'storage_not_found_error') return new ApiError(404, 'resource_not_found', message);
  if (code === 'timed_out') return new ApiError(503, 'unavailable', message);
  if (code === 'too_large') return new ApiError(413, 'invalid_parameter', message);
  return invalidParameter(message);
}

/** The errors of a sent policy, or of policies that needed a deleted one. */
export function moduleErrors(
  error: CompileErrors,
  code: 'invalid_parameter' | 'invalid_operation' = 'invalid_parameter',
): ApiError {
  const [first] = error.diagnostics;
  // The error of an empty policy has no location.
  if (first?.location?.row === 0) return new ApiError(400, code, renderDiagnostic(first));
  return new ApiError(400, code, 'error(s) occurred while compiling module(s)', diagnosticsJson(error));
}

/** The errors of a query. */
export function queryErrors(error: CompileErrors): ApiError {
  const isParseError = error.diagnostics.every(({ code }) => code === 'rego_parse_error');
  const step = isParseError ? 'parsing' : 'compiling';
  return invalidParameter(`error(s) occurred while ${step} query`, diagnosticsJson(error));
}

/** The errors of a query; an empty one has an error of its own. */
export function complaintsOfQuery(error: CompileErrors): ApiError {
  if (error.diagnostics.every(({ name }) => name === 'emptyQuery'))
    return invalidParameter('cannot evaluate empty query');
  return queryErrors(error);
}

function diagnosticsJson({ diagnostics }: CompileErrors): readonly Value[] {
  // Details may be objects with methods, which JSON leaves out.
  return diagnostics.map((diagnostic) => JSON.parse(JSON.stringify(diagnosticToJson(diagnostic))) as Value);
}
