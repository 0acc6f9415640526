/** Decisions made again and again, between which documents are written. */
import { describe, expect, test } from 'vitest';
import { Engine } from '../../library/index.js';
import type { CodegenMode } from '../../runtime/evaluation/engine-context.js';
import type { PlainObject } from '../../values/value.js';

const policy = `package t

reports[boss] contains user if {
	some user, info in data.users
	boss := info.boss
}

pairs[key] := value if some [key, value] in data.pairs

numbers := {n | some n in data.numbers}

positive if count({n | some n in data.numbers; n > 0}) > 0

names := [upper(name) | some name in tidy(["a", "b"])]

tidy(list) := [name | some name in list; not name in data.banned]

has_report if input.user in reports[input.boss]

forms := [n | some n in json.unmarshal("[1.0, 1e0, 100000000000000000000]")]

missing[name] contains 1 if some name in data.none.at.all

quotients := [q | some n in data.numbers; q := 1 / n]

noted contains n if {
	some n in data.numbers
	print(n)
}

other := x if x := reports with data.users as {"z": {"boss": "y"}}

given := x if x := reports with data.users as input.users

replaced := x if x := names with upper as lower

shifted := x if x := reports with input as 1
`;

const users = () => ({ a: { boss: 'm' }, b: { boss: 'm' }, c: { boss: 'n' } });
const data = () => ({ users: users(), pairs: [['k', 1]], numbers: [1, 2], banned: ['b'], beside: { x: 1 } });

async function opened(codegen: CodegenMode = 'never', given: unknown = data(), ownsData = true): Promise<Engine> {
  return await Engine.open([{ policies: { 't.rego': policy }, data: given as PlainObject }], { codegen, ownsData });
}

const plain = (engine: Engine, rule: string) => engine.decide(`t/${rule}`).result;

