/**
 * Look-ups of some keys in objects whose rules compute their keys: plans and syntax trees give the
 * same results, conflicts included.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { builtins } from '../../values/builtins/registry.js';
import { toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { testContext } from '../harness/builtins.js';
import { answerOf, planFor } from '../harness/plans.js';
import { randomCases } from '../harness/set-up/random-cases.js';
import { evaluateQuery } from './evaluate.js';

const flatRules = [
  'o[x.k] := x.v if some x in input.xs',
  'o[k] := x.v if { some x in input.xs; k := x.j }',
  'o[k] := v if some [k, v] in input.pairs',
  'o[k] := x.v if { some i, k in input.ks; x := input.xs[i] }',
  'o[input.xs[i].k] := input.xs[i].v',
  'o.a := input.one',
  'o[k] := input.two if k := input.ks[0]',
];
const deepRules = [
  'o[x.k][x.j] := x.v if some x in input.xs',
  'o[k].b := v if some [k, v] in input.pairs',
  'o.a[x.j] := x.v if { some x in input.xs; x.k == "b" }',
  'o[k][k] := input.one if some k in input.ks',
];
const setRules = ['o[x.k] contains x.j if some x in input.xs', 'o.b contains k if some k in input.ks'];

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom(1, 1, 2);
const inputs = fc.record({
  xs: fc.array(fc.record({ k: key, j: key, v: value }), { maxLength: 5 }),
  one: fc.constant(1),
  two: fc.constant(2),
  pairs: fc.array(fc.tuple(key, value), { maxLength: 3 }),
  ks: fc.array(key, { maxLength: 3 }),
});
const rules = fc
  .constantFrom(flatRules, deepRules, setRules)
  .chain((all) => fc.subarray(all, { minLength: 1, maxLength: Math.min(3, all.length) }));

async function expectSame(own: readonly string[], query: string, input: Value): Promise<void> {
  const module = own.join('\n');
  const named = parseModule('t.rego', `package t\n${module}`);
  const found = evaluateQuery([named].values(), parseQuery(query), { input, data: {}, builtins, context: testContext() });
  const wanted = found.kind === 'solutions' ? toJson([...found.solutions]) : 'eval_conflict_error';
  expect(await answerOf(planFor(module, query), input, {}), `${module}\n${query}`).toBe(wanted);
}

const runs = randomCases(150);

test('plans and the evaluator agree at the requested keys', { timeout: Math.max(60_000, runs * 100) }, async () => {
  const asked = fc.constantFrom('data.t.o.a', 'data.t.o.a.b', 'data.t.o["b"]', 'data.t.o[input.ks[0]]', 'data.t.o.c.c', 'data.t.o');
  await fc.assert(
    fc.asyncProperty(rules, asked, inputs, (own, path, input) => expectSame(own, `x = ${path}`, input)),
    { numRuns: runs },
  );
});
