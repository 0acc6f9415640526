/** Evaluates a query once or several times, with metrics and profiles. */
import type { CompileCapabilities } from '../../compiler/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import { givenCapabilities, languageVersion } from '../compile-flags.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { withParseErrors } from '../load-policies.js';
import { outputErrors } from '../output/failures.js';
import type { AggregatedProfile, Output } from '../output/output.js';
import { wantsMetrics } from './eval-flags.js';
import { checkCapabilities, type EvalSources, loadSources, readInput } from './eval-sources.js';
import { evaluateOnce } from './evaluate-once.js';
import { NotedRound } from './plan-results.js';
import type { ExpressionProfile } from './profile.js';
import { Timers } from './timers.js';

interface Round {
  readonly output: NotedOutput;
  readonly metrics: PlainObject;
}

/** An evaluation, with the sources and documents for evaluating its plan again. */
export interface NotedOutput extends Output {
  readonly again?: {
    readonly sources: EvalSources;
    readonly input: Value | undefined;
    readonly capabilities: CompileCapabilities | undefined;
    readonly noted: NotedRound;
  };
}

/**
 * Loads, then evaluates `--count` times; the results are those of the first round.
 * @param notes whether the plan is evaluated again for those who watch
 */
export async function evaluateRounds(
  queryText: string,
  flags: FlagValues,
  io: Io,
  notes = false,
): Promise<NotedOutput> {
  const count = flags.number('count') ?? 1;
  const withMetrics = wantsMetrics(flags);
  const capabilities = await givenCapabilities(flags);
  const loading = new Timers(withMetrics);
  const input = await readInput(flags, io);
  let sources: EvalSources;
  try {
    sources = await loadSources(flags, loading);
    if (capabilities !== undefined) checkCapabilities(sources.bundle, capabilities);
  } catch (error) {
    return {
      errors: outputErrors(withParseErrors(error, { version: languageVersion(flags), capabilities })),
      results: [],
      ...(withMetrics && { metrics: loading.metrics }),
    };
  }
  const rounds: Round[] = [];
  for (let i = 0; i < count; i++) {
    const timers = new Timers(withMetrics);
    const noted = notes && i === 0 ? new NotedRound() : undefined;
    const evaluated = await evaluateOnce(sources, queryText, input, { flags, timers, io, capabilities, noted });
    const output: NotedOutput = { ...evaluated, ...(noted && { again: { sources, input, capabilities, noted } }) };
    rounds.push({ output, metrics: { ...(i === 0 && loading.metrics), ...timers.metrics } });
  }
  const { output, metrics } = rounds[0]!;
  if (!withMetrics) return output;
  if (count === 1) return { ...output, metrics };
  const { statistics } = await import('./statistics.js');
  const samples = (name: string) =>
    rounds.map((round) => round.metrics[name]).filter((sample) => typeof sample === 'number');
  const numbers = Object.keys(metrics).filter((name) => typeof metrics[name] === 'number');
  const { profile, ...rest } = output;
  return {
    ...rest,
    // Histograms of one round are none of all rounds.
    aggregatedMetrics: Object.fromEntries(numbers.map((name) => [name, statistics(samples(name))])),
    ...(profile && { aggregatedProfile: aggregatedProfile(profile, rounds, statistics) }),
  };
}

/** The lines of the first round, with statistics of their times over all rounds. */
function aggregatedProfile(
  profile: readonly ExpressionProfile[],
  rounds: readonly Round[],
  statistics: (samples: readonly number[]) => PlainObject,
): AggregatedProfile[] {
  return profile.map(({ total_time_ns: _, ...line }) => {
    const { file, row } = line.location;
    const samples = rounds.flatMap(({ output }) =>
      (output.profile ?? [])
        .filter(({ location }) => location.file === file && location.row === row)
        .map((each) => each.total_time_ns),
    );
    return { total_time_ns_stats: statistics(samples), ...line };
  });
}
