/** Traces the evaluation of a query. */

import type { Body } from '../../../compiler/index.js';
import type { Evaluation } from '../../../runtime/index.js';
import type { Steps, Value } from '../../../values/index.js';
import { QueryEnvironment } from '../environment.js';
import { locatedInQuery } from '../query-errors.js';
import type { SearchProgram } from '../search.js';
import type { Tracer } from '../tracer.js';
import { TracedSearch } from './traced-search.js';

interface Documents {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
}

/** The bindings of a solution: generated variables are among them. */
type Solution = ReadonlyMap<string, Value>;

/**
 * Evaluates a compiled query for its events. Throws an EvaluationError, or a Suspension where a
 * built-in has to wait.
 */
export function* traceQuery(
  program: SearchProgram,
  body: Body,
  documents: Documents,
  evaluation: Evaluation,
  tracer: Tracer,
): Steps<readonly Solution[]> {
  const search = new TracedSearch(program, evaluation, new QueryEnvironment(documents), tracer, body);
  const { frame } = search;
  const solutions: Solution[] = [];
  const first = search.solve(body, () => {
    solutions.push(new Map(frame.values));
    return search.machine.fail();
  });
  try {
    yield* search.machine.runInSteps(first);
  } catch (error) {
    throw locatedInQuery(error, search.frame);
  }
  return solutions;
}
