/** Bundles that hold a plan and no policies, beside other things. */
import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { EvaluationError } from '../runtime/evaluation/evaluation-errors.js';
import { parseJson, toJson } from '../values/json/json.js';
import { allAtOnce } from '../values/steps.js';
import type { PlainObject, Value } from '../values/value.js';
import { type Bundle, emptyBundle } from './bundle/bundle.js';
import { emptyManifest } from './bundle/manifest.js';
import { Engine } from './engine.js';
import type { DecideOptions } from './evaluation/decide-options.js';
import type { LongEvaluation } from './evaluation/long-evaluations.js';

const authz = `package authz

allow if input.user in data.authz.admins

roles[name] := ["admin", data.extra.role] if some name in data.authz.admins

numbers contains n if some n in [1, 2]
`;

function planned(policies: Readonly<Record<string, string>>, entrypoints: readonly string[]): Bundle['plans'] {
  const policy = compile({ policies, entrypoints: [...entrypoints] });
  return [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy: JSON.parse(JSON.stringify(policy)) }];
}

const entrypoints = ['authz/allow', 'authz/roles', 'authz/numbers'];
const plans = planned({ 'authz.rego': authz }, entrypoints);

function bundle(more: Partial<Bundle> = {}, roots: readonly string[] = ['authz']): Bundle {
  const data = { authz: { admins: ['ann'], note: 'base' } };
  return { ...emptyBundle, manifest: { ...emptyManifest, revision: 'r1', roots }, data, plans, ...more };
}

async function engineOf(...bundles: readonly Bundle[]): Promise<Engine> {
  const engine = new Engine();
  await engine.commit({ data: [{ op: 'write', path: ['extra'], value: { role: 'staff' } }] });
  await engine.commit({ bundles: new Map(bundles.map((one, i) => [`b${i}`, one])) });
  return engine;
}

const segments = (path: string) => path.split('/').filter((segment) => segment !== '');

/** As JSON has it. */
async function decide(engine: Engine, path: string, input?: Value, options: DecideOptions = {}): Promise<Value | undefined> {
  const { value } = await engine.decide(segments(path), input, options);
  return value === undefined ? undefined : parseJson(toJson(value));
}

const ann = { user: 'ann' };
const all = { admins: ['ann'], note: 'base', allow: true, numbers: [1, 2], roles: { ann: ['admin', 'staff'] } };

