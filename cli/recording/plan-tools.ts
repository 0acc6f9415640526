/**
 * `eval --plan-trace`, `--plan-profile` and `--record`: the plan of a query is evaluated again,
 * statement by statement.
 */

import type { Result } from '../../engine/evaluation/query-results.js';
import { record } from '../../engine/recording/record.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { NotedOutput } from '../eval/rounds.js';
import { Timers } from '../eval/timers.js';
import { CommandError, exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { writeFile } from '../output/write-file.js';
import { eventOf } from './log-event.js';
import { maskedBy } from './masks.js';
import { type PlanRuns, planRuns } from './plan-runs.js';

/** Events that a recording has unless a flag says otherwise. */
const recordedEvents = 1_000_000;
const recordedSize = 200;

/** Writes what the flags ask for. Rejects with a CommandError where nothing can be recorded. */
export async function showPlanRuns(text: string, output: NotedOutput, flags: FlagValues, io: Io): Promise<void> {
  if (output.again === undefined) return;
  const { sources, capabilities, noted } = output.again;
  const runs = await planRuns(text, sources, noted.prepared, { flags, io, capabilities });
  if (flags.has('record')) await writeRecording(flags.text('record')!, text, runs, output, flags, io);
}

async function writeRecording(file: string, text: string, plans: PlanRuns, output: NotedOutput, flags: FlagValues, io: Io): Promise<void> {
  const { sources, input, capabilities, noted } = output.again!;
  const value = output.results[0]?.expressions[0]?.value;
  const event: PlainObject = {
    ...eventOf(text),
    ...(input !== undefined && { input }),
    ...(value !== undefined && { result: value }),
  };
  try {
    const masked = await maskedBy(event, sources, { flags, io, capabilities, timers: new Timers() });
    const question = {
      query: text.trim(),
      input,
      data: plans.data,
      value,
      result: output.results.length === 0 ? undefined : output.results.map(resultValue),
      errors: output.errors.map(({ code, message }) => ({ message, ...(code !== undefined && { code }) })),
      sources: plans.sources,
      masked,
    };
    const options = { known: noted.known, timeNs: noted.timeNs, strictBuiltinErrors: flags.on('strict-builtin-errors') };
    const limits = {
      limit: flags.number('events') === 0 ? Infinity : (flags.number('events') ?? recordedEvents),
      size: flags.number('values') ?? recordedSize,
    };
    const recording = record(plans.runs, question, plans.builtins, plans.context, options, limits);
    writeFile(file, `${JSON.stringify(recording)}\n`);
  } catch (error) {
    throw new CommandError(`error: ${(error as Error).message}`, exitCodes.evaluationError);
  }
}

function resultValue({ expressions, bindings }: Result): Value {
  const shown = expressions.map(({ value, text, location }) => ({ value, text, location: { ...location } }));
  return { expressions: shown, ...(Object.keys(bindings).length > 0 && { bindings }) };
}
