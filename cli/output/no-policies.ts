import type { Io } from '../io.js';

/** Says at a terminal that the paths have no policies; the reference is silent. */
export function noteNoPolicies(io: Io): void {
  if (io.isTerminal?.('stderr')) io.stderr('hint: there are no policies here: no file ends in .rego\n');
}
