/**
 * A plan that is not well made; `pointer` is a JSON pointer into it, `address` that of the
 * statement if the mistake is in one.
 */
export class VerifyError extends Error {
  readonly code = 'invalid_plan';
  readonly pointer: string;
  readonly address: string | undefined;

  constructor(pointer: string, message: string, address?: string) {
    super(`${pointer}: ${message}${address === undefined ? '' : ` (${address})`}`);
    this.name = 'VerifyError';
    this.pointer = pointer;
    this.address = address;
  }
}
