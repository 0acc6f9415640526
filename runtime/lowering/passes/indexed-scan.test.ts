/** Joins by computed values and membership in long lists: their work and their results. */
import { describe, expect, test } from 'vitest';
import { loadPlan } from '../../../ir-schema/validate.js';
import { Engine } from '../../../library/index.js';
import { expandPlan, type ShortStmt } from '../../../test/harness/short-plan.js';
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

describe.each(['always', 'never'] as const)('loops over other collections, with generated code %s', (codegen) => {
  const policy = (join: string) => `package t

in_set contains b if some b in input.rows

in_object[b.name] := b if some b in input.rows

count_of(row) := count([1 | some b in in_set; b.pair == row.pair])

found contains a.id if {
	some a in data.as
	${join}
}
`;
  const joins: readonly (readonly [string, string])[] = [
    ['a set', 'some b in in_set\nb.name == a.name'],
    ['a set, for a count', 'count([1 | some b in in_set; b.at == a.at]) == 1'],
    ['a set, in a function', 'count_of(a) == 1'],
    ['a set, by a part that it has', 'some b in in_set\nsome part in b.pair\npart == a.id'],
    ['an object that a rule makes', 'some b in in_object\nb.ref == a.ref'],
    ['an object of the input', 'some name, b in input.object\nb.id == a.id\nname == a.name'],
    ['an object of the data', 'some name, b in data.object\nb.id == a.id\nname == a.name'],
  ];

  const documents = (count: number) => {
    const object = Object.fromEntries(rows(count).map((row) => [row.name, row]));
    return { data: { as: rows(count), object }, input: { rows: rows(count), object } };
  };

  test.each(joins)('%s has an index', async (_title, join) => {
    const { data, input } = documents(600);
    const engine = await Engine.open([{ policies: { 't.rego': policy(join) }, data: data as unknown as PlainObject }], { codegen });
    for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', input, limited(1200)).result).toHaveLength(600);
    const changed = { rows: input.rows.slice(1), object: { ...input.object, n0: input.object.n1 } };
    const left = join.includes('data.object') ? 600 : 599;
    expect(engine.decide<unknown[]>('t/found', changed).result).toHaveLength(left);
  });
});

