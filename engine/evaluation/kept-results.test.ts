/** Rules of the base documents alone are computed once for these, and only where nobody notices. */
import { describe, expect, test } from 'vitest';
import { Engine } from '../../library/index.js';

const policy = `package t

parents[name] := {parent | some parent in data.roles[name]} if some name, _ in data.roles

reached := graph.reachable(parents, [input.role])

allow if "admin" in reached

named(list) := [name | some name in list]

names := named(data.names)

own := [name | some name in data.names; name != input.role]

none := null if some name in data.names

mocked := x if x := parents with data.roles as {"x": ["y"]}
`;

const data = () => ({ roles: { a: ['b'], b: ['admin'], c: [], admin: [] }, names: ['n', 'm'] });

const opened = async () => await Engine.open([{ policies: { 't.rego': policy }, data: data() }], { codegen: 'always', ownsData: true });

describe('results of rules of the base documents', () => {
  test('are no longer used once documents change', async () => {
    const engine = await opened();
    for (let i = 0; i < 3; i++) expect(engine.decide('t/allow', { role: 'c' })).toEqual({});
    await engine.setData('roles/c', ['a']);
    for (let i = 0; i < 3; i++) expect(engine.decide('t/allow', { role: 'c' })).toEqual({ result: true });
    await engine.patchData('roles', [{ op: 'remove', path: '/b' }]);
    expect(engine.decide('t/allow', { role: 'c' })).toEqual({});
    await engine.setPolicy('t.rego', policy.replace('"admin" in reached', '"a" in reached'));
    expect(engine.decide('t/allow', { role: 'c' })).toEqual({ result: true });
  });

  test('may be null', async () => {
    const engine = await opened();
    for (let i = 0; i < 3; i++) expect(engine.decide('t/none')).toEqual({ result: null });
  });

  test('are not those of other documents', async () => {
    const engine = await opened();
    for (let i = 0; i < 3; i++) {
      expect(engine.decide('t/mocked')).toEqual({ result: { x: ['y'] } });
      expect(engine.decide('t/parents')).toEqual({ result: { a: ['b'], admin: [], b: ['admin'], c: [] } });
    }
  });

  test('stay as they are when a caller changes what it got', async () => {
    const engine = await opened();
    for (let i = 0; i < 3; i++) {
      const { result } = engine.decide<string[]>('t/names');
      expect(result).toEqual(['n', 'm']);
      result!.push('more');
    }
    const prepared = await engine.prepare<Record<string, string[]>>('t/parents');
    for (let i = 0; i < 3; i++) {
      const { result } = await prepared.decideAsync();
      expect(result).toEqual({ a: ['b'], admin: [], b: ['admin'], c: [] });
      result!.a = [];
    }
  });

  test('are kept for policies that change again and again', async () => {
    const engine = await opened();
    await engine.setData('length', 300_000);
    for (let i = 0; i < 10; i++) {
      await engine.setPolicy('long.rego', `package long\n\nlength := count([x | some x in numbers.range(1, data.length)]) + ${i}\n`);
      engine.decide('long/length');
      expect(engine.decide('long/length', undefined, { instructions: 1000 })).toEqual({ result: 300_000 + i });
    }
  });

  test('are no work for later decisions', async () => {
    const engine = await opened();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`r${i}`, [`r${i + 1}`]]));
    await engine.setData('roles', many);
    expect(() => engine.decide('t/parents', undefined, { instructions: 1000 })).toThrow(/instruction limit/);
    engine.decide('t/parents');
    expect(Object.keys(engine.decide<object>('t/parents', undefined, { instructions: 1000 }).result!)).toHaveLength(500);
  });
});
