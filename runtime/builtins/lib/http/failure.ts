import { BuiltinError } from '../../errors.js';

/** A request that got no response: what `raise_error: false` answers with the code of network errors. */
export class ExchangeError extends Error {
  /** What `raise_error: true` reports; a timeout is put in simpler words there. */
  readonly raised: string;

  constructor(method: string, url: string, reason: string, timedOut = false) {
    const operation = method === '' ? 'Get' : method[0]! + method.slice(1).toLowerCase();
    super(`${operation} ${JSON.stringify(url)}: ${reason}`);
    this.name = 'ExchangeError';
    this.raised = timedOut ? `${operation} ${url}: request timed out` : this.message;
  }
}

/** A mistake in a request's parameters. */
export function wrong(message: string): BuiltinError {
  return new BuiltinError(message);
}
