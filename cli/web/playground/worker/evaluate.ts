/** Evaluates the query of the page: result, prints, and what happened on each line. */

import { loadPatterns } from '../../../../compiler/index.js';
import type { Policy } from '../../../../ir-schema/index.js';
import { verify } from '../../../../ir-schema/index.js';
import { AnswerRecord, Evaluation, interpretPlan, loadLibraries, Suspension } from '../../../../runtime/index.js';
import type { Value } from '../../../../values/index.js';
import { builtins } from '../../../../values/index.js';
import { lineStates, ObservedPolicy } from '../../../../views/index.js';
import { describe, readDocument, resultText } from '../../worker/shown-results.js';
import type { OpenedProject, OpenProjects } from './opened-project.js';
import { plannedQuery, queryName } from './planned-query.js';
import { projectProblems, warningsOf } from './problems.js';
import type { Printed, ProjectAnswer, ProjectQuestion } from './protocol.js';

/** Errors of documents reject; those of policies and of the query are problems of the answer. */
export async function evaluate(projects: OpenProjects, asked: ProjectQuestion): Promise<ProjectAnswer> {
  const input = readDocument('input', asked.input);
  try {
    const project = await projects.open(asked);
    const { policy, compiled } = plannedQuery(project, asked.query);
    await loadPatterns(project.compiled);
    const warnings = warningsOf(project, compiled.body);
    return { problems: [], warnings, ...(await run(project, policy, input)) };
  } catch (error) {
    const problems = projectProblems(error);
    return { problems, warnings: [], prints: [], lines: [], milliseconds: { compile: 0, evaluate: 0 } };
  }
}

type Ran = Omit<ProjectAnswer, 'problems' | 'warnings'>;

async function run({ engine, data, compileMs }: OpenedProject, policy: Policy, input: Value | undefined): Promise<Ran> {
  await loadLibraries(verify(policy, builtins), builtins);
  const known = new AnswerRecord();
  const prints: Printed[] = [];
  const onPrint = (line: string, place: string | undefined) =>
    void prints.push({ line, ...(place !== undefined && { place }) });
  const options = { onPrint };
  const started = performance.now();
  let results: readonly Value[] = [];
  let error: string | undefined;
  let evaluation = new Evaluation(engine.context, options, known);
  for (;;) {
    try {
      results = interpretPlan(policy, { plan: queryName, input, data }, builtins, evaluation);
    } catch (problem) {
      if (problem instanceof Suspension) {
        // A built-in waits for the network: the evaluation runs again with what it got.
        await known.answer(problem, AbortSignal.timeout(longestWaitMs));
        prints.length = 0;
        evaluation = new Evaluation(engine.context, options, known);
        continue;
      }
      error = describe(problem);
    }
    break;
  }
  const milliseconds = { compile: compileMs, evaluate: performance.now() - started };
  // The same results of non-deterministic built-ins; prints come once.
  const same = { known: known.nondeterministic, timeNs: evaluation.timeNs, onPrint: () => undefined };
  const setting = { builtins, context: engine.context, options: same, documents: { input, data } };
  return {
    ...(results.length > 0 && { result: resultText(results) }),
    ...(error !== undefined && { error }),
    prints,
    lines: lineStates(new ObservedPolicy(policy), queryName, setting),
    milliseconds,
  };
}

/** The longest that one request of a built-in may take. */
const longestWaitMs = 5000;
