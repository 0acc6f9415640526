/**
 * `eval --plan-trace`, `--plan-profile` and `--record`: the plan of a query is evaluated again,
 * statement by statement.
 */

import type { PlanRunOptions, QuerySolution } from '../../engine/index.js';
import { type PlainObject, toJson, type Value } from '../../values/index.js';
import { recordPlan } from '../../views/index.js';
import { planProfileFormat } from '../eval/eval-flags.js';
import type { NotedRound } from '../eval/plan-results.js';
import type { NotedOutput } from '../eval/rounds.js';
import { Timers } from '../eval/timers.js';
import { CommandError, exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorsText } from '../output/error-output.js';
import { writeFile } from '../output/write-file.js';
import { loggedEvent } from './log-event.js';
import { maskedBy } from './masks.js';
import { type PlanRuns, planRuns } from './plan-runs.js';

/** Events that a recording has unless a flag says otherwise. */
const recordedEvents = 1_000_000;
const recordedSize = 200;

/**
 * Writes what the flags ask for. Rejects with a CommandError where that cannot be.
 * @returns whether the result is shown with it
 */
export async function showPlanRuns(text: string, output: NotedOutput, flags: FlagValues, io: Io): Promise<boolean> {
  if (output.again === undefined) return false;
  const { sources, input, capabilities, noted } = output.again;
  try {
    const plans = await planRuns(text, sources, noted.prepared, { flags, io, capabilities });
    const path = flags.text('record');
    if (path !== undefined)
      writeFile(path, await recordingText(text, plans, { output, again: output.again }, flags, io));
    const options = runOptions(noted, flags);
    if (flags.on('plan-trace')) {
      const { writeTrace } = await import('./plan-trace-output.js');
      writeTrace(plans, input, options, flags, io.stdout);
      writeResult(output, flags, io);
      return true;
    }
    const format = planProfileFormat(flags);
    if (format === undefined) return false;
    const { writeProfile } = await import('./plan-profile-output.js');
    writeProfile(
      plans,
      { text, input, ...resultMembers(output) },
      options,
      { format, limit: flags.number('plan-profile-limit') },
      io,
    );
    if (format === 'text') writeResult(output, flags, io);
    // Other formats for viewers have no place for errors.
    else if (format !== 'json' && output.errors.length > 0) io.stderr(`${errorsText(output.errors, io)}\n`);
    return true;
  } catch (error) {
    if (output.errors.length > 0) return false;
    throw new CommandError(`error: ${(error as Error).message}`, exitCodes.evaluationError);
  }
}

/** The answers of the evaluation that made the result. */
function runOptions({ known, timeNs }: NotedRound, flags: FlagValues): PlanRunOptions {
  return {
    known,
    timeNs,
    timeMs: flags.number('timeout') ?? 0,
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
  };
}

/** The last line. */
function writeResult(output: NotedOutput, flags: FlagValues, io: Io): void {
  const { results, errors } = output;
  if (flags.text('format') === 'json') {
    io.stdout(`${toJson({ op: 'result', ...resultMembers(output) })}\n`);
  } else if (errors.length > 0) io.stdout(`${errors.map(errorLine).join('\n')}\n`);
  else io.stdout(`result ${resultText(results)}\n`);
}

function errorLine({ text, address }: NotedOutput['errors'][number]): string {
  return `error ${text}${address === undefined ? '' : ` (${address})`}`;
}

function resultText(results: readonly QuerySolution[]): string {
  const [first, ...others] = results;
  if (first === undefined) return 'undefined';
  const [expression, ...more] = first.expressions;
  const isPlain = others.length + more.length + Object.keys(first.bindings).length === 0;
  if (expression !== undefined && isPlain) return toJson(expression.value);
  return toJson(
    results.map((result) =>
      Object.keys(result.bindings).length > 0 ? result.bindings : result.expressions.map(({ value }) => value),
    ),
  );
}

function resultMembers({ results, errors }: NotedOutput) {
  return { ...(results.length > 0 && { result: results.map(resultValue) }), ...errorMembers(errors) };
}

function errorMembers(errors: NotedOutput['errors']) {
  if (errors.length === 0) return {};
  return {
    errors: errors.map(({ code, message, address }) => ({
      message,
      ...(code !== undefined && { code }),
      ...(address !== undefined && { address }),
    })),
  };
}

async function recordingText(
  text: string,
  plans: PlanRuns,
  { output, again }: { readonly output: NotedOutput; readonly again: NonNullable<NotedOutput['again']> },
  flags: FlagValues,
  io: Io,
): Promise<string> {
  const { sources, input, capabilities, noted } = again;
  const value = output.results[0]?.expressions[0]?.value;
  const event: PlainObject = {
    ...loggedEvent(text),
    ...(input !== undefined && { input }),
    ...(value !== undefined && { result: value }),
  };
  const masked = await maskedBy(event, sources, { flags, io, capabilities, timers: new Timers() });
  const question = {
    query: text.trim(),
    input,
    data: plans.data,
    value,
    result: output.results.length === 0 ? undefined : output.results.map(resultValue),
    errors: [],
    ...errorMembers(output.errors),
    sources: plans.sources,
    masked,
  };
  const limit = flags.number('events') === 0 ? Infinity : (flags.number('events') ?? recordedEvents);
  const limits = { limit, size: flags.number('values') ?? recordedSize };
  const recording = recordPlan(plans.runs, question, { ...plans, options: runOptions(noted, flags) }, limits);
  return `${JSON.stringify(recording)}\n`;
}

function resultValue({ expressions, bindings }: QuerySolution): Value {
  const shown = expressions.map(({ value, text, location }) => ({ value, text, location: { ...location } }));
  return { expressions: shown, ...(Object.keys(bindings).length > 0 && { bindings }) };
}
