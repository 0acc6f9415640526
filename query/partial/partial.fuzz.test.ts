/**
 * Random policies: the residual of a query, evaluated with the values of the unknowns, has the
 * solutions of the query. `WRIT_RUNS=100000` runs more policies, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import type { Body } from '../../compiler/ast/nodes.js';
import { printBody } from '../../compiler/ast/print.js';
import { varsOf } from '../../compiler/ast/vars.js';
import { compileQuery } from '../../compiler/pipeline.js';
import type { Compiled, CompiledQuery } from '../../compiler/resolve/compiled.js';
import type { CompiledRule } from '../../compiler/resolve/compiled-rule.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { ParseOptions } from '../../compiler/syntax/options.js';
import { parseQuery, parseTerm } from '../../compiler/syntax/query.js';
import { CacheSet } from '../../runtime/builtins/cache.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { EvaluationError } from '../../runtime/evaluation/errors.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { compare } from '../../runtime/values/compare.js';
import { toJson } from '../../runtime/values/json/json.js';
import { RegoSet } from '../../runtime/values/set.js';
import { allAtOnce } from '../../runtime/values/steps.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { PolicyGenerator } from '../../test/generators/policy-generator.js';
import { compiledPolicy, data, inputs, isPlannable, textsOf } from '../../test/generators/random-policy.js';
import { Environment } from '../environment.js';
import { prepareQueries } from '../evaluate.js';
import { Machine } from '../machine.js';
import { programFor } from '../program.js';
import { QuerySearch } from '../query-search.js';
import { RuleIndex } from '../rule-index.js';
import { type PartialResult, partialSteps } from './partial.js';
import { moduleText, writtenBody } from './residual/source.js';

const unknownChoices = [
  ['input'],
  ['input.a'],
  ['input.b', 'input.n'],
  ['data.d'],
  ['data.d.a', 'input.o'],
  ['input.p[0]'],
  ['input.a[0][1]', 'input.a.a[0]', 'input.b[0].a', 'input.o.a.x'],
  ['data.e', 'input'],
  [],
];

/** With the keywords of the policies: a residual may have an `or`, and `not` has their meaning. */
function queryOptions([first]: readonly string[]): ParseOptions {
  return { futureKeywords: ['and', 'or', ...(first!.includes('import future.keywords.not') ? ['not'] : [])] };
}

function evaluation(): Evaluation {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  return new Evaluation(context, { timeMs: 20_000, timeNs: 0n, random: () => 0.5 }, new AnswerRecord());
}

/** Bodies in the order of their text, as the residual has them: no guard of a rule comes first. */
class TextOrder extends RuleIndex {
  override bodyOf(body: Body): Body {
    return body;
  }

  override candidatesOf(document: VirtualDocument): readonly CompiledRule[] {
    return this.rulesOf(document);
  }
}

/** Whether the rules of a conflict are the policy's own, which the residual does not change. */
function isInPolicy({ message }: EvaluationError, texts: readonly string[]): boolean {
  return Number(/^\d+/.exec(message)![0]) < texts.length;
}

/** Whether a query comes to a conflict in the order of the text. */
async function failsInTextOrder(compiled: Compiled, query: CompiledQuery, input: Value | undefined): Promise<boolean> {
  const program = await programFor(compiled, [query.body]);
  const rows = new Map([...program.builtins].map(([name, { row }]) => [name, row] as const));
  const inOrder = { ...program, index: new TextOrder(program.root, rows) };
  const run = evaluation();
  const machine = new Machine(new Environment({ input, data }), run.meter);
  try {
    new QuerySearch(inOrder, run, machine).query(query, () => {});
    return false;
  } catch (error) {
    return error instanceof EvaluationError && error.code === 'eval_conflict_error';
  }
}

/** The solutions of queries together, with the given variables. */
async function solutions(
  compiled: Compiled,
  queries: readonly Body[],
  names: ReadonlySet<string>,
  input: Value | undefined,
): Promise<string> {
  const all = new RegoSet();
  for (const body of queries) {
    if (body.length === 0) {
      all.add({});
      continue;
    }
    const query = compileQuery(compiled, body, { unifies: true });
    const bad = query.diagnostics.filter(({ code }) => code !== 'rego_type_error');
    if (bad.length > 0) return `the residual does not compile: ${bad.map(({ message }) => message).join()}`;
    const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
    for (const solution of executable.run(0, input, data, evaluation())) {
      all.add(Object.fromEntries(Object.entries(solution as PlainObject).filter(([name]) => names.has(name))));
    }
  }
  return toJson([...all].sort(compare));
}

