/** The lines of policies that tests reach. */

import { type Compiled, plan } from '../../../compiler/index.js';
import type { Engine } from '../../../engine/index.js';
import { verify } from '../../../ir-schema/index.js';
import { loadLibraries } from '../../../runtime/index.js';
import { builtins, type PlainObject } from '../../../values/index.js';
import { lineStates } from '../../recording/line-states.js';
import { ObservedPolicy } from '../../recording/observed-run.js';

/** The rows of a file that tests reach, and those that none does. */
export interface CoveredLines {
  readonly covered: readonly number[];
  readonly missing: readonly number[];
}

/** Runs tests, and finds the lines of a file that they reach. Throws CompileErrors. */
export async function coveredLines(
  file: string,
  tests: readonly (readonly string[])[],
  {
    compiled,
    engine,
    documents,
  }: { readonly compiled: Compiled; readonly engine: Engine; readonly documents: PlainObject },
): Promise<CoveredLines> {
  const rules = [...(compiled.modules.get(file)?.parsed.rules ?? [])];
  const reached = new Map<number, boolean>();
  const names = tests.map((path) => path.join('/'));
  const policy = plan(
    compiled,
    tests.map((path, i) => ({ name: names[i]!, path })),
  );
  await loadLibraries(verify(policy, builtins), builtins);
  const observed = new ObservedPolicy(policy);
  const options = { known: undefined, timeMs: longestMs, onPrint: () => undefined };
  const setting = { context: engine.context, builtins, options, documents: { input: undefined, data: documents } };
  for (const entrypoint of names)
    for (const { file: name, row, state } of lineStates(observed, entrypoint, setting))
      if (name === file) reached.set(row, reached.get(row) === true || state !== 'unreached');
  // Rules that no test asks for are not in the plan.
  for (const { loc, default: isDefault } of rules)
    if (!isDefault && !reached.has(loc.row)) reached.set(loc.row, isReached(loc.row, rowsOf(loc), reached));
  const rows = [...reached.keys()].sort((a, b) => a - b);
  return { covered: rows.filter((row) => reached.get(row)), missing: rows.filter((row) => !reached.get(row)) };
}

/** The longest time of a test, in milliseconds. */
const longestMs = 10_000;

function rowsOf({ row, text }: { readonly row: number; readonly text: string }): number {
  return row + text.split('\n').length - 1;
}

/** Whether a line of a rule was reached: then its head was, too. */
function isReached(first: number, last: number, reached: ReadonlyMap<number, boolean>): boolean {
  for (let row = first; row <= last; row++) if (reached.get(row)) return true;
  return false;
}
