/** Bundles with policies beside WebAssembly, asked as users of the WebAssembly ask them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import { archiveOf } from '../../../test/harness/archives.js';
import { wasmPolicy } from '../../../test/harness/wasm/wasm-policy.js';
import { readBundle } from '../../index.js';
import opa, { type CustomBuiltins, type LoadedPolicy, loadPolicy, loadPolicySync } from './index.js';

/**
 * A bundle as `opa build -t wasm` writes it, whose WebAssembly has other answers than its policies.
 */
async function bundleOf(
  policies: string | Readonly<Record<string, string>>,
  entrypoints: readonly string[],
  { data = {}, ...more }: { readonly data?: unknown; readonly rego_version?: number } = {},
): Promise<Uint8Array> {
  const wasm = entrypoints.map((entrypoint) => ({ entrypoint, module: '/policy.wasm' }));
  return await archiveOf({
    '/data.json': JSON.stringify(data),
    ...(typeof policies === 'string' ? { '/policy.rego': policies } : policies),
    '/policy.wasm': wasmPolicy({ rules: { other: { value: '"of the WebAssembly"' } } }),
    '/.manifest': JSON.stringify({ revision: '', roots: [''], wasm, ...more }),
  });
}

async function open(policies: string, entrypoints: readonly string[], custom?: CustomBuiltins): Promise<LoadedPolicy> {
  return await loadPolicy(await bundleOf(policies, entrypoints), undefined, custom);
}

const orders = `package orders

import rego.v1

default allow := false

allow if input.user == "ann"

roles contains role if some role in data.roles[input.user]

limit := 1 / input.divisor
`;

describe('several entrypoints', () => {
  const modules = { '/a.rego': 'package shop.cart\n\nfull := count(input.items) > 2', '/b.rego': 'package shop.order\n\nopen := true' };
  const load = async () => await loadPolicy(await bundleOf(modules, ['shop', 'shop/cart', 'shop/order']));

  test('are numbered in their order, and the first is the default', async () => {
    const policy = await load();
    expect(policy.entrypoints).toEqual({ shop: 0, 'shop/cart': 1, 'shop/order': 2 });
    expect(policy.evaluate({ items: [] })).toEqual([{ result: { cart: { full: false }, order: { open: true } } }]);
  });

  test('are evaluated by number and by name', async () => {
    const policy = await load();
    const wanted = [{ result: { full: true } }];
    expect(policy.evaluate({ items: [1, 2, 3] }, policy.entrypoints['shop/cart'])).toEqual(wanted);
    expect(policy.evaluate({ items: [1, 2, 3] }, 'shop/cart')).toEqual(wanted);
    expect(policy.evaluate({}, 'shop/order')).toEqual([{ result: { open: true } }]);
  });

  test.each<[unknown, string]>([
    [{}, 'entrypoint value is an invalid type, must be either string or number'],
    ['shop/none', 'entrypoint shop/none is not valid in this instance'],
    [3, 'entrypoint 3 is not valid in this instance'],
  ])('are not %o', async (entrypoint, message) => {
    const policy = await load();
    expect(() => policy.evaluate({}, entrypoint as never)).toThrow(message);
  });
});

