/** Paths that can be asked for, and the errors for paths that nothing answers. */
import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { emptyBundle } from '../engine/bundle/bundle.js';
import { Engine, type Json } from './index.js';

const policies = {
  'authz.rego': `# METADATA
# entrypoint: true
package authz

# METADATA
# entrypoint: true
allow if input.user == "ann"

roles[name] := 1 if some name in ["a", "b"]

admins contains "ann"

f(x) := x

files["a/b.txt"] := 1
`,
  'inner.rego': 'package authz.inner\n\nx.y.z := 1\n\ng(x) := x\n',
  'data.rego': 'package data.v1\n\nn := 1\n',
};
const data = { users: { ann: { level: 1 } }, 'a.b': { 'c/d': [7] } };

const engine = await Engine.open([{ policies, data }]);
const planned = await Engine.open([compile({ policies, entrypoints: ['authz/allow', 'authz/inner/x'] }), { data }]);

describe('a document is asked for', () => {
  test.each<[string, Json]>([
    ['authz/allow', true],
    ['/authz/allow/', true],
    ['data.authz.allow', true],
    ['data["authz"].allow', true],
    ['data.users.ann', { level: 1 }],
    ['data["a.b"]["c/d"][0]', 7],
    ['data.authz.inner', { x: { y: { z: 1 } } }],
  ])('as %s', async (path, result) => {
    for (const one of [engine, planned]) {
      expect(one.decide(path, { user: 'ann' })).toEqual({ result });
      expect(await one.decideAsync(path, { user: 'ann' })).toEqual({ result });
      expect(one.decideText(path, '{"user": "ann"}')).toBe(JSON.stringify({ result }));
      expect(one.has(path)).toBe(true);
    }
  });

  test('with slashes and dots in its keys', () => {
    expect(engine.decide('data.authz.files["a/b.txt"]')).toEqual({ result: 1 });
    expect(engine.decide('/data/v1/n')).toEqual({ result: 1 });
    expect(engine.decide('data.data.v1.n')).toEqual({ result: 1 });
  });

  test('with slashes that part no segments', () => {
    expect(planned.decide('data["authz/allow"]', { user: 'ann' })).toEqual({});
    expect(planned.decide('data.authz["inner/x"]', {})).toEqual({});
    expect(planned.has('data["authz/allow"]')).toBe(false);
  });

  test('all of them at once', () => {
    const all = engine.decide('data').result as { readonly [key: string]: Json };
    expect(Object.keys(all).sort()).toEqual(['a.b', 'authz', 'data', 'users']);
    expect(engine.decide('').result).toEqual(all);
  });

  test('by a path that can be read', () => {
    expect(() => engine.decide('data.authz-allow')).toThrow(expect.objectContaining({ name: 'EngineError', code: 'invalid_path' }));
    expect(() => engine.has('data.authz.')).toThrow(expect.objectContaining({ code: 'invalid_path' }));
    expect(() => engine.decide(['authz', 'allow'] as never)).toThrow(expect.objectContaining({ code: 'invalid_path' }));
  });

  test('and written by the same path', async () => {
    const changing = await Engine.open([]);
    await changing.setData('data.files["a/b"].size', 1);
    expect(changing.data).toEqual({ files: { 'a/b': { size: 1 } } });
    await changing.setData('data.files["a/b"]', undefined);
    expect(changing.data).toEqual({ files: {} });
  });
});

describe('what nothing can answer', () => {
  const paths = ['authz/alow', 'data.authz.alow', 'other', 'authz/f', 'data.authz.f', 'users/bob', 'authz/inner/g'];

  test.each(paths)('%s is undefined, and has() says so', (path) => {
    expect(engine.decide(path, { user: 'ann' })).toEqual({});
    expect(engine.has(path)).toBe(false);
  });

  test.each(paths)('%s is an error where decisions are strict', async (path) => {
    const wanted = { name: 'EngineError', code: 'undefined_path' };
    const strict = await Engine.open([{ policies, data }], { strict: true });
    expect(() => strict.decide(path)).toThrow(expect.objectContaining(wanted));
    expect(() => engine.decide(path, {}, { strict: true })).toThrow(expect.objectContaining(wanted));
    expect(() => strict.decideText(path)).toThrow(expect.objectContaining(wanted));
    await expect(strict.decideAsync(path)).rejects.toMatchObject(wanted);
    expect(strict.decide(path, {}, { strict: false })).toEqual({});
  });

  test('is no error where a rule might have', async () => {
    const strict = await Engine.open([{ policies, data }], { strict: true });
    for (const path of ['authz/allow', 'authz/allow/below', 'authz/roles/c', 'authz/inner/x/y/z/none']) {
      expect(strict.decide(path, {})).toEqual({});
      expect(strict.has(path)).toBe(true);
    }
    const plans = await Engine.open(compile({ policies, entrypoints: ['authz/allow'] }), { strict: true });
    expect(plans.decide('authz/allow', {})).toEqual({});
    expect(plans.decide('authz', {})).toEqual({});
    expect(() => plans.decide('authz/roles')).toThrow(expect.objectContaining({ code: 'undefined_path' }));
  });

  test('may come, and go', async () => {
    const strict = await Engine.open([], { strict: true });
    expect(strict.has('p/x')).toBe(false);
    await strict.setPolicy('p.rego', 'package p\n\nx := 1');
    expect(strict.decide('p/x')).toEqual({ result: 1 });
    await strict.setPolicy('p.rego', undefined);
    expect(() => strict.decide('p/x')).toThrow(expect.objectContaining({ code: 'undefined_path' }));
    await strict.setData('p', { x: 2 });
    expect(strict.decide('p/x')).toEqual({ result: 2 });
  });
});

