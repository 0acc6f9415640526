import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { CompileErrors } from '../compiler/diagnostics/diagnostics.js';
import { type Bundle, emptyBundle } from '../engine/bundle/bundle.js';
import { emptyManifest } from '../engine/bundle/manifest.js';
import { PolicyError } from '../engine/policy-error.js';
import { asyncBuiltin } from '../values/builtins/builtin.js';
import * as types from '../values/type.js';
import { EngineError } from './errors/engine-error.js';
import { Engine, type PatchOperation } from './index.js';

const authz = `package authz

allow if input.user in data.admins

level[name] := 1 if some name in data.admins

limit := data.settings.limit
`;

function bundleOf(policies: Readonly<Record<string, string>>, data: Bundle['data'] = {}): Bundle {
  const modules = Object.entries(policies).map(([path, text]) => ({
    path,
    url: path,
    bundlePath: `/${path}`,
    text,
    bytes: new TextEncoder().encode(text),
  }));
  return { ...emptyBundle, data, modules };
}

const open = () => Engine.open([{ policies: { 'authz.rego': authz }, data: { admins: ['ann'], settings: { limit: 3 } } }]);

test('policies in source decide at once: rules, what is below and above them, and base documents', async () => {
  const engine = await open();
  expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({});
  expect(engine.decide('authz/level/ann')).toEqual({ result: 1 });
  expect(engine.decide('authz', { user: 'ann' })).toEqual({ result: { allow: true, level: { ann: 1 }, limit: 3 } });
  expect(engine.decide('settings/limit')).toEqual({ result: 3 });
  expect(engine.decide('admins/0')).toEqual({ result: 'ann' });
  expect(engine.decide('nothing/here')).toEqual({});
  expect(engine.decide('', { user: 'bob' })).toEqual({
    result: { admins: ['ann'], settings: { limit: 3 }, authz: { level: { ann: 1 }, limit: 3 } },
  });
  expect(await engine.decideAsync('authz/allow', { user: 'ann' })).toEqual({ result: true });
});

test('a bundle of policies without a plan is compiled', async () => {
  const engine = await Engine.open([bundleOf({ 'p.rego': 'package p\nx := data.n + 1\n' }, { n: 1 })]);
  expect(engine.decide('p/x')).toEqual({ result: 2 });
});

test('a bundle says which version its policies are of', async () => {
  const old = { ...bundleOf({ 'p.rego': 'package p\nx { true }\n' }), manifest: { ...emptyManifest, regoVersion: 0 } };
  expect((await Engine.open([old])).decide('p/x')).toEqual({ result: true });
  const text = { policies: { 'p.rego': 'package p\nx { true }\n' } };
  expect((await Engine.open([text], { regoVersion: 'v0' })).decide('p/x')).toEqual({ result: true });
  await expect(Engine.open([text])).rejects.toThrow(CompileErrors);
});

test('a policy that is set is there at the next decision', async () => {
  const engine = await open();
  await engine.setPolicy('more.rego', 'package authz\nallow if input.user == "root"\n');
  expect(engine.decide('authz/allow', { user: 'root' })).toEqual({ result: true });
  await engine.setPolicy('more.rego', 'package authz\nallow if input.user == "boss"\n');
  expect(engine.decide('authz/allow', { user: 'root' })).toEqual({});
  expect(engine.decide('authz/allow', { user: 'boss' })).toEqual({ result: true });
  await engine.setPolicy('more.rego', undefined);
  expect(engine.decide('authz/allow', { user: 'boss' })).toEqual({});
  await expect(engine.setPolicy('more.rego', undefined)).rejects.toThrow(EngineError);
});

test.each([
  ['that does not parse', 'package p\nx if {'],
  ['that does not compile', 'package p\nx if y\n'],
  ['that does not go with the others', 'package authz\nlimit := 4 if true\nlimit contains 1\n'],
  ['that is where a document is', 'package settings\nlimit := 1\n'],
])('a policy %s changes nothing', async (_, text) => {
  const engine = await open();
  await expect(engine.setPolicy('more.rego', text)).rejects.toThrow(CompileErrors);
  expect(engine.decide('authz/limit')).toEqual({ result: 3 });
  await engine.setPolicy('more.rego', 'package fine\nx := 1\n');
  expect(engine.decide('fine/x')).toEqual({ result: 1 });
});

