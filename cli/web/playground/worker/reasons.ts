/** Why a query has its answer, and the steps of its evaluation. */

import { explainAnswer, explanationText, type GivenAnswer, notedAnswers } from '../../../../engine/index.js';
import { verify } from '../../../../ir-schema/index.js';
import { EvaluationError, loadLibraries } from '../../../../runtime/index.js';
import { allAtOnce, builtins } from '../../../../values/index.js';
import { readDocument } from '../../worker/shown-results.js';
import type { OpenProjects } from './opened-project.js';
import { askedPath, plannedQuery } from './planned-query.js';
import type { ProjectQuestion } from './protocol.js';

/** More lines of a trace are counted and not shown. */
const mostLines = 2000;

/** Rejects with CompileErrors. */
export async function why(projects: OpenProjects, asked: ProjectQuestion): Promise<{ readonly text: string }> {
  const project = await projects.open(asked);
  const { engine, compiled, data } = project;
  const input = readDocument('input', asked.input);
  const { policy, question } = plannedQuery(project, asked.query);
  await loadLibraries(verify(policy, builtins), builtins);
  const noted = notedAnswers({ timeMs: 5000, onPrint: () => undefined });
  let answer: GivenAnswer;
  try {
    const path = askedPath(asked.query);
    answer =
      path === undefined
        ? {
            value: await engine.query(asked.query, input, noted.options, (solutions) =>
              solutions.length > 0 ? true : undefined,
            ),
          }
        : { value: await engine.decide(path, input, noted.options, ({ value }) => value) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    answer = { value: undefined, error };
  }
  const answered = { question, answer, documents: { input, data } };
  return { text: explanationText(await explainAnswer(compiled, answered, engine.context, {}, noted)) };
}

/** Rejects with CompileErrors. */
export async function trace(
  projects: OpenProjects,
  asked: ProjectQuestion,
): Promise<{ readonly lines: readonly string[]; readonly left: number }> {
  const { engine } = await projects.open(asked);
  const options = { mode: 'full', known: new Map(), prints: true, timeMs: 5000 } as const;
  const found = await engine.trace({ query: asked.query }, readDocument('input', asked.input), options);
  const lines = allAtOnce(found.toText());
  return { lines: lines.slice(0, mostLines), left: Math.max(0, lines.length - mostLines) };
}