describe('an engine lists', () => {
  test('its entrypoints: of plans, and those that annotations name', async () => {
    expect(engine.entrypoints).toEqual(['authz', 'authz/allow']);
    expect(planned.entrypoints).toEqual(['authz/allow', 'authz/inner/x']);
    const changing = await Engine.open([]);
    await changing.setPolicy('p.rego', '# METADATA\n# entrypoint: true\npackage p\n\nx := 1');
    expect(changing.entrypoints).toEqual(['p']);
  });

  test('entrypoints of a bundle whose policies answer in the place of its plan', async () => {
    const plan = compile({ policies: { 'q.rego': 'package q\n\nx := 1' }, entrypoints: ['q/x'] });
    const place = { path: 'q.rego', url: 'q.rego', bundlePath: '/q.rego' };
    const module = { ...place, text: 'package q\n\nx := 2', bytes: new Uint8Array() };
    const bundle = {
      ...emptyBundle,
      modules: [module],
      plans: [{ path: 'plan.json', url: 'plan.json', bundlePath: '/plan.json', policy: plan }],
    };
    const mixed = await Engine.open([bundle, { policies: { 'p.rego': 'package p\n\ny := 1' } }]);
    expect(mixed.entrypoints).toEqual(['q/x']);
    expect(mixed.rules()).toEqual(['p/y', 'q/x']);
    expect(mixed.decide('q/x')).toEqual({ result: 2 });
    await mixed.setPolicy('q.rego', undefined);
    expect(mixed.entrypoints).toEqual([]);
  });

  test('its rules, each as it can be asked for', () => {
    const rules = ['authz/admins', 'authz/allow', 'data.authz.files["a/b.txt"]', 'authz/inner/x/y/z', 'authz/roles', 'data/v1/n'];
    expect(engine.rules()).toEqual(rules);
    for (const path of rules) expect(engine.has(path)).toBe(true);
    expect(planned.rules()).toEqual(['authz/allow', 'authz/inner/x']);
  });
});

test('a decision has the type that its caller gives it', () => {
  const { result = false } = engine.decide<boolean>('authz/allow', { user: 'ann' });
  const allowed: boolean = result;
  expect(allowed).toBe(true);
});

