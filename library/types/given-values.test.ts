/** Values that the engine takes. TypeScript checks this file, with `exactOptionalPropertyTypes`. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { Engine, EngineError } from '../index.js';

interface User {
  readonly name: string;
  readonly email?: string;
}
interface Store {
  readonly users: readonly User[];
}
interface Tenant {
  readonly tenant: string;
}
const store: Store = { users: [{ name: 'ann' }] };
const ann: User = { name: 'ann' };
const tenant: Tenant = { tenant: 'blue' };
const policies = { 'p.rego': 'package p\n\nallow if input.name == data.users[_].name\n\nruntime := opa.runtime()\n' };

describe('values of interfaces', () => {
  test('are base documents, also below others', async () => {
    await using engine = await Engine.open({ policies, data: store });
    expect(engine.decide('p/allow', ann).result).toBe(true);
    await using same = await Engine.open({ policies, data: { users: store.users, first: ann } });
    await same.setData('tenant', tenant);
    expect(same.decide('tenant').result).toEqual(tenant);
  });

  test('are members of the runtime and of the log', async () => {
    await using engine = await Engine.open({ policies, data: store }, { runtime: tenant });
    expect(engine.decide('p/runtime').result).toMatchObject(tenant);
    expect(engine.decide('p/allow', ann, { log: { custom: tenant } }).result).toBe(true);
  });
});

test('a member of the runtime that is no JSON is a wrong option', async () => {
  const opened = Engine.open({ policies }, { runtime: { started: new Date() } });
  await expect(opened).rejects.toThrow(new EngineError('invalid_option', 'runtime.started is a Date: give its toISOString()'));
});

test('options that are undefined are as left out', async () => {
  const nothing = undefined as undefined;
  const env = { REGION: 'west', ZONE: process.env.WRIT_NO_SUCH_VARIABLE };
  const options = {
    builtins: nothing,
    capabilities: nothing,
    allowNet: nothing,
    runtime: nothing,
    strict: nothing,
    schemas: nothing,
    ignore: nothing,
    regoVersion: nothing,
    ownsData: nothing,
    codegen: nothing,
    onWarning: nothing,
    verification: nothing,
    watch: nothing,
    onReload: nothing,
  };
  await using engine = await Engine.open({ policies, data: store }, { ...options, env });
  expect(engine.decide('p/runtime').result).toMatchObject({ env: { REGION: 'west' } });
  const limits = { timeMs: nothing, instructions: nothing, callDepth: nothing, resultSize: nothing, heapShare: nothing };
  const asked = { ...limits, strict: nothing, decisionId: nothing, log: nothing, thread: nothing, signal: nothing, timeNs: nothing };
  expect(engine.decide('p/allow', ann, { ...limits, strict: nothing }).result).toBe(true);
  expect((await engine.decideAsync('p/allow', ann, asked)).result).toBe(true);
  const { queries } = await engine.partial('data.p.allow', { ...asked, unknowns: nothing, disableInlining: nothing, input: nothing });
  expect(queries).toEqual(['input.name = "ann"']);
  const filterOptions = { mappings: nothing, maskRule: nothing, table: nothing, placeholders: nothing, timeMs: nothing, signal: nothing };
  const filter = await engine.filter('p/allow', { ...filterOptions, target: 'ucast+prisma', input: nothing, unknowns: ['input.people'] });
  expect(filter.rows).toBe('none');
  await using whole = await Engine.open({ policies, data: nothing });
  expect(whole.decide('p/allow', ann)).toEqual({});
});

test('options of the compiler that are undefined are as left out', () => {
  const nothing = undefined as undefined;
  const request = { policies: { 'p.rego': 'package p\n\nx if print("seen")\n' }, entrypoints: ['p/x'] };
  const options = {
    regoVersion: nothing,
    schemas: nothing,
    strict: nothing,
    capabilities: nothing,
    builtins: nothing,
    errorLimit: nothing,
  };
  const others = { print: nothing, unsafeBuiltins: nothing, schemaAnnotations: nothing, dataRoots: nothing, instrument: nothing };
  expect(compile({ ...request, ...options, ...others })).toEqual(compile(request));
});
