/** The answers of the engine in the page. */

import {
  compileOrThrow,
  compileQuery,
  debugInfo,
  parseModule,
  parseQuery,
  plan,
  recordedOrigins,
} from '../../../compiler/index.js';
import { captured, createContext } from '../../../engine/index.js';
import { verify } from '../../../ir-schema/index.js';
import { AnswerRecord, Evaluation, interpretPlan, loadLibraries } from '../../../runtime/index.js';
import { builtins, type Value } from '../../../values/index.js';
import { explainPasses, ObservedPolicy, recordPlan } from '../../../views/index.js';
import { inspectedPlan } from '../data/inspected-plan.js';
import { openedRecording } from '../data/opened-recording.js';
import type { PassState, RequestName, Requests } from './protocol.js';
import { describe, readDocument, resultText } from './shown-results.js';

/** More events are counted and not kept. */
const mostEvents = 1_000_000;
/** Letters of a value. */
const longestValue = 400;

/** The name of the plan of a query. */
const queryName = 'query';

type Answers = {
  readonly [name in RequestName]: (
    ask: Requests[name]['ask'],
  ) => Requests[name]['answer'] | Promise<Requests[name]['answer']>;
};

export const answers: Answers = {
  run: async ({ policy, entrypoint, documents }) => {
    const input = readDocument('input', documents.input);
    const data = readDocument('data', documents.data) ?? {};
    // The page holds plans as their files have them.
    await loadLibraries(verify(policy, builtins), builtins);
    const context = createContext({ host: {} });
    const known = new AnswerRecord();
    const evaluation = new Evaluation(context, {}, known);
    let results: readonly Value[] = [];
    let error: string | undefined;
    try {
      results = interpretPlan(policy, { plan: entrypoint, input, data }, builtins, evaluation);
    } catch (problem) {
      error = describe(problem);
    }
    const question = {
      query: entrypoint,
      input,
      data,
    };
    // The same answers of built-ins that may answer otherwise next time.
    const options = { known: known.nondeterministic, timeNs: evaluation.timeNs };
    const runs = [{ policy: new ObservedPolicy(policy), entrypoint }];
    const recording = recordPlan(
      runs,
      question,
      { builtins, context, options },
      { limit: mostEvents, size: longestValue },
    );
    return {
      run: recording.runs[0]!,
      ...(results.length > 0 && { result: resultText(results) }),
      ...(error !== undefined && { error }),
    };
  },

  passes: ({ policy }) => [
    { name: 'as planned', does: '', policy },
    ...explainPasses(policy, 2).map(({ name, does, after }): PassState => ({ name, does, policy: after })),
  ],

  open: ({ text }) => openedRecording(text),

  plan: ({ query, sources, debug }) => {
    const planned = sources.filter(({ isOriginal }) => isOriginal !== true);
    const modules = new Map(planned.map(({ file, text }) => [file, parseModule(file, text)]));
    const authors = new Map(
      sources.flatMap(({ file, text, isOriginal }) => (isOriginal ? [[file, text] as const] : [])),
    );
    const origins = debug && authors.size > 0 ? recordedOrigins(debug, authors, modules) : undefined;
    const compiled = compileOrThrow({ modules, options: { print: true } });
    const { body } = captured(parseQuery(query), { compiled, package: undefined, imports: [] });
    const request = { name: queryName, query: compileQuery(compiled, body) };
    const policy = plan(compiled, [request], { notes: true, origins });
    const info = debugInfo(policy, compiled, origins && { origins });
    return { plan: inspectedPlan(policy, info), entrypoint: queryName };
  },
};
