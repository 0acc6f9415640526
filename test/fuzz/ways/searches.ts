/** Queries over syntax trees: the evaluator, its traces, and the oracle of the tests. */

import { compileQuery } from '../../../compiler/pipeline.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { loadProgram } from '../../../engine/load-program.js';
import { programFor } from '../../../engine/query/search-program.js';
import { Recorder, TraceFull } from '../../../engine/query/trace/output/recorder.js';
import { traceQuery } from '../../../engine/query/trace/trace.js';
import { type GivenAnswer, whyLimits } from '../../../engine/query/why/explaining.js';
import { explanationText } from '../../../engine/query/why/explanation-text.js';
import { prepareExplanation } from '../../../engine/query/why/why.js';
import { EvaluationError } from '../../../runtime/evaluation/evaluation-errors.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { builtins } from '../../../values/builtins/registry.js';
import { allAtOnce } from '../../../values/steps.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { testContext } from '../../harness/builtins.js';
import { prepareQueries } from '../../harness/queries.js';
import { evaluateQuery, type QueryAnswer } from '../../oracle/evaluate.js';
import { unbound } from '../../oracle/evaluation.js';
import { answerOf, errorAnswer } from '../answers.js';
import { planName, refText } from '../policy-case.js';
import { only, planOf } from './programs.js';
import { contextOf, evaluationOf, type Way } from './way.js';

export const evaluator: Way = {
  name: 'evaluator',
  isProgram: false,
  share: 100,
  prepare: async ({ compiled, paths, data, inputs }) => {
    const questions = paths.map((path) => ({ name: planName(path), path }));
    const executable = await prepareQueries(compiled, questions);
    const context = contextOf('never');
    return (path, input) => answerOf(() => executable.decide(path, inputs[input], data, evaluationOf(context)));
  },
};

/** `eval --explain`. */
export const trace: Way = {
  name: 'trace',
  isProgram: false,
  share: 40,
  prepare: async ({ compiled, paths, data, inputs }) => {
    const queries = paths.map((path) => compileQuery(compiled, parseQuery(`traced = ${refText(path)}`)));
    const program = await programFor(
      compiled,
      queries.map(({ body }) => body),
    );
    const context = contextOf('never');
    return (path, input) => {
      const recorder = new Recorder('debug', true);
      try {
        return answerOf(() => {
          const given = { input: inputs[input], data };
          const [first] = allAtOnce(traceQuery(program, queries[path]!.body, given, evaluationOf(context), recorder));
          return first && new Map(first).get('traced');
        });
      } catch (error) {
        if (error instanceof TraceFull) return { skipped: 'traces that are too long' };
        throw error;
      }
    };
  },
};

/** As the text says, with nothing of the compiler. */
export const oracle: Way = {
  name: 'oracle',
  isProgram: false,
  share: 60,
  prepare: async ({ modules, regoVersion, paths, data, inputs }) => {
    const parsed = [...modules].map(([name, text]) => parseModule(name, text, { regoVersion }));
    const queries = paths.map((path) => parseQuery(`answer = ${refText(path)}`));
    const context = testContext(nodeHost, { strict: false, timeNs: 0n });
    return (path, input) => {
      const found = foundBy(() =>
        evaluateQuery(parsed, queries[path]!, { input: inputs[input], data, builtins, context, passesBadPaths: true }),
      );
      if (found === undefined) return { skipped: 'the oracle has no order for the expressions' };
      if (found.kind !== 'solutions') return { skipped: 'the oracle comes to errors, and to queries that are too long, in its own order' };
      if (!found.isOrdered) return { skipped: 'the oracle has no order for the expressions' };
      return { value: ([...found.solutions][0] as PlainObject | undefined)?.answer as Value | undefined };
    };
  },
};

/** Undefined where it comes to a variable before its value, as in heads and below `not`. */
function foundBy(evaluate: () => QueryAnswer): QueryAnswer | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error === unbound) return undefined;
    throw error;
  }
}

/** `--why`: each decision has an explanation, whose search comes to the value of the decision. */
export const why: Way = {
  name: 'why',
  isProgram: false,
  share: 100,
  prepare: async (subject, random) => {
    const { compiled, policy, paths, data, inputs } = subject;
    const executable = await loadProgram(policy, builtins);
    const context = contextOf('never');
    const settings = { limits: { ...whyLimits, depth: random(4) }, masked: [] };
    const hasMadeNames = [...subject.modules.values()].some((text) => madeName.test(text));
    return async (path, input) => {
      const documents = { input: inputs[input], data };
      const answer = givenBy(() => only(executable.run(planOf(executable, subject, path), documents.input, data, evaluationOf(context))));
      const explain = await prepareExplanation(compiled, { path: paths[path]! }, answer, settings);
      const { explanation, evaluated } = allAtOnce(explain(documents, evaluationOf(context)));
      const outcome = answer.error !== undefined ? 'error' : answer.value === undefined ? 'undefined' : 'value';
      if (explanation.outcome !== outcome) return { problem: `explained as ${explanation.outcome}` };
      if (!hasMadeNames && madeName.test(explanationText(explanation)))
        return { problem: `generated names: ${explanationText(explanation)}` };
      const { value, error } = evaluated ?? answer;
      return error === undefined ? { value } : errorAnswer(error);
    };
  },
};

/** A name that the compiler makes. */
const madeName = /__local|\$\d/;

function givenBy(decide: () => Value | undefined): GivenAnswer {
  try {
    return { value: decide() };
  } catch (error) {
    if (error instanceof EvaluationError) return { value: undefined, error };
    throw error;
  }
}
