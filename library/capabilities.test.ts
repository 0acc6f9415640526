/** Capabilities of policies and plans. */
import { describe, expect, test } from 'vitest';
import { compile } from '../compiler/compile.js';
import { builtins as ownBuiltins } from '../values/builtins/registry.js';
import { arg, builtin, Engine, types } from './index.js';

const without = (...names: string[]) => [...ownBuiltins.values()].filter(({ name }) => !names.includes(name)).map(({ name }) => ({ name }));
const policies = { 'p.rego': 'package p\n\nx := upper("a")\n' };

describe('capabilities', () => {
  test('bound the built-ins of policies, those that are set later too', async () => {
    const capabilities = { builtins: without('upper') };
    await expect(Engine.open({ policies }, { capabilities })).rejects.toMatchObject({ code: 'rego_type_error' });
    const engine = await Engine.open([], { capabilities });
    await expect(engine.setPolicy('p.rego', policies['p.rego'])).rejects.toThrow('undefined function upper');
    expect((await Engine.open({ policies }, { capabilities: { builtins: without('http.send') } })).decide('p/x')).toEqual({ result: 'A' });
  });

  test('bound the built-ins of plans, whether they declare them or not', async () => {
    const capabilities = { builtins: without('upper') };
    const plan = compile({ policies, entrypoints: ['p/x'] });
    await expect(Engine.open(plan, { capabilities })).rejects.toMatchObject({ name: 'EngineError', code: 'forbidden_builtin' });
    const silent = { ...plan, static: { ...plan.static, builtin_funcs: [] } };
    await expect(Engine.open(silent, { capabilities })).rejects.toThrow('there is no function or built-in upper');
    expect((await Engine.open(plan, { capabilities: { builtins: without('count') } })).decide('p/x')).toEqual({ result: 'A' });
  });

  test('may declare what nobody implements: a call ends the evaluation', async () => {
    const decl = { args: [{ type: 'any' }], result: { type: 'any' } };
    const capabilities = { builtins: [...without(), { name: 'acme.else', decl }] };
    const engine = await Engine.open({ policies: { 'p.rego': 'package p\n\nx := acme.else(1)\n\ny := 1\n' } }, { capabilities });
    expect(engine.decide('p/y')).toEqual({ result: 1 });
    expect(() => engine.decide('p/x')).toThrow('unsupported built-in');
  });

  test('bound features and keywords', async () => {
    const template = { policies: { 'p.rego': 'package p\n\nx := $"{1}"\n' } };
    await expect(Engine.open(template, { capabilities: { features: ['rego_v1'] } })).rejects.toThrow('template strings are not supported');
    expect((await Engine.open(template)).decide('p/x')).toEqual({ result: '1' });
  });

  test("list the host's own built-ins as well", async () => {
    const own = builtin('acme.one', [arg('x', types.any)], types.number, () => 1);
    const calling = { policies: { 'p.rego': 'package p\n\nx := acme.one(2)\n' } };
    await expect(Engine.open(calling, { builtins: [own], capabilities: { builtins: without() } })).rejects.toThrow(
      'undefined function acme.one',
    );
    const capabilities = { builtins: [...without(), { name: 'acme.one' }] };
    expect((await Engine.open(calling, { builtins: [own], capabilities })).decide('p/x')).toEqual({ result: 1 });
  });

  test('bound hosts, together with the allow-list', async () => {
    const sending = { policies: { 'p.rego': 'package p\n\nx := net.lookup_ip_addr(input)\n' } };
    const ask = async (options: Parameters<typeof Engine.open>[1], host: string) =>
      (await (await Engine.open(sending, options)).decideAsync('p/x', host)).result;
    const capabilities = { allow_net: ['127.0.0.1', '127.0.0.2'] };
    expect(await ask({ capabilities }, '127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await ask({ capabilities }, '127.0.0.3')).toBeUndefined();
    expect(await ask({ capabilities, allowNet: ['127.0.0.2', '127.0.0.3'] }, '127.0.0.2')).toEqual(['127.0.0.2']);
    expect(await ask({ capabilities, allowNet: ['127.0.0.2', '127.0.0.3'] }, '127.0.0.1')).toBeUndefined();
    expect(await ask({ capabilities, allowNet: ['127.0.0.2', '127.0.0.3'] }, '127.0.0.3')).toBeUndefined();
  });
});
