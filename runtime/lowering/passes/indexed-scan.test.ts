/** Joins by computed values and membership in long lists: their work and their results. */
import { describe, expect, test } from 'vitest';
import { Engine } from '../../../library/index.js';
import type { PlainObject } from '../../../values/value.js';

/** Ends where more work is done. */
const limited = (count: number) => ({ instructions: 400 * count });

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ns: `ns${i % 3}`,
    name: `n${i}`,
    ref: `ns${i % 3}/n${i}`,
    at: { name: `n${i}`, ns: `ns${i % 3}` },
    pair: [`ns${i % 3}`, i],
    id: i,
    on: i % 4 !== 0,
  }));

const joined = (conditions: string) => `package t

found contains a.id if {
	input.on
	some a in data.as
	some b in data.bs
${conditions}
}
`;

const opened = async (text: string, count: number, codegen: 'always' | 'never') =>
  await Engine.open([{ policies: { 't.rego': text }, data: { as: rows(count), bs: rows(count) } as PlainObject }], {
    codegen,
  });

describe.each(['always', 'never'] as const)('with generated code %s', (codegen) => {
  test.each([
    ['a text of two parts', 'b.ref == sprintf("%s/%s", [a.ns, a.name])', 600],
    ['a text that is named first', 'key := concat("/", [a.ns, a.name])\nb.ref == key', 600],
    ['an object', 'b.at == {"ns": a.ns, "name": a.name}', 600],
    ['an array', 'b.pair == [a.ns, a.id]', 600],
    ['a call behind a test', 'b.on\nb.name == lower(a.name)', 450],
  ])('a join by %s finds the elements in an index', async (_title, conditions, found) => {
    const engine = await opened(joined(conditions), 600, codegen);
    for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', { on: true }, limited(600)).result).toHaveLength(found);
  });

  test.each([
    ['a part is missing', 'b.at == {"ns": a.ns, "name": a.missing}', '[]'],
    ['the value is undefined', 'b.name == lower(a.id)', '[]'],
    ['the object has more keys', 'b.at == {"ns": a.ns, "name": a.name, "more": 1}', '[]'],
    ['numbers are written otherwise', 'b.pair == [a.ns, json.unmarshal(sprintf("%d.0", [a.id]))]', '[0,1,2,3,4,5,6,7,8,9]'],
    ['the array grows behind the comparison', 'xs := [a.ns, a.id]\nb.pair == xs\ncount(xs) == 2', '[0,1,2,3,4,5,6,7,8,9]'],
  ])('%s', async (_title, conditions, found) => {
    const engine = await opened(joined(conditions), 10, codegen);
    for (let i = 0; i < 4; i++) expect(engine.decideText('t/found', '{"on":true}')).toBe(`{"result":${found}}`);
  });

  test('a call that no round gets to has no error', async () => {
    const engine = await opened(joined('b.missing\nb.name == lower(a.id)'), 10, codegen);
    const errors: string[] = [];
    for (let i = 0; i < 4; i++) {
      expect(engine.decide('t/found', { on: true }, { strictBuiltinErrors: true })).toEqual({ result: [] });
      engine.decide('t/found', { on: true }, { onBuiltinError: ({ message }) => errors.push(message) });
    }
    expect(errors).toEqual([]);
    const failing = await opened(joined('b.on\nb.name == lower(a.id)'), 10, codegen);
    for (let i = 0; i < 4; i++) expect(() => failing.decide('t/found', { on: true }, { strictBuiltinErrors: true })).toThrow(/lower/);
  });
});

describe('members of long lists', () => {
  const text = `package t

allowed if input.user in data.users

none if not input.user in data.users

given contains x if {
	some x in input.xs
	x in input.list
}
`;
  const names = (count: number) => Array.from({ length: count }, (_, i) => `u${i}`);

  test('change with the documents', async () => {
    const users = [...names(100), 1, null, ['u200']];
    const engine = await Engine.open([{ policies: { 't.rego': text }, data: { users } as unknown as PlainObject }], {
      codegen: 'always',
      ownsData: true,
    });
    for (let i = 0; i < 4; i++) {
      expect(engine.decide('t/allowed', { user: 'u99' })).toEqual({ result: true });
      for (const user of ['u100', 'u200', 2]) expect(engine.decide('t/none', { user })).toEqual({ result: true });
      for (const user of [1, null, ['u200']]) expect(engine.decide('t/allowed', { user })).toEqual({ result: true });
    }
    await engine.patchData('users', [{ op: 'add', path: '/-', value: 'u100' }]);
    await engine.patchData('users', [{ op: 'replace', path: '/0', value: 'other' }]);
    expect(engine.decide('t/allowed', { user: 'u100' })).toEqual({ result: true });
    expect(engine.decide('t/allowed', { user: 'u0' })).toEqual({});
  });

  test('of the input are those of its evaluation', async () => {
    const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen: 'always' });
    const list = names(100);
    const xs = ['u1', 'u2', 'u3', 'u4', 'u500'];
    for (let i = 0; i < 3; i++) expect(engine.decide('t/given', { xs, list })).toEqual({ result: ['u1', 'u2', 'u3', 'u4'] });
    list[4] = 'u500';
    expect(engine.decide('t/given', { xs, list })).toEqual({ result: ['u1', 'u2', 'u3', 'u500'] });
  });
});
