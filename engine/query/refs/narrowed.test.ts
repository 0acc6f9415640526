import { describe, expect, test } from 'vitest';
import { compileModules } from '../../../compiler/pipeline.js';
import { recompile } from '../../../compiler/recompile.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import { complaintsOf } from '../../../test/harness/complaints.js';
import { compileFor, expectDecision, queryFor } from '../../../test/harness/plans.js';
import { prepareQueries } from '../../../test/harness/queries.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import type { Value } from '../../../values/value.js';
import { evaluateAsync } from '../../evaluation/evaluate.js';

const bar = 'p[x].foo.bar := y + 1 if { some x in ["a", "b"]; y := p[x].foo.baz }';
const baz = 'p[x].foo.baz := 1 if some x in ["a", "b", "c"]';
const whole = { a: { foo: { bar: 2, baz: 1 } }, b: { foo: { bar: 2, baz: 1 } }, c: { foo: { baz: 1 } } };

/** The same by the evaluator of queries. */
async function evaluated(rules: string, query: string): Promise<readonly Value[]> {
  const compiled = compileFor(rules);
  const executable = await prepareQueries(compiled, [{ name: 'eval', query: queryFor(compiled, `wanted = ${query}`) }]);
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  return await evaluateAsync({ executable, plan: 0 }, { input: undefined, data: {} }, context, {});
}

describe('a rule of an object may read keys that others make', () => {
  test.each<[string, string, string, Value]>([
    ['in the whole', `${bar}\n${baz}`, 'data.t.p', whole],
    ['under a key', `${bar}\n${baz}`, 'data.t.p.a.foo', { bar: 2, baz: 1 }],
    ['at the end', `${bar}\n${baz}`, 'data.t.p.b.foo.bar', 2],
    ['in the package', `${bar}\n${baz}`, 'data.t', { p: whole }],
    ['in a loop', `${bar}\n${baz}`, '[k | some k; data.t.p[k].foo.bar == 2]', ['a', 'b']],
    ['where a with replaces it', `${bar}\n${baz}\nq := y if y := p.z.foo.bar with data.t.p as {"z": {"foo": {"bar": 7}}}`, 'data.t.q', 7],
    [
      'by a function and a third key',
      'f(x) := p[x].baz\np[x].bar := f(x) + 1 if some x in ["a"]\np[x].baz := p[x].zzz if some x in ["a", "b"]\np[x].zzz := 4 if some x in ["a", "b"]',
      'data.t.p',
      { a: { bar: 5, baz: 4, zzz: 4 }, b: { baz: 4, zzz: 4 } },
    ],
    [
      'that are sets',
      'p[x].all contains y if { some x in ["a"]; some y in p[x].one }\np[x].one contains 1 if some x in ["a"]',
      'data.t.p.a.all',
      [1] as never,
    ],
    ['that no rule makes', `${bar}\n${baz}\nq := "none" if not p.a.foo.zzz`, 'data.t.q', 'none'],
    ['that no rule makes, in a loop', `${bar}\n${baz}`, '[k | some k; data.t.p[k].foo.zzz]', []],
    ['at another constant key', 'p[x].a.c := p[x].b.c if some x in ["k"]\np[x].b.c := 3 if some x in ["k"]', 'data.t.p.k.a.c', 3],
  ])('%s', async (_title, rules, query, wanted) => {
    await expectDecision(rules, query, wanted);
    expect(JSON.stringify(await evaluated(rules, query))).toBe(JSON.stringify([{ wanted }]));
  });

  test('a change may make or end it', () => {
    const modules = (...rules: string[]) =>
      new Map(rules.map((rule, i) => [`${i}.rego`, parseModule(`${i}.rego`, `package t\n${rule}`)] as const));
    const before = compileModules({ modules: modules('p[x].foo.bar := 1 if some x in ["a"]', baz) });
    const after = recompile(before, modules(bar));
    expect(after.diagnostics).toEqual([]);
    const recursive = recompile(after, modules('p[x].foo.bar := y if { some x in ["a"]; y := p[x].foo[k] }'));
    expect(recursive.diagnostics.map(({ code }) => code)).toEqual(['rego_recursion_error']);
  });
});

test.each([
  ['the same keys', 'p[x].foo.bar := y if { some x in ["a"]; y := p[x].foo.bar }'],
  ['the same keys elsewhere', 'p[x].foo.bar := y if { some x in ["a"]; y := p.b.foo.bar }'],
  ['a key that is not known', `p[x].foo.bar := y if { some x in ["a"]; some k; y := p[x].foo[k] }\n${baz}`],
  ['all that is below', `p[x].foo.bar := y if { some x in ["a"]; y := p[x].foo }\n${baz}`],
  ['all', `p[x].foo.bar := count(p) if some x in ["a"]\n${baz}`],
  ['each other', 'p[x].a := p[x].b if some x in ["k"]\np[x].b := p[x].a if some x in ["k"]'],
  ['it by a package that is not known', `p[x].foo.bar := y if { some x in ["a"]; some m; y := data[m].p[x].foo.baz }\n${baz}`],
])('rules that read %s are recursive', (_title, rules) => {
  const found = complaintsOf(rules);
  expect(found.length).toBeGreaterThan(0);
  for (const complaint of found) expect(complaint).toContain('rego_recursion_error');
});
