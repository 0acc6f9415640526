/** `eval --plan-trace`: the events of the plans as they happen, and the result last. */

import type { PlanRunOptions } from '../../engine/index.js';
import { PlanTraceFull } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { observedRun, type PlanEvent, type PlanRun, ValueTexts } from '../../views/index.js';
import type { FlagValues } from '../flags.js';
import type { PlanRuns } from './plan-runs.js';
import { selectionOf } from './selection.js';
import { TraceLines } from './trace-lines.js';

const shownSize = 60;

/** Characters that are collected before they are written. */
const chunk = 65_536;

/**
 * Writes a line for each event. The number of events alone ends it; a line says so.
 * @throws an Error for flags that select nothing
 */
export function writeTrace(
  { runs, data, builtins, context }: PlanRuns,
  input: Value | undefined,
  options: PlanRunOptions,
  flags: FlagValues,
  write: (text: string) => void,
): void {
  const isJson = flags.text('format') === 'json';
  const selections = selectionOf(runs, flags);
  const limit = flags.number('events') || Infinity;
  const values = new ValueTexts(flags.number('values') ?? shownSize);
  let text = '';
  let count = 0;
  const put = (line: string): void => {
    text += `${line}\n`;
    if (text.length < chunk) return;
    write(text);
    text = '';
  };
  const take = (run: PlanRun, lines: TraceLines) => {
    const selected = selections?.get(run);
    return (event: PlanEvent): void => {
      if (selected?.(event) === false) return;
      if (++count > limit) throw new PlanTraceFull('the trace is full');
      put(isJson ? lines.json(event) : lines.text(event));
    };
  };
  for (const run of runs) {
    const lines = new TraceLines(run.policy, values);
    observedRun(
      run.policy,
      run.entrypoint,
      { documents: { input, data }, builtins, context, options },
      { takeEvent: take(run, lines) },
    );
    if (count > limit) {
      const cut = `the trace ends after ${limit} events`;
      put(isJson ? JSON.stringify({ op: 'cut', text: cut }) : cut);
      break;
    }
  }
  write(text);
}
