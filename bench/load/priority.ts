/**
 * The words of a command that runs with real-time priority where the variable `PRIORITY` is set:
 * on a shared machine, the load of others then does not count. It takes root, for seconds only.
 */
export function prioritized(...command: readonly string[]): readonly string[] {
  return process.env.PRIORITY === undefined ? command : ['chrt', '-r', '50', ...command];
}
