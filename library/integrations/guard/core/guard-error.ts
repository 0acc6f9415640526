export type GuardErrorCode = 'invalid_option' | 'invalid_result' | 'thrown_value';

/** A guard that is set up or used in a wrong way. It never allows anything. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
  readonly code: GuardErrorCode;

  constructor(code: GuardErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
