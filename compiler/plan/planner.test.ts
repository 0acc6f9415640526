import { describe, expect, test } from 'vitest';
import { effectsOf } from '../../ir-schema/effects.js';
import type { Policy } from '../../ir-schema/plan.js';
import { validatePlan } from '../../ir-schema/validate.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { answerOf, compileFor, planFor, statementsOf } from '../../test/harness/plans.js';
import { builtins } from '../../values/builtins/registry.js';
import { plan, planSteps } from './planner.js';

const many = [
  `package rules.a
x contains input.a if input.b`,
  `package rules.b
x := {y | some y in input.c; not data.t.f(y)}`,
  `import data.rules
f(x) := {"a": 1, "b": [2, 3], "c": x} if x > 1
p if { some k in input.k; rules[k].x; every y in [1, 2, 3] { f(y) with data.rules.a.x as {"z"} with count as 3 } }
q[k] := v if { v := rules[k].x }
r := {"a": 1, "b": [2, 3]}
s := {"b": [2, 3], "a": 1}`,
];

function types(texts: string | readonly string[], query = 'data.t.p'): readonly string[] {
  return statementsOf(planFor(texts, query)).map(({ type }) => type);
}

describe('plans', () => {
  test('of the same text are the same', () => {
    const [one, other] = [planFor(many, 'data.t = x'), planFor(many, 'data.t = x')];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  test('are valid, and verify', () => {
    const policy = planFor(many, 'data.t = x');
    validatePlan(policy);
    verify(policy, builtins);
  });

  test('say of each statement where it comes from', () => {
    const policy = planFor(many, 'data.t.p = x');
    for (const { stmt } of statementsOf(policy)) {
      expect(policy.static?.files?.[stmt.file]).toBeDefined();
      expect(stmt).toMatchObject({
        row: expect.any(Number),
        col: expect.any(Number),
        end_row: expect.any(Number),
        end_col: expect.any(Number),
      });
    }
  });

  test('have a place in the text for all that a rule says', () => {
    const policy = planFor('p if {\n\tinput.x == 1\n\tinput.y == 2\n}', 'data.t.p');
    const rows = new Set(
      statementsOf(policy)
        .filter(({ type }) => type === 'EqualStmt')
        .map(({ stmt }) => stmt.row),
    );
    expect([...rows]).toEqual([3, 4]);
  });

  test('call rules by a key that is known at run time dynamically', () => {
    const texts = ['package rules.a\nx := 1', 'package rules.b\nx := 2', 'p := data.rules[input].x'];
    expect(types(texts).filter((type) => type === 'CallDynamicStmt')).toHaveLength(1);
  });

  test('do not where rules stand at different depths', () => {
    const texts = ['package rules.a\nx := 1', 'package rules\nb := {"x": 2}', 'package rules.c.x\ny := 3', 'p := data.rules[input].x'];
    expect(types(texts)).not.toContain('CallDynamicStmt');
  });

  test('build equal literals once', () => {
    const policy = planFor('p := {"a": [1, 2, 3]}\nq := {"a": [1, 2, 3]}\nr := {"a": [1, 2, 4]}', 'data.t = x');
    expect(policy.funcs?.funcs?.filter(({ name }) => name.startsWith('literal.'))).toHaveLength(2);
  });

  test('have two parameters for rules, and one for each argument of a function', () => {
    const policy = planFor('f(x, y) := x + y\np := f(q, 2)\nq := 1', 'data.t.p');
    const params = Object.fromEntries(policy.funcs!.funcs!.map(({ name, params }) => [name, params?.length]));
    expect(params).toEqual({ 'g0.data.t.p': 2, 'g0.data.t.q': 2, 'g0.data.t.f': 4 });
  });

  test('have rules once for equal modifiers', () => {
    const texts =
      'q := count(input.x)\np := [a, b] if { a := q with count as 3 with input.x as 1; b := q with count as 3 with input.x as 2 }';
    expect(planFor(texts, 'data.t.p').funcs!.funcs!.map(({ name }) => name)).toEqual(['g1.data.t.q', 'g0.data.t.p']);
  });

  test('name the file of positions in queries', () => {
    const { files } = planFor('p := 1', 'x := data.t.p').static!;
    expect(files!.map(({ value }) => value)).toEqual(['<query>', '0.rego']);
  });

  test('have a path for each function, each another one', () => {
    const text = 'package u\nq contains [1, 2, 3] if input.x\nr if q[[1, 2, 3]]\no[k] := 1 if some k in q\ns if o[input.k]\no.a.b := 2';
    const paths = planFor([...many, text], 'data = x').funcs!.funcs!.map(({ path }) => path);
    expect(paths.filter((path) => path === undefined || path.length === 0)).toEqual([]);
    expect(new Set(paths.map((path) => JSON.stringify(path))).size).toBe(paths.length);
  });

  test('number no local twice on request, and answer the same', async () => {
    const rules =
      'f(x, y) := x + y\np := [f(1, z) | some z in [1, 2, 3]]\nq := w if { n := 5; w := f(n, count(p)) with count as n }\nr[k] := v if { some k, v in p; v > 2 }';
    const options = { uniqueLocals: true };
    const policy = planFor(rules, 'x = [data.t.p, data.t.q, data.t.r]', options);
    expect(await answerOf(policy)).toBe(await answerOf(planFor(rules, 'x = [data.t.p, data.t.q, data.t.r]')));
    const lists: Policy[] = [{ plans: policy.plans! }, ...policy.funcs!.funcs!.map((func) => ({ funcs: { funcs: [func] } }))];
    const locals = lists.map((list) => {
      const found = new Set(list.funcs?.funcs?.flatMap((func) => [...func.params!, func.return]));
      for (const node of statementsOf(list)) for (const local of [...effectsOf(node).reads, ...effectsOf(node).writes]) found.add(local);
      return [...found].filter((local) => local > 1);
    });
    expect(new Set(locals.flat()).size).toBe(locals.flat().length);
  });

  test('have functions behind those that they call', () => {
    const funcs = planFor(many, 'data.t = x').funcs!.funcs!;
    const names = new Map(funcs.map(({ name }, i) => [name, i]));
    for (const [i, func] of funcs.entries()) {
      for (const { type, stmt } of statementsOf({ funcs: { funcs: [func] } })) {
        if (type === 'CallStmt') expect(names.get(stmt.func) ?? -1).toBeLessThan(i);
      }
    }
    expect(names.get('g0.data.t.q')).toBeGreaterThan(names.get('g0.data.rules.b.x')!);
  });

  test('have functions behind those that they call dynamically', () => {
    const texts = ['package a.b\nx := 1', 'package a.c\nx := 2', 'package t\np := data.a[input].x'];
    expect(planFor(texts, 'data.t.p').funcs!.funcs!.map(({ name }) => name)).toEqual(['g0.data.a.b.x', 'g0.data.a.c.x', 'g0.data.t.p']);
  });

  test('have functions behind those that they call, however long the chain is', () => {
    const rules = Array.from({ length: 20_000 }, (_, i) => `r${i} := r${i + 1}`);
    const names = planFor(`${rules.join('\n')}\nr20000 := 1`, 'data.t.r0').funcs!.funcs!.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['g0.data.t.r20000', 'g0.data.t.r19999']);
  });

  test('do not plan anew what modifiers do not reach', () => {
    const texts = 'r := 1\nq := r + count(input.x)\np := [q, x] if { x := q with count as 3 }';
    const names = planFor(texts, 'data.t.p').funcs!.funcs!.map(({ name }) => name);
    expect(names.toSorted()).toEqual(['g0.data.t.p', 'g0.data.t.q', 'g0.data.t.r', 'g1.data.t.q']);
  });

  test('list the rules that nothing asked for needs', () => {
    const compiled = compileFor('p := q\nq := 1\nr := 2\nf(x) := x\ns[x] := 1 if some x in [1]');
    const { unplanned_rules } = plan(compiled, [{ name: 'p', path: ['t', 'p'] }], { unplannedRules: true });
    expect(unplanned_rules?.map(({ path, location }) => [path, location?.row])).toEqual([
      ['t/f', 5],
      ['t/r', 4],
      ['t/s', 6],
    ]);
  });

  test('hold strings, files and built-ins once', () => {
    const { static: table } = planFor(many, 'data.t = x');
    for (const list of [
      table!.strings!.map(({ value }) => value),
      table!.files!.map(({ value }) => value),
      table!.builtin_funcs!.map(({ name }) => name),
    ]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });
});

test.each<[string, (i: number) => string, string]>([
  ['a rule with one value', (i: number) => `p if input.x == ${i}`, ''],
  ['a function with an else', (i: number) => `f(x) := 1 if { x == ${i}; input.y } else := 2 if x == "${i}"`, 'p := f(input)'],
  ['a set', (i: number) => `p contains ${i} if input.x > ${i}`, ''],
  ['an object', (i: number) => `p["k${i}"] := 1 if input.x > ${i}`, ''],
  ['a set of which one member is asked for', (i: number) => `s contains x if { x := ${i}; input.y == x }`, 'p if s[input.x]'],
])('many rules of %s are planned in as many steps', (_, rule, more) => {
  const count = 500;
  const rules = Array.from({ length: count }, (_, i) => rule(i)).join('\n');
  // One to put the rule into the order of the index, and one to plan it.
  expect(stepsOf(`${rules}\n${more}`)).toBeGreaterThanOrEqual(2 * count);
});

test('a rule with many `else` is planned in as many steps', () => {
  const count = 300;
  const links = Array.from({ length: count }, (_, i) => `:= ${i} if input.x == ${i}`);
  expect(stepsOf(`p ${links.join(' else ')}`)).toBeGreaterThanOrEqual(count);
});

/** The steps that make the plan that is made without them. */
function stepsOf(text: string): number {
  const compiled = compileFor(text);
  const planning = planSteps(compiled, [{ name: 'p', path: ['t', 'p'] }]);
  let steps = 0;
  let step = planning.next();
  for (; step.done !== true; step = planning.next()) steps++;
  expect(step.value).toEqual(plan(compiled, [{ name: 'p', path: ['t', 'p'] }]));
  return steps;
}