describe('input and data', () => {
  test('are values, also texts, and ArrayBuffers of JSON', async () => {
    const policy = await open(orders, ['orders/allow', 'orders/roles']);
    const buffer = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).buffer;
    expect(policy.evaluate({ user: 'ann' })).toEqual([{ result: true }]);
    expect(policy.evaluate(buffer({ user: 'ann' }))).toEqual([{ result: true }]);
    expect(policy.evaluate(JSON.stringify({ user: 'ann' }))).toEqual([{ result: false }]);
    policy.setData(buffer({ roles: { ann: ['b', 'a', 'b'] } }));
    expect(policy.evaluate({ user: 'ann' }, 'orders/roles')).toEqual([{ result: ['a', 'b'] }]);
    policy.setData({ roles: { ann: ['c'] } });
    expect(policy.evaluate({ user: 'ann' }, 'orders/roles')).toEqual([{ result: ['c'] }]);
  });

  test('and results belong to the caller, also once a plan runs as JavaScript', async () => {
    const text = `package t

names := [name | some name in data.names]

shown := {"names": names, "base": data.names, "asked": input.asked, "sorted": acme.sorted(names)}
`;
    const sorted = (list: string[]) => list.sort();
    const policy = await open(text, ['t/shown'], { 'acme.sorted': sorted });
    const data = { names: ['b', 'a'] };
    const input = { asked: ['x'] };
    policy.setData(data);
    data.names.push('not set');
    for (let i = 0; i < 60; i++) {
      const [answer] = policy.evaluate(input);
      expect(answer!.result).toEqual({ names: ['b', 'a'], base: ['b', 'a'], asked: ['x'], sorted: ['a', 'b'] });
      for (const list of Object.values(answer!.result as Record<string, string[]>)) list.push('changed');
    }
    policy.setData(data);
    expect(policy.evaluate(input)[0]!.result).toMatchObject({ names: ['b', 'a', 'not set'] });
  });

  test.each<[string, unknown, unknown, unknown]>([
    ['a boolean', true, true, false],
    ['a number', 5, 5, 6],
    ['a text', '"test"', 'test', 'else'],
    ['null', null, null, 0],
  ])('may be %s', async (_title, literal, right, wrong) => {
    const policy = await open(`package a\n\ndefault same := false\n\nsame if input == ${literal}`, ['a/same']);
    expect(policy.evaluate(right)).toEqual([{ result: true }]);
    expect(policy.evaluate(wrong)).toEqual([{ result: false }]);
  });

  test('of the bundle are there until they are replaced', async () => {
    const policy = await loadPolicy(await bundleOf(orders, ['orders/roles'], { data: { roles: { ann: ['a'] } } }));
    expect(policy.evaluate({ user: 'ann' })).toEqual([{ result: ['a'] }]);
    policy.setData({});
    expect(policy.evaluate({ user: 'ann' })).toEqual([{ result: [] }]);
  });

  test('that are undefined, or no JSON', async () => {
    const policy = await open(orders, ['orders/limit', 'orders/allow']);
    expect(policy.evaluate()).toEqual([]);
    expect(policy.evaluate({ divisor: 0 })).toEqual([]);
    expect(policy.evaluate({ user: undefined }, 'orders/allow')).toEqual([{ result: false }]);
    expect(() => policy.evaluate({ n: 1n })).toThrow(expect.objectContaining({ code: 'invalid_document' }));
    expect(() => policy.setData(new TextEncoder().encode('{'))).toThrow('data is no JSON');
  });
});

test('base documents and rules below one path are merged', async () => {
  const policy = await open('package a.b\n\nx := 1', ['a']);
  policy.setData({ a: { c: 2 } });
  expect(policy.evaluate()).toEqual([{ result: { b: { x: 1 }, c: 2 } }]);
});

test.each([
  ['a.b.c/allow', 'package a.b.c'],
  ['a/b/c/allow', 'package a.b.c'],
  ['a.b/c.d/allow', 'package a["b"].c.d'],
])('entrypoint %s is a rule of %s', async (entrypoint, head) => {
  const policy = await open(`${head}\n\ndefault allow := false\n\nallow if input.alpha == input.beta`, [entrypoint]);
  expect(policy.evaluate({ alpha: 'x', beta: 'x' })).toEqual([{ result: true }]);
  expect(policy.evaluate({ alpha: 'x', beta: 'y' })).toEqual([{ result: false }]);
});

test('policies are of the version that the bundle says', async () => {
  const old = 'package a\n\nallow { input.x }';
  const policy = await loadPolicy(await bundleOf(old, ['a/allow'], { rego_version: 0 }));
  expect(policy.evaluate({ x: 1 })).toEqual([{ result: true }]);
  await expect(loadPolicy(await bundleOf(old, ['a/allow']))).rejects.toMatchObject({ name: 'CompileErrors' });
});

test('YAML is read and written, and errors in it are undefined', async () => {
  const names = ['read', 'wrong', 'pairs', 'valid'];
  const policy = await open(
    `package y

read if yaml.unmarshal("a:\\n- b: 1").a[0].b == 1

wrong if yaml.unmarshal("{ , }\\n---\\n{ 1,,, }")

pairs contains yaml.unmarshal(yaml.marshal(input))

valid if not yaml.is_valid("a: {")
`,
    names.map((name) => `y/${name}`),
  );
  expect(names.map((name) => policy.evaluate([{ foo: [1, 2, 3] }], `y/${name}`))).toEqual([
    [{ result: true }],
    [],
    [{ result: [[{ foo: [1, 2, 3] }]] }],
    [{ result: true }],
  ]);
});

