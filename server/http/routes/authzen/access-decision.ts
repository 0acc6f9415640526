/** The decisions that answer the AuthZEN API. */

import type { Value } from '../../../../values/index.js';
import type { AppContext } from '../../../control/app-context.js';
import { type AccessAnswer, AccessValueError, accessAnswerOf } from '../../../gateway/authzen/access-answer.js';
import type { AuthzenConfig } from '../../../gateway/authzen/authzen-config.js';
import type { PreparedDocument } from '../../prepared-decisions.js';
import { refText } from '../../requests/path.js';
import { ApiError } from '../../responses/api-error.js';

/** The configuration, without which the routes of the API are not served. */
export function authzenOf({ settings }: AppContext): AuthzenConfig {
  return settings.authzen!;
}

export function accessDocument({ decisions }: AppContext, path: readonly string[]): PreparedDocument {
  return decisions.at('authzen', path.join('/'), () => path);
}

/**
 * The answer of a decision's value. A path without rules and documents is a fault of the
 * configuration, not a denial.
 */
export function accessValue(
  { engine }: AppContext,
  { path }: PreparedDocument,
  value: Value | undefined,
): AccessAnswer | ApiError {
  if (value === undefined && engine.isBase(path))
    return new ApiError(500, 'undefined_document', `there is no decision at ${refText(path)}`);
  try {
    return accessAnswerOf(value);
  } catch (error) {
    if (error instanceof AccessValueError)
      return new ApiError(500, 'internal_error', `${refText(path)}: ${error.message}`);
    throw error;
  }
}
