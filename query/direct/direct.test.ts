/** Rules that are evaluated directly, and rules that need the search. */
import { expect, test } from 'vitest';
import { CacheSet } from '../../builtins/cache.js';
import { nodeHost } from '../../builtins/host/node.js';
import { documentAt } from '../../compiler/resolve/virtual-document.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { compileFor } from '../../test/harness/plans.js';
import { toJson } from '../../values/json/json.js';
import { Frame } from '../bindings.js';
import { childOf } from '../child-document.js';
import { Environment } from '../environment.js';
import { Machine } from '../machine.js';
import { programFor } from '../program.js';
import { QuerySearch } from '../query-search.js';
import { evaluateDirectly } from './direct.js';

const data = { xs: Array.from({ length: 6000 }, (_, i) => ({ id: i, kind: i % 2 === 0 ? 'a' : 'b' })) };

/** The result of `data.t.p` as JSON; `search` where it needs the search. */
async function direct(rules: string, isStepped = false): Promise<string | undefined> {
  const compiled = compileFor([`package t\n${rules}`, 'package u\nq := 1'], { print: true });
  const program = await programFor(compiled, []);
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const evaluation = new Evaluation(context, {}, new AnswerRecord());
  const machine = new Machine(new Environment({ input: { a: [1, 2, 3] }, data }), evaluation.meter);
  machine.isStepped = isStepped;
  const search = new QuerySearch(program, evaluation, machine);
  const document = childOf(childOf(documentAt(compiled.ruleTree, []), 't')!, 'p')!;
  const found = evaluateDirectly(search, document, [], new Frame(undefined, undefined, document.rules[0]!.rule.loc));
  if (found === undefined) return 'search';
  return found.value === undefined ? undefined : toJson(found.value);
}

test.each([
  ['a rule over the input', 'p if some x in input.a\nq := 1', 'true'],
  ['no solution', 'p if input.a[5]', undefined],
  ['a default', 'default p := 7\np := 1 if input.z', '7'],
  ['an else', 'p := 1 if input.z else := 2 if input.a else := 3', '2'],
  ['a function with patterns', 'p := f([1, 2])\nf([x, y]) := x + y\nf({"a": x}) := x', '3'],
  ['a set', 'p contains x if { some x in input.a; not x == 2 }', '[1,3]'],
  ['an object', 'p[k] := v if { some k, v in {"a": 1, "b": 2}; v > 1 }', '{"b":2}'],
  ['nested comprehensions', 'p := {x: ys | some x in input.a; ys := [y | some y in input.a; y > x]}', '{"1":[2,3],"2":[3],"3":[]}'],
  [
    'groups',
    'p := [{k: ns} | some k in [1, 2, 1]; ns := [y | some x in input.a; y := x * k]]',
    '[{"1":[1,2,3]},{"2":[2,4,6]},{"1":[1,2,3]}]',
  ],
  ['a variable as key and value of one ref', 'p := [x | some x; input.a[x] = x]\nq := [x | input.n[x]]', '[]'],
  ['every', 'p if every i, x in input.a { x == i + 1 }', 'true'],
  ['a scan by an index', 'p := [n | some k in [1, 2, 3]; some x in data.xs; x.id == k; n := x.kind]', '["b","a","b"]'],
  ['a relation', 'p contains v if walk(input.a, [[_], v])', '[1,2,3]'],
])('directly: %s', async (_title, rules, value) => expect(await direct(rules)).toBe(value));

test.each([
  ['a modifier', 'p := x if x := q with input.a as [7]\nq := input.a'],
  ['print', 'p if print("x")'],
  ['a package', 'p := data.u'],
  ['one key of a set', 'p := q["x"]\nq contains x if x := "x"'],
  ['a rule that another one reads', 'p := q + 1\nq := r\nr := x if x := 1 with input.a as 2'],
])('by the search: %s', async (_title, rules) => expect(await direct(rules)).toBe('search'));

test('long work in steps is left to the search, short work is not', async () => {
  const rules = 'p := count([1 | some x in data.xs; x.kind != "z"])';
  expect(await direct(rules)).toBe('6000');
  expect(await direct(rules, true)).toBe('search');
  expect(await direct('p := count([1 | some x in input.a; x != "z"])', true)).toBe('3');
});

test('an error has the place of its expression and the rules that led there', async () => {
  const found = direct('p := q + 1\nq := r\nr := 1\nr := 2 if input.a');
  await expect(found).rejects.toMatchObject({ code: 'eval_conflict_error' });
});
