/** Evaluates a body expression by expression, and notes how far it comes. */

import { type Body, nowhere, type Term } from '../../../compiler/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import type { Steps, Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import type { QueryEnvironment } from '../environment.js';
import type { Next } from '../machine.js';
import { locatedInQuery } from '../query-errors.js';
import type { Search } from '../search.js';
import { isBoundTerm } from '../term-value.js';
import { matchTerm } from '../unify.js';
import { evaluateWith } from '../with.js';
import { type Attempts, fewSamples, type Sample, type Searching, type WhyProbe } from './explaining.js';

/** A frame with the variables of a state. */
export function frameOf({ values }: Sample): Frame {
  const frame = new Frame(undefined, undefined, nowhere);
  for (const [name, value] of values) frame.values.set(name, value);
  return frame;
}

/**
 * Evaluates a body from a state.
 * @param isEnough whether to end with a solution, given its state; otherwise all are visited
 */
export function* probe(
  explaining: Searching,
  body: Body,
  start: Sample,
  isEnough: (end: Sample) => boolean = () => false,
): Steps<WhyProbe> {
  const search = explaining.search(start.environment);
  const { machine } = search;
  const frame = frameOf(start);
  const state = (): Sample => {
    machine.worked(frame.values.size);
    return { values: new Map(frame.values), environment: machine.environment, given: start.given };
  };
  const attempts: Attempts[] = body.map((expr) => ({ expr, count: 0, samples: [] }));
  const ends: Sample[] = [];
  let solutions = 0;
  let last = 0;
  let first = 0;
  const from = (i: number): Next => {
    const attempt = attempts[i];
    if (attempt === undefined) {
      solutions++;
      const end = state();
      if (ends.length < fewSamples) ends.push(end);
      // The rules that have answered still look for conflicts.
      if (isEnough(end)) machine.cut(first);
      return machine.fail();
    }
    last = i;
    if (attempt.count++ < fewSamples) attempt.samples.push(state());
    return search.body([attempt.expr], frame, () => from(i + 1));
  };
  const error = yield* runCatching(search, () => {
    first = machine.push(() => undefined);
    return from(0);
  });
  return { body, attempts, solutions, ends, error, last };
}

/** Errors that end the explanation too: out of time, cancelled, faults of the engine. */
const fatal: ReadonlySet<string> = new Set(['eval_cancel_error', 'eval_internal_error', 'eval_preempted_error']);

/** Runs a search; returns an error of the policy, and throws any other. */
export function* runCatching(search: Search, first: Next): Steps<EvaluationError | undefined> {
  const { environment } = search.machine;
  // Most searches are too short for a pause of their own.
  yield;
  try {
    yield* search.machine.runInSteps(first);
    return undefined;
  } catch (thrown) {
    const error = locatedInQuery(thrown, search.frame);
    if (error instanceof EvaluationError && !fatal.has(error.code)) {
      environment.forget();
      return error;
    }
    throw error;
  }
}

/** The values of a term in a state. */
export interface TermValues {
  /** The first few, with the state that each is found in. */
  readonly found: readonly { readonly value: Value; readonly sample: Sample }[];
  readonly count: number;
  readonly error?: EvaluationError | undefined;
}

/** Nothing is found for a variable without a value. */
export function* probedValues(explaining: Searching, term: Term, sample: Sample): Steps<TermValues> {
  const found: { value: Value; sample: Sample }[] = [];
  const frame = frameOf(sample);
  let count = 0;
  if (!isBoundTerm(term, frame)) return { found, count };
  const search = explaining.search(sample.environment);
  const { machine } = search;
  const error = yield* runCatching(search, () =>
    search.operand(term, frame, (value) => {
      if (count++ < fewSamples) found.push({ value, sample: { ...sample, values: new Map(frame.values) } });
      return machine.fail();
    }),
  );
  return { found, count, ...(error && { error }) };
}

/**
 * The state in which an expression with `with` modifiers is evaluated. Undefined where they end
 * with an error, or have no value: the expression is not evaluated then.
 */
export function* within(
  explaining: Searching,
  modifiers: Parameters<typeof evaluateWith>[1],
  sample: Sample,
): Steps<Sample | undefined> {
  if (modifiers.length === 0) return sample;
  const search = explaining.search(sample.environment);
  let environment: QueryEnvironment | undefined;
  const evaluate = (): Next => {
    environment = search.machine.environment;
    return undefined;
  };
  const error = yield* runCatching(search, () =>
    evaluateWith(search, modifiers, frameOf(sample), evaluate, () => undefined),
  );
  return error === undefined && environment !== undefined ? { ...sample, environment } : undefined;
}

/** A state with terms matched to values, or the first pair that does not match. */
export function matched(
  explaining: Searching,
  pairs: readonly (readonly [Term, Value])[],
  environment: QueryEnvironment,
): Sample | readonly [Term, Value] {
  const { machine } = explaining.search(environment);
  const frame = new Frame(undefined, undefined, nowhere);
  const order = [...pairs].sort(([a], [b]) => Number(b.type === 'var') - Number(a.type === 'var'));
  for (const pair of order) if (!matchTerm(machine, pair[0], pair[1], frame)) return pair;
  return { values: frame.values, environment };
}

export function isSample(result: Sample | readonly [Term, Value]): result is Sample {
  return 'environment' in result;
}