describe("the caller's built-ins", () => {
  const policy = `package custom

zero := acme.zero()

three := acme.more(input[0], input[1], input[2])

written := x if acme.more(input[0], input[1], input[2], x)

later := acme.later(input[0])

fails := acme.fails()

ours if json.is_valid("{}")
`;
  const custom: CustomBuiltins = {
    'acme.zero': () => 'hello',
    'acme.more': (...operands: string[]) => operands.join('-'),
    'acme.later': async (operand: unknown) => operand,
    'acme.fails': () => {
      throw new Error('boom');
    },
    'json.is_valid': () => {
      throw new Error('not called');
    },
  };
  const load = () =>
    open(
      policy,
      ['zero', 'three', 'written', 'later', 'fails', 'ours'].map((name) => `custom/${name}`),
      custom,
    );

  test('have as many operands as they are called with, and do not replace ours', async () => {
    const loaded = await load();
    const results = ['zero', 'three', 'written', 'ours'].map((name) => loaded.evaluate(['a', 'b', 'c'], `custom/${name}`));
    expect(results).toEqual([[{ result: 'hello' }], [{ result: 'a-b-c' }], [{ result: 'a-b-c' }], [{ result: true }]]);
  });

  test('end the evaluation where they throw, and may be waited for', async () => {
    const loaded = await load();
    expect(() => loaded.evaluate([], 'custom/fails')).toThrow('acme.fails: boom');
    expect(() => loaded.evaluate([1], 'custom/later')).toThrow('acme.later waits for its answer: use evaluateAsync');
    expect(await loaded.evaluateAsync([1], 'custom/later')).toEqual([{ result: 1 }]);
  });

  test('that nobody brings are errors of the compiler', async () => {
    const loading = open('package a\n\nx := acme.none(1)', ['a/x'], custom);
    await expect(loading).rejects.toMatchObject({
      name: 'CompileErrors',
      message: expect.stringContaining('undefined function acme.none'),
    });
  });
});

test('rules that contradict each other are an error with its place', async () => {
  const policy = await open('package a\n\nx := 1 if input.a\n\nx := 2 if input.b', ['a/x']);
  const wanted = { code: 'eval_conflict_error', location: expect.objectContaining({ file: '/policy.rego', row: 3 }) };
  expect(() => policy.evaluate({ a: true, b: true })).toThrow(expect.objectContaining(wanted));
  expect(policy.evaluate({ a: true })).toEqual([{ result: 1 }]);
});

