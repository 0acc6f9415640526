/** Decisions that are prepared once and made again and again. */
import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { CompileErrors } from '../compiler/diagnostics/diagnostics.js';
import { asyncBuiltin } from '../values/builtins/builtin.js';
import * as types from '../values/type.js';
import { Engine, EvaluationError } from './index.js';

const authz = `package authz

allow if input.user in data.admins

level[name] := 1 if some name in data.admins

big := 12345678901234567890

f(x) := x
`;
const open = (options = {}) => Engine.open([{ policies: { 'authz.rego': authz }, data: { admins: ['ann', 'eve'] } }], options);

describe('a prepared decision', () => {
  test.each(['authz/allow', 'data.authz.allow', '/authz/allow/'])('answers as decide does: %s', async (path) => {
    const engine = await open();
    const allow = await engine.prepare<boolean>(path);
    expect(allow.decide({ user: 'ann' })).toEqual({ result: true });
    expect(await allow.decideAsync({ user: 'ann' })).toEqual({ result: true });
    expect(allow.decideText('{"user": "ann"}')).toBe('{"result":true}');
    expect(allow.decide({ user: 'bob' })).toEqual({});
    expect(allow.decideText('{"user": "bob"}')).toBe('{}');
  });

  test.each([
    ['a whole package', 'authz', { level: { ann: 1, eve: 1 }, big: 12345678901234567000 }],
    ['a part of a rule', 'authz/level/ann', 1],
    ['a base document', 'admins/1', 'eve'],
    ['nothing', 'no/such', undefined],
    ['a function', 'authz/f', undefined],
  ])('answers %s', async (_title, path, result) => {
    const engine = await open();
    expect((await engine.prepare(path)).decide({})).toEqual(result === undefined ? {} : { result });
  });

  test('checks its input', async () => {
    const allow = await (await open()).prepare('authz/allow');
    expect(() => allow.decide(new Date())).toThrow('input');
    await expect(allow.decideAsync(new Date())).rejects.toMatchObject({ code: 'invalid_input' });
    expect(() => allow.decideText('{')).toThrow();
  });

  test('decides with the options that it was prepared with, unless it is given others', async () => {
    const engine = await open();
    const bounded = await engine.prepare('authz/level', { instructions: 1 });
    expect(() => bounded.decide({})).toThrow(EvaluationError);
    await expect(bounded.decideAsync({})).rejects.toThrow(EvaluationError);
    expect(bounded.decide({}, {})).toEqual({ result: { ann: 1, eve: 1 } });
    const strict = await engine.prepare('authz/alow', { strict: true });
    expect(() => strict.decide({})).toThrow('there is no rule, entrypoint or document at "authz/alow"');
    expect(strict.decide({}, { strict: false })).toEqual({});
  });

  test('runs in a thread, if its options say so, from decideAsync alone', async () => {
    const allow = await (await open()).prepare('authz/allow', { thread: true });
    expect(() => allow.decide({})).toThrow('decide has no threads: use decideAsync');
  });

  test('waits for built-ins in decideAsync', async () => {
    const owner = asyncBuiltin('acme.owner', [], types.string, async () => 'ann');
    const engine = await Engine.open([{ policies: { 'p.rego': 'package p\nx := acme.owner()' } }], { builtins: [owner] });
    const x = await engine.prepare('p/x');
    expect(await x.decideAsync()).toEqual({ result: 'ann' });
    expect(() => x.decide()).toThrow('waits for its answer');
  });

  test.each<[string, unknown, unknown, string]>([
    ['a path that cannot be read', 'data..x', {}, 'invalid_path'],
    ['no path', 1, {}, 'invalid_path'],
    ['nothing', undefined, {}, 'invalid_path'],
    ['an object that is no query', {}, {}, 'invalid_path'],
    ['a query that is no text', { query: 1 }, {}, 'invalid_path'],
    ['an option that there is not', 'authz/allow', { timeoutMs: 1 }, 'invalid_option'],
  ])('is refused for %s', async (_title, asked, options, code) => {
    await expect((await open()).prepare(asked as string, options as object)).rejects.toMatchObject({ code });
  });

  test('ends with its engine', async () => {
    const engine = await open();
    const allow = await engine.prepare('authz/allow');
    await engine.close();
    expect(() => allow.decide({})).toThrow('the engine is closed');
    await expect(allow.decideAsync({})).rejects.toThrow('the engine is closed');
    await expect(engine.prepare('authz/allow')).rejects.toThrow('the engine is closed');
  });
});