describe.each<CodegenMode>(['never', 'always'])('with generated code %s', (codegen) => {
  test('a rule of the input reads rules of the data', async () => {
    const engine = await opened(codegen);
    for (let i = 0; i < 4; i++) {
      expect(engine.decide('t/has_report', { user: 'a', boss: 'm' })).toEqual({ result: true });
      expect(engine.decide('t/has_report', { user: 'a', boss: 'n' })).toEqual({});
    }
  });

  test('a rule that is undefined stays so until something is written', async () => {
    const engine = await opened(codegen, { ...data(), numbers: [] });
    for (let i = 0; i < 4; i++) expect(plain(engine, 'positive')).toBe(undefined);
    await engine.setData('numbers', [1]);
    for (let i = 0; i < 4; i++) expect(plain(engine, 'positive')).toBe(true);
  });

  test.each([true, false])('a write below, above and beside is seen at once; in place: %s', async (inPlace) => {
    const engine = await opened(codegen, data(), inPlace);
    for (let i = 0; i < 3; i++) expect(plain(engine, 'reports')).toEqual({ m: ['a', 'b'], n: ['c'] });
    await engine.setData('beside/x', 2);
    await engine.setData('numbers', [3]);
    expect(plain(engine, 'reports')).toEqual({ m: ['a', 'b'], n: ['c'] });
    await engine.setData('users/a/boss', 'n');
    expect(plain(engine, 'reports')).toEqual({ m: ['b'], n: ['a', 'c'] });
    await engine.setData('users/d', { boss: 'm' });
    expect(plain(engine, 'reports')).toEqual({ m: ['b', 'd'], n: ['a', 'c'] });
    await engine.setData('users', { e: { boss: 'x' } });
    expect(plain(engine, 'reports')).toEqual({ x: ['e'] });
    await engine.setData('', {});
    expect(plain(engine, 'reports')).toEqual({});
  });

  test('a document that was missing is found once it is there', async () => {
    const engine = await opened(codegen);
    for (let i = 0; i < 4; i++) expect(plain(engine, 'missing')).toEqual({});
    await engine.setData('none/at/all', ['x']);
    for (let i = 0; i < 4; i++) expect(plain(engine, 'missing')).toEqual({ x: [1] });
    await engine.setData('none/at', undefined);
    expect(plain(engine, 'missing')).toEqual({});
  });

  test('a write that fails changes nothing', async () => {
    const engine = await opened(codegen);
    await expect(engine.setData('pairs/0', 1)).rejects.toMatchObject({ code: 'invalid_path' });
    expect(plain(engine, 'reports')).toEqual({ m: ['a', 'b'], n: ['c'] });
  });

  test('engines with the same documents decide apart', async () => {
    const shared = data();
    const [one, two] = [await opened(codegen, shared, false), await opened(codegen, shared, false)];
    expect(plain(one, 'reports')).toEqual(plain(two, 'reports'));
    await two.setData('users/a/boss', 'z');
    expect(plain(one, 'reports')).toEqual({ m: ['a', 'b'], n: ['c'] });
    expect(plain(two, 'reports')).toEqual({ m: ['b'], n: ['c'], z: ['a'] });
  });

  test('other policies have other results', async () => {
    const engine = await opened(codegen);
    expect(plain(engine, 'numbers')).toEqual([1, 2]);
    await engine.setPolicy('t.rego', 'package t\n\nnumbers := {m | some n in data.numbers; m := n + 1}\n');
    for (let i = 0; i < 3; i++) expect(plain(engine, 'numbers')).toEqual([2, 3]);
  });

  test('`with` of data or of a function holds for its decision alone', async () => {
    const engine = await opened(codegen);
    for (let i = 0; i < 4; i++) {
      expect(plain(engine, 'other')).toEqual({ y: ['z'] });
      expect(plain(engine, 'replaced')).toEqual(['a']);
      expect(plain(engine, 'names')).toEqual(['A']);
    }
    expect(plain(engine, 'shifted')).toEqual({ m: ['a', 'b'], n: ['c'] });
  });

  test('an input that takes the place of data may be changed by its owner', async () => {
    const engine = await opened(codegen);
    const input: { users: { [name: string]: unknown } } = { users: { z: { boss: 'y' } } };
    for (let i = 0; i < 4; i++) expect(engine.decide('t/given', input)).toEqual({ result: { y: ['z'] } });
    input.users.w = { boss: 'y' };
    expect(engine.decide('t/given', input)).toEqual({ result: { y: ['w', 'z'] } });
  });

  test('a conflict is an error each time', async () => {
    const engine = await opened(codegen, {
      ...data(),
      pairs: [
        ['k', 1],
        ['k', 2],
      ],
    });
    for (let i = 0; i < 4; i++) expect(() => plain(engine, 'pairs')).toThrow(/object keys must be unique/);
    await engine.setData('pairs', [['k', 1]]);
    for (let i = 0; i < 4; i++) expect(plain(engine, 'pairs')).toEqual({ k: 1 });
  });

  test('errors of built-ins are found where they are looked for', async () => {
    const engine = await opened(codegen, { ...data(), numbers: [0, 2] });
    for (let i = 0; i < 4; i++) {
      expect(plain(engine, 'quotients')).toEqual([0.5]);
      expect(() => engine.decide('t/quotients', undefined, { strictBuiltinErrors: true })).toThrow(/divide by zero/);
      const errors: string[] = [];
      engine.decide('t/quotients', undefined, { onBuiltinError: ({ message }) => errors.push(message) });
      expect(errors).toEqual(['div: divide by zero']);
    }
  });

  test('prints come each time', async () => {
    const engine = await opened(codegen);
    for (let i = 0; i < 4; i++) {
      const lines: string[] = [];
      engine.decide('t/noted', undefined, { onPrint: (line) => lines.push(line) });
      expect(lines).toEqual(['1', '2']);
    }
  });

  test('a decision that a limit or its caller ends leaves nothing behind', async () => {
    const numbers = Array.from({ length: 30_000 }, (_, i) => i);
    const engine = await opened(codegen, { ...data(), numbers });
    for (let i = 0; i < 4; i++) {
      expect(() => engine.decide('t/numbers', undefined, { instructions: 1000 })).toThrow(/instruction limit/);
      expect(() => engine.decide('t/numbers', undefined, { signal: AbortSignal.abort() })).toThrow(/cancelled/);
    }
    for (let i = 0; i < 3; i++) expect(plain(engine, 'numbers')).toHaveLength(30_000);
  });
});

test('numbers keep the form that they are computed in', async () => {
  const engine = await opened('always');
  for (let i = 0; i < 4; i++) expect(engine.decideText('t/forms')).toBe('{"result":[1.0,1e0,100000000000000000000]}');
});

test('an explanation and a watch see the rule evaluated', async () => {
  const engine = await opened('warm');
  const { result, explanation } = await engine.explain('t/has_report', { user: 'a', boss: 'm' });
  for (let i = 0; i < 3; i++) plain(engine, 'reports');
  const again = await engine.explain('t/has_report', { user: 'a', boss: 'm' });
  expect(again.result).toBe(result);
  expect(again.explanation).toEqual(explanation);
  const watch = engine.watch('t/reports');
  expect((await watch.next()).value).toEqual({ result: { m: ['a', 'b'], n: ['c'] } });
  await engine.setData('users/a/boss', 'n');
  expect((await watch.next()).value).toEqual({ result: { m: ['b'], n: ['a', 'c'] } });
  await engine.close();
});