test('a document that is set is there at the next decision, and what was answered before stays as it was', async () => {
  const engine = await open();
  const before = engine.data;
  await engine.setData('admins', ['bob']);
  await engine.setData('settings/deep/er', { x: 1 });
  expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({ result: true });
  expect(engine.decide('settings')).toEqual({ result: { limit: 3, deep: { er: { x: 1 } } } });
  expect(before).toEqual({ admins: ['ann'], settings: { limit: 3 } });
  await engine.setData('settings/deep', undefined);
  expect(engine.data).toEqual({ admins: ['bob'], settings: { limit: 3 } });
  await engine.setData('settings/__proto__', 1);
  expect(engine.decideText('settings')).toBe('{"result":{"__proto__":1,"limit":3}}');
});

test('documents do not stand where rules do, nor below what is no object', async () => {
  const engine = await open();
  await expect(engine.setData('authz/allow', true)).rejects.toThrow(PolicyError);
  await expect(engine.setData('authz', { limit: 1 })).rejects.toThrow('conflicting rule for data path authz/limit found');
  await expect(engine.setData('admins/x', 1)).rejects.toThrow(EngineError);
  await expect(engine.setData('', 1)).rejects.toThrow(EngineError);
  expect(engine.data).toEqual({ admins: ['ann'], settings: { limit: 3 } });
});

describe('a patch', () => {
  const data = { users: { ann: { roles: ['dev'] }, 'a/b': 1 }, list: [1, 2] };
  const opened = () => Engine.open({ policies: { 'p.rego': 'package p\n\nx := 1\n' }, data });

  test.each<[string, string, PatchOperation[], unknown]>([
    [
      'adds members and elements',
      '',
      [{ op: 'add', path: '/users/ann/roles/-', value: 'admin' }],
      { ann: { roles: ['dev', 'admin'] }, 'a/b': 1 },
    ],
    ['begins below its path', 'users/ann', [{ op: 'add', path: '/roles/0', value: 'x' }], { ann: { roles: ['x', 'dev'] }, 'a/b': 1 }],
    ['takes a path as in a policy', 'data.users', [{ op: 'replace', path: '/ann', value: null }], { ann: null, 'a/b': 1 }],
    ['knows the escapes of pointers', 'users', [{ op: 'remove', path: '/a~1b' }], { ann: { roles: ['dev'] } }],
    ['takes pointers as they are sent over REST', 'users', [{ op: 'replace', path: 'ann', value: 1 }], { ann: 1, 'a/b': 1 }],
    ['passes over slashes at the ends of pointers', 'users', [{ op: 'replace', path: '//ann//', value: 1 }], { ann: 1, 'a/b': 1 }],
    ['changes the document of its path', 'users', [{ op: 'replace', path: '', value: {} }], {}],
    [
      'makes one change after the other',
      'users',
      [
        { op: 'add', path: '/bob', value: {} },
        { op: 'add', path: '/bob/roles', value: [] },
        { op: 'remove', path: '/ann' },
      ],
      { bob: { roles: [] }, 'a/b': 1 },
    ],
    ['may have no operations', 'users', [], data.users],
  ])('%s', async (_title, path, operations, users) => {
    const engine = await opened();
    const before = JSON.stringify(data);
    await engine.patchData(path, operations);
    expect(engine.decide('users')).toEqual({ result: users });
    expect(JSON.stringify(data)).toBe(before);
  });

  test.each<[string, unknown, string, string]>([
    ['none', undefined, 'invalid_data', 'a patch is an array of operations'],
    ['an operation that is none', [null], 'invalid_data', 'operation 0 of the patch is no object'],
    [
      'another operation',
      [{ op: 'move', path: '/a', from: '/b' }],
      'invalid_data',
      'operation 0 of the patch: op is "add", "replace" or "remove"',
    ],
    ['no pointer', [{ op: 'remove' }], 'invalid_data', 'operation 0 of the patch: path is a JSON pointer'],
    ['no value', [{ op: 'add', path: '/x' }], 'invalid_data', 'operation 0 of the patch has no value'],
    ['what is no JSON', [{ op: 'add', path: '/x', value: new Date(0) }], 'invalid_data', 'data.users.x is a Date'],
    ['nothing to remove', [{ op: 'remove', path: '/nobody' }], 'invalid_path', 'document does not exist'],
    ['a pointer deeper than documents', [{ op: 'remove', path: '/a'.repeat(1e6) }], 'invalid_path', 'document does not exist'],
    ['no parent', [{ op: 'add', path: '/nobody/x', value: 1 }], 'invalid_path', 'document does not exist'],
  ])('of %s changes nothing', async (_title, operations, code, message) => {
    const engine = await opened();
    const good = { op: 'add', path: '/carl', value: 1 };
    const given = Array.isArray(operations) && operations[0]?.op !== undefined ? [good, ...operations] : operations;
    const patch = engine.patchData('users', given as never);
    await expect(patch).rejects.toMatchObject({ name: 'EngineError', code });
    await expect(patch).rejects.toThrow(message.replace('operation 0', given === operations ? 'operation 0' : 'operation 1'));
    expect(engine.data).toEqual(data);
  });

  test('writes nothing where a rule is', async () => {
    const engine = await opened();
    await expect(engine.patchData('', [{ op: 'add', path: '/p', value: { x: 2 } }])).rejects.toThrow(PolicyError);
    expect(engine.decide('p/x')).toEqual({ result: 1 });
  });
});

