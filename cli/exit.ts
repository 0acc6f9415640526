/** How a command ends. The numbers are the reference's; docs/cli.md explains them. */
export const exitCodes = {
  ok: 0,
  /** Wrong use of the command line; for `eval`, `--fail` and `--fail-defined` also. */
  failure: 1,
  /** `eval`: the files could not be loaded, or the evaluation ended in an error. */
  evaluationError: 2,
  /** `test`: a test failed, or too little is covered. */
  testsFailed: 2,
} as const;

/** Ends a command with a line on stderr. `usage`: the command line itself was wrong, so the usage follows. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly usage: boolean;

  constructor(message: string, exitCode: number = exitCodes.failure, usage = false) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.usage = usage;
  }
}

/** A command line that cannot be understood. */
export function usageError(message: string): CommandError {
  return new CommandError(message, exitCodes.failure, true);
}