describe('input', () => {
  test('that is no JSON is an error that names its place', async () => {
    const message = 'input.user.born is a Date: give its toISOString()';
    const wanted = { name: 'EngineError', code: 'invalid_input', message };
    const input = { user: { born: new Date(0) } };
    expect(() => engine.decide('authz/allow', input)).toThrow(expect.objectContaining(wanted));
    await expect(engine.decideAsync('authz/allow', input)).rejects.toMatchObject(wanted);
    expect(() => engine.decideText('authz/allow', { user: 'ann' } as never)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test('has no members that are undefined', async () => {
    const echo = await Engine.open({ policies: { 'p.rego': 'package p\n\nn := count(input)\n\nkeys := object.keys(input)' } });
    expect(echo.decide('p', { a: undefined, b: 1 })).toEqual({ result: { n: 1, keys: ['b'] } });
  });
});

describe('options of a decision', () => {
  test.each<[string, unknown, string]>([
    ['that there are not', { timeoutMs: 50 }, 'there is no option timeoutMs; options are timeMs, '],
    ['of another type', { timeMs: '50' }, 'option timeMs must be a number, not a string'],
    ['that are no number', { instructions: Number.NaN }, 'option instructions must be a number, not NaN'],
    ['that are no object', null, 'options are no object'],
  ])('%s are an error', async (_title, options, message) => {
    const wanted = expect.objectContaining({ name: 'EngineError', code: 'invalid_option', message: expect.stringContaining(message) });
    expect(() => engine.decide('authz/allow', {}, options as never)).toThrow(wanted);
    expect(() => engine.decideText('authz/allow', '{}', options as never)).toThrow(wanted);
    await expect(engine.decideAsync('authz/allow', {}, options as never)).rejects.toEqual(wanted);
    await expect(planned.resultSet('authz/allow', {}, options as never)).rejects.toEqual(wanted);
  });

  test('may be undefined', () => {
    const options = { timeMs: undefined, signal: undefined, strict: undefined } as never;
    expect(engine.decide('authz/allow', { user: 'ann' }, options)).toEqual({ result: true });
  });
});

describe('many inputs', () => {
  const policies = { 'p.rego': 'package p\n\nx := 1 if input.a\n\nx := 2 if input.b\n' };

  test('are decided in their order, and one that fails affects no other', async () => {
    const engine = await Engine.open({ policies });
    const inputs = [{ a: 1 }, {}, { a: 1, b: 1 }, { b: 1 }];
    expect(await engine.decideMany<number>('p/x', inputs)).toEqual([
      { result: 1 },
      {},
      { error: expect.objectContaining({ code: 'eval_conflict_error' }) },
      { result: 2 },
    ]);
    expect(await engine.decideMany('p/x', new Set())).toEqual([]);
  });

  test('of which one is no JSON are refused', async () => {
    const engine = await Engine.open({ policies });
    await expect(engine.decideMany('p/x', [{ a: 1 }, { a: new Date() }])).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('leave turns of the event loop to other tasks', async () => {
    const engine = await Engine.open({ policies: { 'p.rego': 'package p\n\nx := count([1 | some i in numbers.range(1, 2000)])\n' } });
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const results = await engine.decideMany('p/x', new Array(1000).fill({}));
    clearInterval(counting);
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set([2000]));
    expect(turns).toBeGreaterThan(2);
  });

  test('that wait do so together', async () => {
    const { arg, asyncBuiltin, types } = await import('./index.js');
    let most = 0;
    let now = 0;
    const wait = asyncBuiltin('acme.wait', [arg('x', types.any)], types.any, async ([x]) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return x;
    });
    const engine = await Engine.open({ policies: { 'p.rego': 'package p\n\nx := acme.wait(input)' } }, { builtins: [wait] });
    const results = await engine.decideMany(
      'p/x',
      Array.from({ length: 40 }, (_, i) => i),
    );
    expect(results).toEqual(Array.from({ length: 40 }, (_, i) => ({ result: i })));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('a path that is no text', () => {
  test.each([[undefined], [null], [3], [{}]])('%j is refused', async (path) => {
    const engine = await Engine.open([{ policies, data }]);
    const wanted = expect.objectContaining({ name: 'EngineError', code: 'invalid_path' });
    expect(() => engine.decide(path as string, {})).toThrow(wanted);
    expect(() => engine.decideText(path as string, '{}')).toThrow(wanted);
    await expect(engine.decideAsync(path as string)).rejects.toEqual(wanted);
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    expect(() => engine.decide(path as string, {})).toThrow(wanted);
  });
});

describe('a closed engine', () => {
  test('refuses what is asked of it', async () => {
    const closed = await Engine.open([{ policies, data }]);
    await closed.close();
    await closed.close();
    const wanted = expect.objectContaining({ name: 'EngineError', code: 'closed' });
    for (const call of [
      () => closed.decide('authz/allow'),
      () => closed.decideText('authz/allow'),
      () => closed.value('authz/allow', {}),
      () => closed.entrypoints,
      () => closed.rules(),
      () => closed.has('authz/allow'),
      () => closed.data,
    ]) {
      expect(call).toThrow(wanted);
    }
    await expect(closed.decideAsync('authz/allow')).rejects.toEqual(wanted);
    await expect(closed.setData('x', 1)).rejects.toEqual(wanted);
    await expect(closed.setPolicy('p.rego', 'package p')).rejects.toEqual(wanted);
  });

  test('ends what waits', async () => {
    const { arg, asyncBuiltin, types } = await import('./index.js');
    const never = asyncBuiltin('acme.never', [arg('x', types.any)], types.any, () => new Promise(() => undefined));
    const waiting = await Engine.open({ policies: { 'p.rego': 'package p\n\nx := acme.never(1)' } }, { builtins: [never] });
    const decision = waiting.decideAsync('p/x');
    await waiting.close();
    await expect(decision).rejects.toMatchObject({ name: 'EvaluationError', code: 'eval_cancel_error' });
  });
});
