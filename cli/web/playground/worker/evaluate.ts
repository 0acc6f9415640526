/** Evaluates the query of the page: result, prints, and what happened on each line. */

import { loadPatterns } from '../../../../compiler/index.js';
import { type Policy, verify } from '../../../../ir-schema/index.js';
import { AnswerRecord, Evaluation, interpretPlan, loadLibraries, Suspension } from '../../../../runtime/index.js';
import { builtins, type Value } from '../../../../values/index.js';
import { lineStates, ObservedPolicy } from '../../../../views/index.js';
import { describe, readDocument, resultText } from '../../worker/shown-results.js';
import { type OpenedProject, type OpenProjects, readData } from './opened-project.js';
import { plannedQuery, queryName } from './planned-query.js';
import { projectProblems, warningsOf } from './problems.js';
import type { Printed, ProjectAnswer, ProjectQuestion } from './protocol.js';

/**
 * The errors of policies and of the query are problems of the answer, and told together with that
 * of a document that cannot be read.
 */
export async function evaluate(projects: OpenProjects, asked: ProjectQuestion): Promise<ProjectAnswer> {
  const data = attempt(() => readData(asked.data));
  const input = attempt(() => readDocument('input', asked.input));
  const faults = [data, input].flatMap(({ error }) => error ?? []);
  const withFaults = {
    ...(faults.length > 0 && { error: faults.join('\n') }),
    prints: [],
    lines: [],
    milliseconds: { compile: 0, evaluate: 0 },
  };
  try {
    const project = await projects.open(data.error === undefined ? asked : { ...asked, data: '' });
    const { policy, compiled } = plannedQuery(project, asked.query);
    await loadPatterns(project.compiled);
    const warnings = warningsOf(project, compiled.body);
    if (faults.length > 0) return { problems: [], warnings: data.error === undefined ? warnings : [], ...withFaults };
    return { problems: [], warnings, ...(await run(project, policy, input.value)) };
  } catch (error) {
    return { problems: projectProblems(error), warnings: [], ...withFaults };
  }
}

/** The value of a function, or the text of its error. */
function attempt<T>(read: () => T): { readonly value?: T; readonly error?: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: describe(error) };
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
