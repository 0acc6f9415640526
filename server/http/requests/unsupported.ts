/** Parameters for features that this release does not have. */
import { ApiError } from '../responses/api-error.js';
import type { Exchange } from './exchange.js';
import type { Params } from './params.js';

/** Any other value of `explain` counts as `off`. */
const modes = ['notes', 'fails', 'full', 'debug'];

/**
 * Throws an ApiError where a request asks for an explanation, or, as in older releases, for a
 * watch.
 */
export function refuseUnsupported({ params }: Exchange): void {
  refuseExplanation(params);
  if (params.on('watch')) throw new ApiError(501, 'not_implemented', 'watch is not implemented: this release streams no changes');
}

function refuseExplanation(params: Params): void {
  const mode = params.all('explain').find((value) => modes.includes(value));
  if (mode !== undefined) {
    throw new ApiError(501, 'not_implemented', `explain=${mode} is not implemented: this release makes no explanations`);
  }
}
