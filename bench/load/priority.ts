/**
 * The words of a command that runs with a higher priority where the variable `PRIORITY` is set: on
 * a shared machine, the load of others then counts less. It takes root.
 */
export function prioritized(...command: readonly string[]): readonly string[] {
  return process.env.PRIORITY === undefined ? command : ['nice', '-n', '-12', ...command];
}
