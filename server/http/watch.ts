/** The parameter `watch` of older releases. */
import { ApiError } from './api-error.js';
import type { Exchange } from './exchange.js';

/** Throws an ApiError where a watch is asked for. */
export function refuseWatch({ params }: Exchange): void {
  if (params.on('watch')) throw new ApiError(501, 'not_implemented', 'watch is not implemented: this release streams no changes');
}
