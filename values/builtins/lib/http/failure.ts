import { BuiltinError } from '../../builtin-errors.js';

/**
 * A request that got no response: with `raise_error: false` it is answered with the code of network
 * errors.
 */
export class ExchangeError extends Error {
  /** The message with `raise_error: true`; that of a timeout is shorter. */
  readonly raised: string;

  constructor(method: string, url: string, reason: string, timedOut = false) {
    const operation = method === '' ? 'Get' : method.charAt(0) + method.slice(1).toLowerCase();
    super(`${operation} ${JSON.stringify(url)}: ${reason}`);
    this.name = 'ExchangeError';
    this.raised = timedOut ? `${operation} ${url}: request timed out` : this.message;
  }
}

/** A mistake in a request's parameters. */
export function wrong(message: string): BuiltinError {
  return new BuiltinError(message);
}
