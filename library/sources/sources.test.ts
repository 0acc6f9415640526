/** Sources of engines: accepted and refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { Engine as WebEngine } from '../browser.js';
import { Engine, type Source } from '../index.js';

const folder = mkdtempSync(join(tmpdir(), 'writ-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const policy = 'package authz\n\nallow if input.user in data.admins\n';
const file = join(folder, 'authz.rego');
writeFileSync(file, policy);
const directory = join(folder, 'policies');
mkdirSync(join(directory, 'inner'), { recursive: true });
writeFileSync(join(directory, 'authz.rego'), policy);
writeFileSync(join(directory, 'inner', 'other.rego'), 'package other\n\nx := 1\n');
writeFileSync(join(directory, 'data.json'), '{"admins": ["ann"]}');
writeFileSync(join(folder, 'broken.rego'), Buffer.from([0x70, 0xff, 0xfe]));

const plan = () => compile({ policies: { 'authz.rego': policy }, entrypoints: ['authz/allow'] });
const data = { admins: ['ann'] };

describe('a source', () => {
  test.each<[string, () => Source | readonly Source[]]>([
    ['texts and documents', () => [{ policies: { 'authz.rego': policy }, data }]],
    ['one that stands alone', () => ({ policies: { 'authz.rego': policy }, data })],
    ['a plan', () => [plan(), { data }]],
    ['the path of a policy', () => [file, { data }]],
    ['its URL', () => [pathToFileURL(file), { data }]],
    ['its URL as a text', () => [pathToFileURL(file).href, { data }]],
    ['the path of a directory', () => directory],
  ])('may be %s', async (_title, sources) => {
    const engine = await Engine.open(sources());
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({});
  });

  test.each(['a.json', 'b.yaml', 'c.yml', 'd.rego'])('may be a directory whose name ends as that of a file: %s', async (name) => {
    const named = join(folder, name);
    mkdirSync(named);
    writeFileSync(join(named, 'p.rego'), policy);
    const engine = await Engine.open([named, { data }]);
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    const verification = { keys: { k: { key: 'secret', algorithm: 'HS256' } } } as const;
    await expect(Engine.open(named, { verification })).rejects.toMatchObject({ name: 'SignatureError', code: 'signature' });
  });

  test.each([
    ['Node', Engine],
    ['browsers', WebEngine],
  ])('may be bytes of another realm, on %s', async (_title, Opened) => {
    const bytes = runInNewContext('new Uint8Array(own)', { own: [...Buffer.from(JSON.stringify(plan()))] }) as Uint8Array;
    expect(bytes).not.toBeInstanceOf(Uint8Array);
    const engine = await Opened.open([bytes, { data }]);
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  });

  test('may stand beside others of its kind', async () => {
    const other = compile({ policies: { 'o.rego': 'package other\nx := 1' }, entrypoints: ['other/x'] });
    expect((await Engine.open([plan(), other])).entrypoints).toEqual(['authz/allow', 'other/x']);
    const engine = await Engine.open([file, join(directory, 'inner', 'other.rego')]);
    expect(engine.rules()).toEqual(['authz/allow', 'other/x']);
  });

  test.each<[string, unknown, string]>([
    ['a misspelt key', [{ polices: {} }], 'an object with "polices"'],
    ['a key too many', [{ policies: {}, dta: {} }], 'an object with "dta"'],
    ['an empty object', [{}], 'an object with neither policies nor data'],
    ['nothing', undefined, 'undefined'],
    ['null', [null], 'null'],
    ['a number', [1], 'a number'],
    ['a list in a list', [['a']], 'an array'],
    ['a text of a policy', [policy], 'the text of a policy is no path'],
    ['an empty text', [''], 'an empty text is no path'],
    ['policies that are a text', [{ policies: policy }], 'policies that are a string'],
    ['policies that are a list', [{ policies: [policy] }], 'policies that are an array'],
    ['policies that are a Map', [{ policies: new Map([['a', policy]]) }], 'policies that are an object'],
    ['a policy that is no text', [{ policies: { 'a.rego': Buffer.from(policy) } }], 'policy "a.rego", which is an object and no text'],
    ['half a bundle', [{ manifest: {} }], 'an object with a manifest, but without the modules, plans and data of a bundle'],
  ])('of no known form is refused, and the forms are named: %s', async (_title, sources, problem) => {
    const opened = Engine.open(sources as never);
    await expect(opened).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_source' });
    await expect(opened).rejects.toThrow(`${problem}: a source is a path`);
  });

  test('that cannot be read is an error', async () => {
    await expect(Engine.open(join(folder, 'none.rego'))).rejects.toMatchObject({ name: 'BundleError', code: 'not_found' });
    await expect(Engine.open(join(folder, 'none'))).rejects.toMatchObject({ name: 'BundleError', code: 'not_found' });
    await expect(Engine.open(join(folder, 'broken.rego'))).rejects.toMatchObject({ name: 'BundleError', code: 'syntax' });
    await expect(Engine.open({ plans: 'x' } as never)).rejects.toMatchObject({ name: 'PlanError', code: 'invalid_plan' });
  });

  test('may not have a policy of a name that another has', async () => {
    const source = { policies: { 'authz.rego': policy } };
    await expect(Engine.open([source, source])).rejects.toMatchObject({ code: 'policy_conflict' });
  });

  test('has documents that are JSON', async () => {
    const opened = Engine.open({ data: { users: { ann: { since: new Date(0) } } } as never });
    await expect(opened).rejects.toMatchObject({ code: 'invalid_data', message: 'data.users.ann.since is a Date: give its toISOString()' });
    await expect(Engine.open({ data: [1] as never })).rejects.toMatchObject({ code: 'invalid_data' });
    const engine = await Engine.open([]);
    await expect(engine.setData('users/ann', { since: new Map() })).rejects.toMatchObject({
      code: 'invalid_data',
      message: 'data.users.ann.since is a Map: give Object.fromEntries(map)',
    });
    expect(engine.data).toEqual({});
  });
});

test.each<[string, unknown]>([
  ['an option that there is not', { allow_net: [] }],
  ['hosts that are a text', { allowNet: 'example.com' }],
  ['built-ins by name', { builtins: {} }],
  ['variables that are no texts', { env: { A: 1 } }],
  ['a version that there is not', { regoVersion: 1 }],
  ['hosts of capabilities that are a text', { capabilities: { allow_net: 'example.com' } }],
])('%s is an error', async (_title, options) => {
  await expect(Engine.open([], options as never)).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_option' });
});

test('a policy is set by texts', async () => {
  const engine = await Engine.open([]);
  await expect(engine.setPolicy('a.rego', 1 as never)).rejects.toMatchObject({ code: 'invalid_source' });
});