describe.each(['always', 'never'] as const)('elements that a list names, with generated code %s', (codegen) => {
  const policy = (join: string) => `package t

in_set contains b if some b in data.bs

in_object[b.name] := b if some b in data.bs

found contains [a.id, b.id] if {
	input.on
	some a in data.as
	${join}
}
`;
  const opened = async (join: string, list: (i: number) => unknown, count: number) => {
    const as = rows(count).map((row, i) => ({ ...row, list: list(i) }));
    return await Engine.open([{ policies: { 't.rego': policy(join) }, data: { as, bs: rows(count) } as unknown as PlainObject }], {
      codegen,
    });
  };
  const joins = ['data.bs', 'in_set', 'in_object'].map((of) => `some b in ${of}\nb.name in a.list`);

  test.each(joins)('%s', async (join) => {
    const engine = await opened(join, (i) => [`n${i + 1}`, `n${i}`, `n${i}`, 'none'], 600);
    for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', { on: true }, limited(600)).result).toHaveLength(1199);
  });

  test.each<[string, (i: number) => unknown, number]>([
    ['an object', (i) => ({ a: `n${i}`, n0: 1 }), 100],
    ['an empty list', () => [], 0],
    ['no list', () => 'n1', 0],
    ['a long list', () => rows(100).map(({ name }) => name), 10_000],
  ])('none are left out by %s', async (_title, list, count) => {
    for (const join of joins) {
      const engine = await opened(join, list, 100);
      for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', { on: true }).result).toHaveLength(count);
    }
  });

  test('a part of a text names the list, wherever the loop is', async () => {
    const groups = { g: ['n1', 'n2'], h: ['n3'] };
    // Statements before it shift the numbers of names.
    for (let before = 0; before < 24; before++) {
      const nots = Array.from({ length: before }, (_, i) => `not n == "a${i}"\n`).join('');
      const loops = 'some x in input.xs\nsome b in data.bs\nb.name in data.groups[split(x, "/")[0]]';
      const text = `package t\n\nfound contains [b.id, x] if {\nn := input.n\n${nots}${loops}\n}\n`;
      const engine = await Engine.open([{ policies: { 't.rego': text }, data: { groups, bs: rows(40) } as unknown as PlainObject }], {
        codegen,
      });
      const input = { n: 'b', xs: ['g/x', 'h', 'g', 'none'] };
      for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', input).result).toHaveLength(5);
    }
  });

  test('the other comparison is the one of the index', async () => {
    const engine = await opened('some b in data.bs\nb.name in a.list\nb.ns == a.ns\nb.on', (i) => [`n${i}`, `n${i + 3}`], 100);
    for (let i = 0; i < 3; i++) expect(engine.decide<unknown[]>('t/found', { on: true }).result).toHaveLength(148);
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

  test.each(['always', 'never'] as const)('are found by their keys, with generated code %s', async (codegen) => {
    const engine = await Engine.open([{ policies: { 't.rego': text } }], { codegen });
    const numbers = Array.from({ length: 600 }, (_, i) => i);
    const found = (xs: string, list: string) => engine.decideText('t/given', `{"xs":${xs},"list":${list}}`, limited(60));
    const all = JSON.stringify(numbers);
    expect(found(all, all)).toBe(`{"result":${all}}`);
    const more = all.replace('[0,1,', '[-0,1.0,20000000000000000001,true,null,"\\u0000s1","__proto__",[7],1e400,');
    for (let i = 0; i < 3; i++) {
      expect(found('[0,1,1.50,2.0,599,600]', more)).toBe('{"result":[0,1,2.0,599]}');
      expect(found('[20000000000000000001,20000000000000000002,10e399,null,true,false,"true","1"]', more)).toBe(
        '{"result":[null,true,20000000000000000001,10e399]}',
      );
      expect(found('["\\u0000s1","s1","\\u0000","__proto__","constructor",[7],[8],{}]', more)).toBe(
        '{"result":["\\u0000s1","__proto__",[7]]}',
      );
    }
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

/** A loop over `rows` in a loop over `seeds`, whose list of found values grows in the rounds. */
const growing = (test: readonly ShortStmt[]) =>
  loadPlan(
    expandPlan({
      plans: {
        p: [
          [
            ['Dot', { source: 1, key: 'rows', target: 4 }],
            ['Dot', { source: 1, key: 'seeds', target: 5 }],
            ['MakeArray', { target: 6 }],
            [
              'Scan',
              {
                source: 5,
                key: 7,
                value: 8,
                block: [
                  ['MakeArray', { target: 9 }],
                  ['ArrayAppend', { array: 9, value: 8 }],
                  [
                    'Scan',
                    {
                      source: 4,
                      key: 10,
                      value: 11,
                      block: [
                        ['Dot', { source: 11, key: 'id', target: 12 }],
                        ['Dot', { source: 11, key: 'next', target: 14 }],
                        ...test,
                        ['ArrayAppend', { array: 9, value: 14 }],
                      ],
                    },
                  ],
                  ['ArrayAppend', { array: 6, value: 9 }],
                ],
              },
            ],
            ['MakeObject', { target: 15 }],
            ['ObjectInsert', { object: 15, key: 'result', value: 6 }],
            ['ResultSetAdd', { value: 15 }],
          ],
        ],
      },
    }),
  );

describe.each(['always', 'never'] as const)('a list that rounds make longer, with generated code %s', (codegen) => {
  test.each<[string, readonly ShortStmt[], unknown]>([
    [
      'is asked for members as it is then',
      [
        ['Call', { func: 'internal.member_2', args: [12, 9], result: 13 }],
        ['NotEqual', { a: 13, b: false }],
      ],
      [2, 3, 4, 5, 6, 7, 8, 9, 10],
    ],
    [
      'is counted as it is then',
      [
        ['Call', { func: 'count', args: [9], result: 13 }],
        ['Equal', { a: 14, b: 13 }],
      ],
      [2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ],
  ])('%s', async (_title, condition, found) => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id, next: id + 1 }));
    const engine = await Engine.open([growing(condition), { policies: {}, data: { rows, seeds: [2, 2, 2, 2] } }], { codegen });
    for (let i = 0; i < 3; i++) expect(engine.decide('p')).toEqual({ result: [found, found, found, found] });
  });
});