test('changes of each kind are made in the order of their calls', async () => {
  const engine = await Engine.open({ data: { list: [] } });
  const add = (value: unknown): PatchOperation[] => [{ op: 'add', path: '/-', value }];
  await Promise.all([engine.patchData('list', add(1)), engine.setData('list', []), engine.patchData('list', add(2))]);
  expect(engine.decide('list')).toEqual({ result: [2] });
  const conflict = [engine.setPolicy('p.rego', 'package taken\n\nx := 1\n'), engine.setData('taken/x', 2)];
  expect(await Promise.allSettled(conflict)).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
});

test('changes are made one after the other', async () => {
  const engine = await open();
  await Promise.all(Array.from({ length: 20 }, (_, i) => engine.setData(`numbers/n${i}`, i)));
  expect(Object.keys((engine.decide('numbers').result ?? {}) as object)).toHaveLength(20);
});

test('a bundle with a plan is answered by that, until a policy is set', async () => {
  const policies = { 'p.rego': 'package p\nx := 1\ny := 2\n' };
  const policy = compile({ policies, entrypoints: ['p/x'] });
  const planned = { ...bundleOf(policies), plans: [{ path: 'plan.json', url: 'plan.json', bundlePath: '/plan.json', policy }] };
  const engine = await Engine.open([planned]);
  expect(engine.entrypoints).toEqual(['p/x']);
  expect(engine.decide('p/y')).toEqual({});
  // A query needs no policies: the plan goes on answering.
  const query = await engine.prepare({ query: 'x := data.p' });
  expect(query.decide()).toEqual({});
  expect(engine.decide('p/x')).toEqual({ result: 1 });
  await engine.setPolicy('q.rego', 'package q\nz := data.p.x + data.p.y\n');
  expect(engine.decide('q/z')).toEqual({ result: 3 });
  expect(query.decide()).toEqual({ result: [{ x: { x: 1, y: 2 } }] });
  expect(engine.decide('p/y')).toEqual({ result: 2 });
});

test('what a policy needs of large libraries is there at the first decision', async () => {
  const text = 'package p\nx := regex.match("a+", input.s)\ny := rego.parse_module("m.rego", "package m")["package"].path[1].value\n';
  const engine = await Engine.open([{ policies: { 'p.rego': text } }]);
  expect(engine.decide('p/x', { s: 'caa' })).toEqual({ result: true });
  expect(engine.decide('p/y')).toEqual({ result: 'm' });
});

test('an entrypoint at which there are no rules is an error of the compilation', () => {
  expect(() => compile({ policies: { 'p.rego': 'package p\nx := 1\n' }, entrypoints: ['p/y'] })).toThrow(CompileErrors);
  expect(compile({ policies: { 'p.rego': 'package p\nx := 1\n' }, entrypoints: ['p'] }).plans?.plans?.map(({ name }) => name)).toEqual([
    'p',
  ]);
});

test('plans stand in front of policies and documents at the same paths', async () => {
  const policy = JSON.parse(JSON.stringify(compile({ policies: { 'a.rego': 'package p\n\nx := input.n\n' }, entrypoints: ['p/x'] })));
  const planned: Bundle = { ...emptyBundle, plans: [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy }] };
  const engine = await Engine.open([planned, { data: { p: { z: 3 } } }]);
  expect(engine.decide('p', { n: 1 })).toEqual({ result: { x: 1, z: 3 } });
  await engine.setPolicy('p.rego', 'package p\n\nx := "rule"\n\ny := 2\n');
  expect(engine.decide('p/x', { n: 1 })).toEqual({ result: 1 });
  expect(engine.decide('p/x', {})).toEqual({ result: 'rule' });
  expect(engine.decide('p', { n: 1 })).toEqual({ result: { x: 1, y: 2, z: 3 } });
  expect(await engine.decideAsync('', {})).toEqual({ result: { p: { x: 'rule', y: 2, z: 3 } } });
});

