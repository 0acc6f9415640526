/** Parameters for features that this release does not have. */
import { ApiError } from '../responses/api-error.js';
import type { Exchange } from './exchange.js';

/** Throws an ApiError where a request asks, as in older releases, for a watch. */
export function refuseUnsupported({ params }: Exchange): void {
  if (params.on('watch')) throw new ApiError(501, 'not_implemented', 'watch is not implemented: this release streams no changes');
}
