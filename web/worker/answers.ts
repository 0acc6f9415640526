/** The answers of the engine in the page. */
import { builtins } from '../../builtins/registry.js';
import { compileOrThrow, compileQuery } from '../../compiler/pipeline.js';
import { debugInfo } from '../../compiler/plan/debug-info.js';
import { plan } from '../../compiler/plan/planner.js';
import { recordedOrigins } from '../../compiler/plan/recorded-origins.js';
import { captureMark } from '../../compiler/resolve/local-names.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { captured } from '../../engine/evaluation/query-results.js';
import { ObservedPolicy } from '../../engine/recording/observed-run.js';
import { record } from '../../engine/recording/record.js';
import { createContext } from '../../engine/shared-context.js';
import { explainPasses } from '../../inspect/passes.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { loadLibraries } from '../../runtime/codegen/link.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { interpretPlan } from '../../runtime/vm/plan-interpreter.js';
import { objectGet, objectSize, sortedEntries } from '../../values/compare.js';
import { parseJson, toIndentedJson } from '../../values/json/json.js';
import { isObject, type ObjectValue, type PlainObject, type Value } from '../../values/value.js';
import { inspectedPlan } from '../data/inspected-plan.js';
import { openedRecording } from '../data/opened-recording.js';
import type { PassState, RequestName, Requests } from './protocol.js';

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
      result: undefined,
      value: undefined,
      errors: [],
      sources: [],
      masked: [],
    };
    // The same answers of built-ins that may answer otherwise next time.
    const options = { known: known.nondeterministic, timeNs: evaluation.timeNs };
    const runs = [{ policy: new ObservedPolicy(policy), entrypoint }];
    const recording = record(runs, question, { builtins, context, options }, { limit: mostEvents, size: longestValue });
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

function readDocument(name: string, text: string): Value | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * A plan of a decision binds `result` alone, which is then shown without its name. Of a query
 * without variables the value of the last expression is shown.
 */
function resultText(results: readonly Value[]): string {
  const [only] = results;
  if (results.length === 1 && only !== undefined && isObject(only) && objectSize(only) === 1) {
    const decision = objectGet(only, 'result');
    if (decision !== undefined) return toIndentedJson(decision);
  }
  const solutions = results.map(solutionOf);
  const bindings = solutions.map(({ bound }) => bound);
  if (bindings.some((bound) => Object.keys(bound).length > 0)) return toIndentedJson(bindings);
  const values = solutions.map(({ value }) => value);
  return toIndentedJson(values.length === 1 ? values[0]! : values);
}

/** What a solution binds, and the value of the query's last expression. */
function solutionOf(result: Value): { readonly bound: PlainObject; readonly value: Value } {
  const all = [...sortedEntries(result as ObjectValue)] as readonly (readonly [string, Value])[];
  const [values, bound] = [true, false].map((wanted) =>
    all.filter(([name]) => name.startsWith(captureMark) === wanted),
  );
  const positions = new Map(values!.map(([name, value]) => [Number(name.slice(captureMark.length)), value]));
  return { bound: Object.fromEntries(bound!), value: positions.get(Math.max(...positions.keys())) ?? true };
}

function describe(problem: unknown): string {
  const { code, message } = problem as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? `${code}: ${String(message)}` : String(message ?? problem);
}
