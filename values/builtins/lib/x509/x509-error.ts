import { StacklessError } from '../../../stackless-error.js';

/** An error of a certificate, a request or a chain, in the words of Go's `crypto/x509`. */
export class X509Error extends StacklessError {
  constructor(message: string) {
    super(message);
    this.name = 'X509Error';
  }
}

/**
 * The value, or an X509Error where there is none: `must(reader.read(tags.sequence), 'x509:
 * malformed certificate')`.
 */
export function must<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new X509Error(message);
  return value;
}
