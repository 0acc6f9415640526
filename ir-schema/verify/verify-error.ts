/** A plan that is not well made; `pointer` is a JSON pointer into it. */
export class VerifyError extends Error {
  readonly code = 'invalid_plan';
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(`${pointer}: ${message}`);
    this.name = 'VerifyError';
    this.pointer = pointer;
  }
}
