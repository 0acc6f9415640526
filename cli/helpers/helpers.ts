/**
 * Threads and processes that commands start to help them: this program again, with an argument
 * that names the work.
 */

import {
  evaluationArgument,
  mutantThreadArgument,
  queryArgument,
  solverArgument,
  testThreadArgument,
} from './helper-arguments.js';

/** The work that an argument names; undefined for the arguments of users. */
export function helperOf(argument: string | undefined): (() => Promise<void>) | undefined {
  switch (argument) {
    case evaluationArgument:
      return async () => (await import('../../engine/threads/worker.js')).serveEvaluations();
    case testThreadArgument:
      return async () => await (await import('../tester/worker.js')).runTests();
    case mutantThreadArgument:
      return async () => await (await import('../tester/mutation/worker.js')).tryMutants();
    case queryArgument:
      return async () => (await import('../logs/answer-query.js')).answerQuery();
    case solverArgument:
      return async () => (await import('../change/answer-solver.js')).answerSolver();
    default:
      return undefined;
  }
}