describe('a bundle', () => {
  test('of a plan is evaluated by it', async () => {
    const plan = JSON.parse(readFileSync('fixtures/bundles/example/plan.json', 'utf8')) as { plans: { plans: { name: string }[] } };
    const policy = await loadPolicy(await archiveOf({ '/plan.json': JSON.stringify(plan) }));
    expect(Object.keys(policy.entrypoints)).toEqual(plan.plans.plans.map(({ name }) => name));
    expect(policy.evaluate({})).toEqual([{ result: expect.anything() }]);
  });

  test('of WebAssembly alone is evaluated by that, with its data', async () => {
    const wasm = wasmPolicy({ rules: { data: { document: 'data' }, input: { document: 'input' } } });
    const policy = await loadPolicy(await archiveOf({ '/policy.wasm': wasm, '/data.json': '{"a":1}' }));
    expect([policy.evaluate(), policy.evaluate(2, 'input')]).toEqual([[{ result: { a: 1 } }], [{ result: 2 }]]);
  });

  test('without WebAssembly has the entrypoints that annotations name', async () => {
    const text = '# METADATA\n# entrypoint: true\npackage a\n\nx := 1\n\n# METADATA\n# entrypoint: true\ny := 2';
    const policy = await loadPolicy(await archiveOf({ '/a.rego': text }));
    expect(policy.entrypoints).toEqual({ a: 0, 'a/y': 1, 'a/x': 2 });
    expect(policy.evaluate()).toEqual([{ result: { x: 1, y: 2 } }]);
  });

  test('without any, as build -e writes it, answers each rule by its path', async () => {
    const policy = await loadPolicy(await archiveOf({ '/a.rego': 'package a.b\n\nx := 1\n\nf(x) := x\n\ny.z := f(2)' }));
    expect(policy.entrypoints).toEqual({ 'a/b/x': 0, 'a/b/y/z': 1 });
    expect(policy.evaluate(undefined, 'a/b/y/z')).toEqual([{ result: 2 }]);
    // The order of rules says nothing of which one is meant.
    expect(() => policy.evaluate()).toThrow(expect.objectContaining({ code: 'invalid_entrypoint' }));
    const alone = await loadPolicy(await archiveOf({ '/a.rego': 'package a\n\nx := 1' }));
    expect(alone.evaluate()).toEqual([{ result: 1 }]);
    await expect(loadPolicy(await archiveOf({ '/a.rego': 'package a\n\nf(x) := x' }))).rejects.toThrow('no rule that can be asked');
  });

  test('with a plan has the entrypoints of the plan', async () => {
    const policies = { 'a.rego': 'package a\n\nx := 1\n\ny := 2' };
    const plan = compile({ policies, entrypoints: ['a/y', 'a/x'] });
    const policy = await loadPolicy(await archiveOf({ '/a.rego': policies['a.rego'], '/plan.json': JSON.stringify(plan) }));
    expect(policy.entrypoints).toEqual({ 'a/y': 0, 'a/x': 1 });
    expect(policy.evaluate()).toEqual([{ result: 2 }]);
  });

  test('whose rules are in WebAssembly alone is answered by that', async () => {
    const rules = { 'az/deny': { value: '"of the WebAssembly"' }, 'az/allow': { value: 'true' } };
    const wasm = Object.keys(rules).map((entrypoint) => ({ entrypoint, module: '/policy.wasm' }));
    const files = {
      '/az.rego': 'package az\n\nimport data.az.allow\nimport data.az.deny',
      '/policy.wasm': wasmPolicy({ rules }),
      '/.manifest': JSON.stringify({ revision: '', roots: [''], wasm }),
    };
    const policy = await loadPolicy(await archiveOf(files));
    expect(policy.entrypoints).toEqual({ 'az/deny': 0, 'az/allow': 1 });
    expect(policy.evaluate({})).toEqual([{ result: 'of the WebAssembly' }]);
    // One rule that is left in the Rego does not make the others.
    const partly = await loadPolicy(await archiveOf({ ...files, '/az.rego': 'package az\n\ndeny := true' }));
    expect(partly.evaluate({}, 'az/allow')).toEqual([{ result: true }]);
    const split = wasm.map(({ entrypoint }, i) => ({ entrypoint, module: `/${i}/policy.wasm` }));
    const both = {
      '/az.rego': files['/az.rego'],
      '/0/policy.wasm': files['/policy.wasm'],
      '/1/policy.wasm': files['/policy.wasm'],
      '/.manifest': JSON.stringify({ revision: '', roots: [''], wasm: split }),
    };
    await expect(loadPolicy(await archiveOf(both))).rejects.toThrow('several files of WebAssembly');
  });

  test('whose entrypoint is no rule is refused', async () => {
    await expect(open('package a\n\nx := 1', ['a/y'])).rejects.toThrow('entrypoint "a/y" of the bundle is no rule');
  });

  test('that cannot be read is a BundleError', async () => {
    await expect(loadPolicy(Uint8Array.of(0x1f, 0x8b, 1, 2))).rejects.toMatchObject({ name: 'BundleError' });
  });

  test('may come from readBundle, or in an answer of fetch', async () => {
    const archive = await bundleOf(orders, ['orders/allow']);
    expect((await loadPolicy(await readBundle('fixtures/bundles/example'))).entrypoints).not.toEqual({});
    expect((await loadPolicy(Promise.resolve(new Response(archive as BodyInit)))).evaluate({ user: 'ann' })).toEqual([{ result: true }]);
  });

  test('is not loaded at once', async () => {
    const archive = await bundleOf(orders, ['orders/allow']);
    expect(() => loadPolicySync(archive)).toThrow('a bundle is loaded by loadPolicy');
  });
});

test('the functions are members of the default export too', () => {
  expect([opa.loadPolicy, opa.loadPolicySync]).toEqual([loadPolicy, loadPolicySync]);
});
