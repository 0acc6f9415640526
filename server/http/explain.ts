/** The parameter `explain`: what is no known mode counts as `off`. */
import { ApiError } from './api-error.js';
import type { Exchange } from './exchange.js';

const modes = ['notes', 'fails', 'full', 'debug'];

/** Throws an ApiError where an explanation is asked for: the tracer that makes them is not part of this release. */
export function refuseExplanation({ params }: Exchange): void {
  const mode = params.all('explain').find((value) => modes.includes(value));
  if (mode !== undefined) {
    throw new ApiError(501, 'not_implemented', `explain=${mode} is not implemented: this release makes no explanations`);
  }
}
