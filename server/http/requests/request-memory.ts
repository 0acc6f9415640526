import { HeldMemory } from '../../services/held-memory.js';
import { ApiError } from '../responses/api-error.js';

/** Memory that one request keeps until it is answered. */
export class RequestMemory extends HeldMemory {
  constructor() {
    super((isAlone) => (isAlone ? tooMuch() : busy()));
  }
}

export function tooMuch(): ApiError {
  return new ApiError(413, 'invalid_parameter', 'request body too large: it needs more memory than there is');
}

function busy(): ApiError {
  return new ApiError(503, 'unavailable', 'too many large requests at once');
}