function shown({ queries, support }: PartialResult): string {
  const modules = support.map((module) => moduleText(module));
  return [...queries.map((body) => `residual ${printBody(writtenBody(body))}`), ...modules].join('\n');
}

/** Another answer than the whole; undefined if it is the same. */
async function difference(
  texts: readonly string[],
  text: string,
  input: Value | undefined,
  unknowns: readonly string[],
  shallow: boolean,
): Promise<string | undefined> {
  const compiled = compiledPolicy(texts);
  if (compiled === undefined) return 'skipped';
  const parsedQuery = parseQuery(text, queryOptions(texts));
  const query = compileQuery(compiled, parsedQuery, { unifies: true });
  if (!isPlannable(query.diagnostics)) return 'skipped';
  const names = new Set([...varsOf(query.body)].filter((name) => !/^(?:\$|__local)/.test(name)));
  let whole: string;
  try {
    whole = await solutions(compiled, [parsedQuery], names, input);
  } catch (error) {
    if (error instanceof EvaluationError) return 'skipped';
    throw error;
  }
  const program = await programFor(compiled, [query.body]);
  const options = { unknowns: unknowns.map((one) => parseTerm(one)), shallowInlining: shallow };
  let residual: PartialResult;
  try {
    residual = allAtOnce(partialSteps(program, query, { input, data }, evaluation(), options));
  } catch (error) {
    return error instanceof EvaluationError ? 'conflict' : `crash: ${(error as Error).stack}`;
  }
  let again: string;
  try {
    const support = residual.support.map((module) => moduleText(module));
    const extended = compiledPolicy([...texts, ...support]);
    if (extended === undefined) return `the modules do not compile\n${shown(residual)}`;
    const queries = residual.queries.map((body) =>
      body.length === 0 ? body : parseQuery(printBody(writtenBody(body)), queryOptions(texts)),
    );
    again = await solutions(extended, queries, names, input);
  } catch (error) {
    // A guard may hide the conflict of an expression before it, and a ref that a residual has as
    // its last expression the conflict of one that stood behind it.
    const isConflict = error instanceof EvaluationError && error.code === 'eval_conflict_error';
    if (isConflict && (isInPolicy(error, texts) || (await failsInTextOrder(compiled, query, input)))) return 'hidden';
    return `the residual fails: ${(error as Error).message}\n${shown(residual)}`;
  }
  return again === whole ? undefined : `whole ${whole}, residual ${again}\n${shown(residual)}`;
}

const runs = Number(process.env.WRIT_RUNS ?? 100);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);
/** They once differed. */
const known = [9112, 9138, 500027, 501397, 502266, 600014, 600572, 600688, 700108, 901989, 902003];

test('a residual with the unknowns filled in gives the decision', { timeout: 36_000_000 }, async () => {
  const different: string[] = [];
  const counts = { same: 0, skipped: 0, conflict: 0, hidden: 0 };
  for (const seed of [...known, ...Array.from({ length: runs }, (_, i) => start + i)]) {
    const generator = new PolicyGenerator(seed);
    const policy = generator.policy();
    const input = inputs[generator.below(inputs.length)];
    const unknowns = unknownChoices[generator.below(unknownChoices.length)]!;
    const shallow = generator.below(4) === 0;
    const texts = textsOf(policy, false, false);
    let found: string | undefined;
    try {
      found = await difference(texts, policy.query, input, unknowns, shallow);
    } catch (error) {
      found = `crash: ${(error as Error).stack}`;
    }
    if (found === undefined) counts.same++;
    else if (found === 'skipped' || found === 'conflict' || found === 'hidden') counts[found]++;
    else {
      different.push(
        `seed ${seed}: ${found}\n${texts.join('\n')}\nquery ${policy.query}\ninput ${toJson(input ?? null)}\nunknowns ${unknowns.join()} ${shallow}`,
      );
      if (process.env.WRIT_RUNS) console.log(different.at(-1));
    }
  }
  if (process.env.WRIT_RUNS) console.log(`of ${runs}: ${JSON.stringify(counts)}; ${different.length} differ`);
  expect(different.slice(0, 5).join('\n\n')).toBe('');
  expect(counts.same).toBeGreaterThan(runs / 4);
  expect(counts.hidden).toBeLessThan(3 + runs / 500);
});
