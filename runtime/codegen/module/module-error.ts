/** Errors in the use of a module; those of an evaluation are `EvaluationError`s. */
export type ModuleErrorCode =
  | 'undefined_entrypoint' // there is no such entrypoint
  | 'invalid_option' // an unknown option, or a value that it cannot have
  | 'invalid_input' // the input is no JSON
  | 'invalid_data'; // documents that are no JSON object

export class ModuleError extends Error {
  readonly code: ModuleErrorCode;

  constructor(code: ModuleErrorCode, message: string) {
    super(message);
    this.name = 'ModuleError';
    this.code = code;
  }
}
