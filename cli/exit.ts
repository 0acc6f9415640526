/** Exit codes of the commands. The numbers are the reference's; docs/cli.md explains them. */
export const exitCodes = {
  ok: 0,
  /** Wrong use of the command line; for `eval`, also `--fail` and `--fail-defined`. */
  failure: 1,
  /** `eval`: the files could not be loaded, or the evaluation ended in an error. */
  evaluationError: 2,
  /** `test`: a test failed, or the coverage or score of mutants is below the threshold. */
  testsFailed: 2,
} as const;

/**
 * Ends a command with a line on stderr. `usage`: the command line itself was wrong, so a pointer to
 * `--help` follows.
 */
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

/** An invalid command line. */
export function usageError(message: string): CommandError {
  return new CommandError(message, exitCodes.failure, true);
}