describe('documents', () => {
  const big = () => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, { n: i }]));

  test('that were given stay as they are, and what was answered before stays what it was', async () => {
    const users = big();
    const engine = await Engine.open([{ data: { users } }]);
    const given = { a: { b: 1 } };
    await engine.setData('more', given);
    const before = engine.data;
    const answered = engine.decide('users').result;
    for (const [path, value] of [
      ['users/k1', 'new'],
      ['users/k2', undefined],
      ['more/a/b', 2],
      ['more/a/c', 3],
    ] as const) {
      await engine.setData(path, value);
    }
    expect(users).toEqual(big());
    expect(given).toEqual({ a: { b: 1 } });
    expect(answered).toEqual(big());
    expect(before.users).toBe(users);
    expect(engine.decide('more')).toEqual({ result: { a: { b: 2, c: 3 } } });
    expect(engine.decide('users/k1')).toEqual({ result: 'new' });
    expect(engine.decide('users/k2')).toEqual({});
  });

  test('that are the engine’s own are written in place', async () => {
    const users = big();
    const engine = await Engine.open([{ data: { users } }], { ownsData: true });
    await engine.setData('users/k1', 'new');
    await engine.setData('users/k2', undefined);
    expect(engine.data.users).toBe(users);
    expect(users.k1).toBe('new');
    expect(Object.hasOwn(users, 'k2')).toBe(false);
  });

  test('a decision that waits sees those that it began with', async () => {
    let answer: (value: string) => void = () => undefined;
    const waits = asyncBuiltin('test.wait', [], types.string, () => new Promise<string>((resolve) => (answer = resolve)));
    const policies = { 'p.rego': 'package p\n\nx := [data.users.k1, test.wait(), data.users.k1]\n' };
    const engine = await Engine.open([{ policies, data: { users: big() } }], { ownsData: true, builtins: [waits] });
    const decision = engine.decideAsync('p/x');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.setData('users/k1', 'new');
    answer('waited');
    expect(await decision).toEqual({ result: [{ n: 1 }, 'waited', { n: 1 }] });
    expect(engine.decide('users/k1')).toEqual({ result: 'new' });
  });

  test.each([[null], [false], [0], ['']])('%j is a document as any other', async (value) => {
    const engine = await Engine.open({ data: { settings: {} } });
    await engine.setData('settings/x', value);
    expect(engine.decide('settings/x')).toEqual({ result: value });
  });

  test.each<[string, unknown, string]>([
    ['list/0', 1, 'invalid_path'],
    ['n/x', 1, 'invalid_path'],
    ['n/x', undefined, 'invalid_path'],
    ['', 1, 'invalid_path'],
  ])('%s takes no %j', async (path, value, code) => {
    const engine = await Engine.open([{ data: { list: [1], n: 1 } }]);
    await expect(engine.setData(path, value)).rejects.toMatchObject({ code });
    expect(engine.data).toEqual({ list: [1], n: 1 });
    await engine.setData('no/such', undefined);
    await engine.setData('', { other: 1 });
    expect(engine.data).toEqual({ other: 1 });
    await engine.setData('', undefined);
    expect(engine.data).toEqual({});
  });
});

test('after each change an engine answers what one answers that was opened with all policies as they are', async () => {
  const engine = await Engine.open([{ policies: { 'a.rego': 'package a\n\nx := data.b.y\n' }, data: { base: 1 } }]);
  const policies = new Map([['a.rego', 'package a\n\nx := data.b.y\n']]);
  const changes: readonly (readonly [string, string | undefined])[] = [
    ['b.rego', 'package b\n\ny := 1\n'],
    ['b.rego', 'package b\n\ny := data.base + 1\n\nf(x) := x\n'],
    ['c.rego', 'package b\n\nz contains 1\n'],
    ['a.rego', 'package a\n\nx := data.b.f(data.b.y)\n\nall[k] := v if some k, v in data.b\n'],
    ['c.rego', 'package b\n\nz contains 2\n'],
    ['c.rego', undefined],
    ['d.rego', 'package b.deep\n\nw := input.v\n'],
    ['b.rego', 'package b\n\ny := 5\n\nf(x) := x + 1\n'],
  ];
  const paths = ['a/x', 'a/all', 'b', 'b/y', 'b/z', 'b/deep/w', 'base', 'a', ''];
  for (const [id, text] of changes) {
    await engine.setPolicy(id, text);
    if (text === undefined) policies.delete(id);
    else policies.set(id, text);
    const fresh = await Engine.open([{ policies: Object.fromEntries(policies), data: { base: 1 } }]);
    for (const path of paths) expect([path, engine.decide(path, { v: 3 })]).toEqual([path, fresh.decide(path, { v: 3 })]);
  }
  const before = paths.map((path) => engine.decide(path, { v: 3 }));
  await expect(engine.setPolicy('b.rego', 'package b\n\nf(x, z) := x\n')).rejects.toThrow('arity');
  expect(paths.map((path) => engine.decide(path, { v: 3 }))).toEqual(before);
});