describe('where a bundle holds a plan and no policies', () => {
  test.each<[string, unknown]>([
    ['authz/allow', true],
    ['authz/allow/deeper', undefined],
    ['authz/roles/ann/1', 'staff'],
    ['authz/roles/ann/2', undefined],
    ['authz/roles/bob', undefined],
    ['authz/numbers/2', 2],
    ['authz/numbers/3', undefined],
    ['authz/note', 'base'],
    ['authz/nosuch', undefined],
    ['extra', { role: 'staff' }],
    ['nosuch', undefined],
  ])('%s answers %j', async (path, expected) => {
    expect(await decide(await engineOf(bundle()), path, ann)).toEqual(expected);
  });

  test('a trace is of the statements of the plan, and says so', async () => {
    const engine = await engineOf(bundle());
    const options = { known: new Map(), prints: false };
    const path = segments('authz/allow');
    const fails = await engine.trace({ path }, { user: 'bob' }, { ...options, mode: 'fails' });
    expect(allAtOnce(fails.toText())).toEqual([
      expect.stringMatching(/^plan +Note "no policy source is beside the plan: the trace is of its statements"$/),
      expect.stringMatching(/^plan +Enter plan authz\/allow$/),
      expect.stringMatching(/^plan +\| Enter data\.authz\.allow$/),
      expect.stringMatching(/^authz\.rego:3 +\| \| Fail /),
      expect.stringMatching(/^query:1 +\| Fail CallStmt$/),
    ]);
    const full = await engine.trace({ path }, ann, { ...options, mode: 'full' });
    expect(allAtOnce(full.toText()).at(-1)).toMatch(/^plan +\| Exit plan authz\/allow, result = \{"result": true\}$/);
    expect(JSON.parse(Buffer.concat(allAtOnce(full.writeJson())).toString())).toContainEqual({
      op: 'exit',
      query_id: 1,
      parent_id: 0,
      type: 'function',
      node: 'data.authz.allow',
      operands: { result: true },
    });
  });

  test('a path above entrypoints answers all of them over the documents there', async () => {
    const engine = await engineOf(bundle());
    expect(await decide(engine, 'authz', ann)).toEqual(all);
    expect(Object.keys((await decide(engine, '', ann)) as PlainObject).sort()).toEqual(['authz', 'extra']);
    expect(await decide(engine, 'authz', { user: 'bob' })).not.toHaveProperty('allow');
  });

  test('no policies are shown, and queries and other policies see documents alone', async () => {
    const engine = await engineOf(bundle());
    expect(engine.policies()).toEqual([]);
    expect(engine.isVirtual(['authz', 'allow'])).toBe(false);
    expect(await engine.query('x := data.authz.note', ann, {}, (found) => found)).toEqual([{ x: 'base' }]);
    expect(await engine.query('x := data.authz.allow', ann, {}, (found) => found)).toEqual([]);
    await engine.commit({ policies: new Map([['p.rego', 'package p\n\nx := data.authz.admins\n\ny := data.authz.allow\n']]) });
    expect(await decide(engine, 'p', ann)).toEqual({ x: ['ann'] });
    expect(await decide(engine, 'authz/allow', ann)).toBe(true);
  });

  test('data written outside of its roots is read by its plan, inside of them nobody may write', async () => {
    const engine = await engineOf(bundle());
    await engine.commit({ data: [{ op: 'write', path: ['extra', 'role'], value: 'boss' }] });
    expect(await decide(engine, 'authz/roles/ann', ann)).toEqual(['admin', 'boss']);
    const write = engine.commit({ data: [{ op: 'write', path: ['authz', 'admins'], value: ['bob'] }] });
    await expect(write).rejects.toMatchObject({ code: 'owned_by_bundle' });
    const policy = engine.commit({ policies: new Map([['x.rego', 'package authz.more\n\nx := 1\n']]) });
    await expect(policy).rejects.toMatchObject({ code: 'owned_by_bundle' });
    expect(await decide(engine, 'authz/allow', ann)).toBe(true);
  });

  test('policies may stand beside a plan that owns nothing, and where both answer the plan goes first', async () => {
    const engine = await engineOf(bundle({ data: {} }, []));
    await engine.commit({
      policies: new Map([['more.rego', 'package authz\n\nallow := "of the rule"\n\nother := input.user\n']]),
      data: [{ op: 'write', path: ['authz', 'admins'], value: ['ann'] }],
    });
    expect(await decide(engine, 'authz/allow', ann)).toBe(true);
    expect(await decide(engine, 'authz/allow', { user: 'bob' })).toBe('of the rule');
    expect(await decide(engine, 'authz/other', ann)).toBe('ann');
    const { note: _, ...rest } = all;
    expect(await decide(engine, 'authz', ann)).toEqual({ ...rest, other: 'ann' });
  });

  test('a segment with a slash in it is no entrypoint', async () => {
    const engine = await engineOf(bundle());
    expect((await engine.decide(['authz/allow'], ann)).value).toBeUndefined();
  });

  test('it is replaced and taken out whole', async () => {
    const engine = await engineOf(bundle());
    const other = planned({ 'authz.rego': 'package authz\n\nallow := "new"\n' }, ['authz/allow']);
    await engine.commit({ bundles: new Map([['b0', bundle({ plans: other })]]) });
    expect(await decide(engine, 'authz/allow', ann)).toBe('new');
    expect(await decide(engine, 'authz/roles', ann)).toBeUndefined();
    await engine.commit({ bundles: new Map([['b0', undefined]]) });
    expect(await decide(engine, 'authz', ann)).toBeUndefined();
  });

  test('a plan that is none, or has an entrypoint that is taken, leaves everything as it was', async () => {
    const engine = await engineOf(bundle());
    const faulty = bundle({ plans: [{ ...plans[0]!, policy: { static: {}, plans: { plans: [{ name: 1 }] } } }] });
    await expect(engine.commit({ bundles: new Map([['b0', faulty]]) })).rejects.toMatchObject({ code: 'invalid_plan' });
    const same = bundle({ data: {} }, ['elsewhere']);
    await expect(engine.commit({ bundles: new Map([['b1', same]]) })).rejects.toThrow(
      'bundle b1: entrypoint authz/allow of its plan is within the roots of bundle b0',
    );
    const strangers = new Map(
      [1, 2].map((n) => [`b${n}`, bundle({ data: {}, plans: planned({ 'p.rego': 'package p\n\nx := 1\n' }, ['p/x']) }, [`r${n}`])]),
    );
    await expect(engine.commit({ bundles: strangers })).rejects.toThrow('entrypoint p/x is in another plan already');
    expect(await decide(engine, 'authz/allow', ann)).toBe(true);
    expect(engine.bundles().map(({ name }) => name)).toEqual(['b0']);
  });
});