describe('after a change, a prepared decision', () => {
  test('sees the documents as they are', async () => {
    const engine = await open();
    const allow = await engine.prepare('authz/allow');
    await engine.setData('admins', ['bob']);
    expect(allow.decide({ user: 'bob' })).toEqual({ result: true });
    expect(await allow.decideAsync({ user: 'ann' })).toEqual({});
  });

  test('is made by the policies as they are', async () => {
    const engine = await open();
    const [allow, later] = await Promise.all([engine.prepare('authz/allow'), engine.prepare('more/x')]);
    expect(later.decide()).toEqual({});
    await engine.setPolicy('authz.rego', 'package authz\nallow if input.user == "root"');
    expect(allow.decide({ user: 'root' })).toEqual({ result: true });
    expect(allow.decide({ user: 'ann' })).toEqual({});
    await engine.setPolicy('more.rego', 'package more\nx := 1');
    expect(await later.decideAsync()).toEqual({ result: 1 });
    await engine.setPolicy('authz.rego', undefined);
    expect(allow.decide({ user: 'root' })).toEqual({});
  });

  test('stays as it was where the change is rejected', async () => {
    const engine = await open();
    const allow = await engine.prepare('authz/allow');
    await expect(engine.setPolicy('authz.rego', 'package authz\nallow if')).rejects.toThrow(CompileErrors);
    expect(allow.decide({ user: 'ann' })).toEqual({ result: true });
  });

  test('is answered by a policy in the place of a plan', async () => {
    const plan = compile({ policies: { 'p.rego': 'package p\nx := 1' }, entrypoints: ['p/x'] });
    const engine = await Engine.open([plan]);
    const all = await engine.prepare('p');
    expect(all.decide()).toEqual({ result: { x: 1 } });
    await engine.setPolicy('q.rego', 'package p\ny := 2');
    expect(all.decide()).toEqual({ result: { x: 1, y: 2 } });
  });
});

describe('a prepared query', () => {
  test('answers its solutions, in order, each as often as it is found', async () => {
    const engine = await open();
    const query = await engine.prepare<{ by: string; name: string }[]>({ query: 'name := data.admins[_]; by := input.user' });
    const result = [
      { by: 'bob', name: 'ann' },
      { by: 'bob', name: 'eve' },
    ];
    expect(query.decide({ user: 'bob' })).toEqual({ result });
    expect(await query.decideAsync({ user: 'bob' })).toEqual({ result });
    expect(query.decideText('{"user": "bob"}')).toBe(JSON.stringify({ result }));
    expect((await engine.prepare({ query: '[1, 1][_] == 1' })).decide()).toEqual({ result: [{}, {}] });
    const big = await engine.prepare({ query: 'x := data.authz.big' });
    expect(big.decideText()).toBe('{"result":[{"x":12345678901234567890}]}');
  });

  test('has no result where it has no solution', async () => {
    const query = await (await open()).prepare({ query: 'data.authz.allow' });
    expect(query.decide({ user: 'bob' })).toEqual({});
    expect(query.decide({ user: 'ann' })).toEqual({ result: [{}] });
    expect(query.decide({ user: 'bob' }, { strict: true })).toEqual({});
  });

  test.each([
    ['that does not parse', 'x :=', 'rego_parse_error'],
    ['that does not compile', 'x == 1', 'rego_unsafe_var_error'],
    ['that is empty', '', 'rego_compile_error'],
  ])('%s is refused', async (_title, query, code) => {
    await expect((await open()).prepare({ query })).rejects.toMatchObject({ code });
  });

  test('sees policies and documents as they are', async () => {
    const engine = await Engine.open({ data: { n: 1 } });
    const query = await engine.prepare({ query: 'x := data.n + 1' });
    expect(query.decide()).toEqual({ result: [{ x: 2 }] });
    await engine.setData('n', 2);
    expect(query.decide()).toEqual({ result: [{ x: 3 }] });
    const rule = await engine.prepare({ query: 'x := data.p.y' });
    expect(rule.decide()).toEqual({});
    await engine.setPolicy('p.rego', 'package p\ny := data.n');
    expect(rule.decide()).toEqual({ result: [{ x: 2 }] });
    expect(await rule.decideAsync()).toEqual({ result: [{ x: 2 }] });
  });

  test('that a change makes wrong is an error when it is asked', async () => {
    const engine = await open();
    const query = await engine.prepare({ query: 'x := data.authz.f(1)' });
    expect(query.decide()).toEqual({ result: [{ x: 1 }] });
    await engine.setPolicy('authz.rego', 'package authz\nf(x, y) := x + y');
    expect(() => query.decide()).toThrow(CompileErrors);
    await expect(query.decideAsync()).rejects.toThrow(CompileErrors);
  });

  test('of an engine over plans sees its documents, not its plans', async () => {
    const plan = compile({ policies: { 'p.rego': 'package p\nx := 1' }, entrypoints: ['p/x'] });
    const engine = await Engine.open([plan, { data: { n: 1 } }]);
    expect((await engine.prepare({ query: 'x := data.p.x' })).decide()).toEqual({});
    expect((await engine.prepare({ query: 'x := data.n' })).decide()).toEqual({ result: [{ x: 1 }] });
    expect(engine.decide('p/x')).toEqual({ result: 1 });
  });
});
