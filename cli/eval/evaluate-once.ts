/** Evaluates a query once, from the loaded plans or by compiling it. */

import type { Explanation, QuerySolution } from '../../engine/index.js';
import { EvaluationError, type EvaluationOptions, type StatementPlace } from '../../runtime/index.js';
import type { BuiltinError, Value } from '../../values/index.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputError, outputErrors } from '../output/failures.js';
import type { Output, OutputError } from '../output/output.js';
import { explainMode, wantsProfile } from './eval-flags.js';
import type { EvalSources } from './eval-sources.js';
import type { RoundSettings } from './plan-results.js';
import { checkReads, checkSource, isPlanned, planProfile, planResults, planTrace } from './plan-results.js';
import type { PreparedQuery } from './source-eval.js';

/** Errors of loading, compiling and evaluating are part of the output. */
export async function evaluateOnce(
  sources: EvalSources,
  text: string,
  input: Value | undefined,
  settings: RoundSettings,
): Promise<Output> {
  const { flags, timers, io, noted } = settings;
  const builtinErrors: OutputError[] = [];
  const options: EvaluationOptions = {
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
    timeMs: flags.number('timeout') ?? 0,
    ...noted?.options,
    // Optimized policies print nothing.
    onPrint: (line: string) => (flags.number('optimize') ?? 0) === 0 && io.stderr(`${line}\n`),
    ...(flags.on('show-builtin-errors') && {
      onBuiltinError: (error: BuiltinError, _name: string, place: StatementPlace) =>
        builtinErrors.push(builtinError(error, place)),
    }),
  };
  try {
    for (const flag of sourceFlags(flags)) checkSource(flag, text, sources, flags);
    if (flags.on('partial')) {
      const { preparePartially } = await import('./partial-eval.js');
      const query = await preparePartially(text, sources, flags, timers, io);
      const mode = explainMode(flags);
      const found = mode === undefined ? { partial: await query.evaluate(input) } : await query.explain(input, mode);
      return { errors: builtinErrors, results: [], ...found };
    }
    if (!isPlanned(text, sources, flags)) {
      checkReads(text, sources, flags);
      const { prepareQuery } = await import('./source-eval.js');
      const query = await prepareQuery(text, sources, flags, timers, io);
      if (noted !== undefined) noted.prepared = query;
      if (flags.on('why')) return await explained(query, input, options, builtinErrors);
      const answer = await query.ask(input, options);
      const isUndefined = answer.results.length === 0 && io.isTerminal?.('stderr') === true;
      const note = isUndefined ? query.missing() : undefined;
      // The note is about the query.
      const warnings = tellsWarnings(flags, io) ? await query.warnings(note === undefined) : [];
      return { errors: builtinErrors, ...answer, note, warnings };
    }
    const answer = await planResults(text, sources, input, settings, options);
    const mode = explainMode(flags);
    const trace = mode && (await planTrace(text, sources, input, settings, mode));
    return {
      errors: builtinErrors,
      ...answer,
      ...(wantsProfile(flags) && { profile: await planProfile(text, sources, input, settings) }),
      ...(trace && { trace }),
      ...(flags.on('why') && { why: await explainedPlan(text, answer.results) }),
    };
  } catch (error) {
    return { errors: [...outputErrors(error), ...builtinErrors], results: [] };
  }
}

function tellsWarnings(flags: FlagValues, io: Io): boolean {
  return io.isTerminal?.('stderr') === true || flags.on('fail-on-warn');
}

/** The flags that only policies in source can answer. */
function sourceFlags(flags: FlagValues): readonly string[] {
  return ['partial', 'coverage'].filter((flag) => flags.on(flag));
}

/** The answer with its explanation; an error of the evaluation is explained too. */
async function explained(
  query: PreparedQuery,
  input: Value | undefined,
  options: EvaluationOptions,
  builtinErrors: readonly OutputError[],
): Promise<Output> {
  let why: Explanation | undefined;
  const keep = (error: EvaluationError, found: Explanation) => {
    why = found;
    return error;
  };
  try {
    return { errors: builtinErrors, ...(await query.ask(input, options, keep)) };
  } catch (error) {
    if (why === undefined) throw error;
    return { errors: [...outputErrors(error), ...builtinErrors], results: [], why };
  }
}

async function explainedPlan(text: string, results: readonly QuerySolution[]): Promise<Explanation> {
  const { withoutSource } = await import('../../engine/why/why-answer.js');
  return withoutSource(text.trim(), { value: results[0]?.expressions[0]?.value });
}

function builtinError({ code, message }: BuiltinError, location: StatementPlace): OutputError {
  return { ...outputError(new EvaluationError(code, message, location)), isBuiltinError: true };
}