test('null is an answer, of plans and of documents in arrays', async () => {
  const nulls = planned({ 'p.rego': 'package p\n\nx := null\n' }, ['p/x']);
  const engine = await engineOf(bundle({ plans: nulls, data: { p: { list: [null, { 1: null }] } } }, ['p']));
  expect(await decide(engine, 'p/x')).toBe(null);
  expect(await decide(engine, 'p')).toEqual({ x: null, list: [null, { 1: null }] });
  expect(await decide(engine, 'p/list/0')).toBe(null);
  expect(await decide(engine, 'p/list/1/1')).toBe(null);
});

test('where a bundle holds policies beside its plan, those answer', async () => {
  const text = 'package authz\n\nallow := "of the policy"\n';
  const file = { path: '/p.rego', url: '/p.rego', bundlePath: '/p.rego', text, bytes: new TextEncoder().encode(text) };
  const engine = await engineOf(bundle({ modules: [file] }));
  expect(await decide(engine, 'authz/allow', ann)).toBe('of the policy');
  expect(await decide(engine, 'authz/roles', ann)).toBeUndefined();
  expect(engine.policies().map(({ id }) => id)).toEqual(['b0/p.rego']);
});

describe('limits of a path over several plans', () => {
  const slow = ['a', 'b', 'c', 'd'].map((name) => `package p.${name}\n\nx := count([1 | some i in numbers.range(1, 5000); i < 0])\n`);
  const names = ['p/a/x', 'p/b/x', 'p/c/x', 'p/d/x'];
  const several = bundle({ data: {}, plans: planned(Object.fromEntries(slow.map((text, i) => [`${i}.rego`, text])), names) }, ['p']);
  const endless = `x := count([1 | some i in numbers.range(1, 3000); some j in numbers.range(1, 3000); some k in numbers.range(1, 3000); i + j + k < 0])`;
  const never = bundle(
    { data: {}, plans: planned({ 'a.rego': `package p.a\n\n${endless}\n`, 'b.rego': 'package p.b\n\nx := 1\n' }, ['p/a/x', 'p/b/x']) },
    ['p'],
  );

  test('instructions are counted together', async () => {
    const engine = await engineOf(several);
    const instructions = await limitOf(engine, 'p/a/x');
    expect(await decide(engine, 'p/a/x', undefined, { instructions })).toBe(0);
    await expect(decide(engine, 'p', undefined, { instructions: 2 * instructions })).rejects.toThrow('instruction limit reached');
    expect(await decide(engine, 'p', undefined, { instructions: 5 * instructions })).toEqual({
      a: { x: 0 },
      b: { x: 0 },
      c: { x: 0 },
      d: { x: 0 },
    });
  });

  /** A number of instructions that does for a path, and half of which does not. */
  async function limitOf(engine: Engine, path: string): Promise<number> {
    for (let instructions = 10_000; ; instructions *= 1.2) {
      try {
        await decide(engine, path, undefined, { instructions });
        return instructions;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    }
  }

  test.each(['p/a/x', 'p'])('what takes long at %s is moved, with the time that is left', async (path) => {
    const moved: LongEvaluation[] = [];
    const engine = new Engine({
      longEvaluations: {
        sliceMs: 20,
        run: async (evaluation) => {
          moved.push(evaluation);
          await new Promise((resolve) => setTimeout(resolve, 30));
          return [{ result: 'from elsewhere' }];
        },
      },
    });
    await engine.commit({ bundles: new Map([['b', never]]) });
    const value = await decide(engine, path, undefined, { timeMs: 5000 });
    expect(value).toEqual(path === 'p' ? { a: { x: 'from elsewhere' }, b: { x: 'from elsewhere' } } : 'from elsewhere');
    expect(moved.map(({ timeMs }) => timeMs)).toEqual([...moved.map(({ timeMs }) => timeMs)].sort((a, b) => b - a));
    expect(moved[0]!.timeMs).toBeLessThanOrEqual(4980);
    if (path === 'p') expect(moved[1]!.timeMs).toBeLessThanOrEqual(moved[0]!.timeMs - 25);
    if (path === 'p') await expect(decide(engine, path, undefined, { timeMs: 30 })).rejects.toThrow('query execution timed out');
  });

  test('what took long lately is moved sooner', async () => {
    const moved: number[] = [];
    const run = async ({ timeMs }: LongEvaluation) => {
      moved.push(timeMs);
      return [{ result: 1 }];
    };
    const engine = new Engine({ longEvaluations: { sliceMs: 20, run } });
    await engine.commit({ bundles: new Map([['b', never]]) });
    for (let i = 0; i < 2; i++) await decide(engine, 'p/a/x', undefined, { timeMs: 5000 });
    expect(moved).toEqual([4980, 4996]);
  });
});
