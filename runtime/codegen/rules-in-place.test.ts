/** Rules and functions that one place calls are written there, and end as their functions do. */
import { expect, test } from 'vitest';
import { Engine } from '../../library/index.js';
import { EvaluationError } from '../evaluation/evaluation-errors.js';

const policy = `package p

default allow := false

allow if {
	known
	not blocked
	role == "admin"
}

known if data.users[input.user].name != ""

blocked if {
	data.users[input.user].state == "blocked"
	reason(input.why) == "abuse"
}

reason(why) := lower(why)

role := r if r := data.users[input.user].role

role := input.role
`;
const users = { ann: { name: 'Ann', role: 'admin' }, bob: { name: 'Bob', state: 'blocked', role: 'guest' }, eve: { name: '' } };

const opened = (codegen: 'always' | 'never', text = policy) => Engine.open({ policies: { 'p.rego': text }, data: { users } }, { codegen });

/** The decision, or the error with its places. */
function outcomeOf(engine: Engine, input: unknown, options = {}): unknown {
  try {
    return engine.decide('p/allow', input, options);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { code, detail, location, rules } = error;
    return { code, detail, location, rules };
  }
}

const inputs = [
  { user: 'ann' },
  { user: 'bob', why: 'Abuse' },
  { user: 'bob', why: 'error' },
  { user: 'bob' },
  { user: 'eve', role: 'admin' },
  { user: 'zoe', role: 'admin' },
  { user: ['ann'] },
  {},
  { user: 'ann', role: 'guest' },
];

test.each(inputs)('%j', async (input) => {
  const [vm, generated] = [await opened('never'), await opened('always')];
  expect(outcomeOf(generated, input)).toEqual(outcomeOf(vm, input));
  for (let instructions = 1; instructions < 60; instructions++)
    expect(outcomeOf(generated, input, { instructions })).toEqual(outcomeOf(vm, input, { instructions }));
});

test('an error has the rule that failed, and the places of the calls around it', async () => {
  const engine = await opened('always');
  const outcome = outcomeOf(engine, { user: 'ann', role: 'guest' }) as EvaluationError;
  expect(outcome).toMatchObject({ code: 'eval_conflict_error', location: { file: 'p.rego', row: 20 } });
  expect(outcome.rules.map(({ name, row }) => [name, row])).toEqual([
    ['g0.data.p.role', 20],
    ['g0.data.p.allow', 8],
    ['decision', 1],
  ]);
});

test.each(['sum', 'count', 'max'])('%s of a list in a rule keeps the variables of its callers', async (name) => {
  for (let size = 1; size < 12; size++) {
    const list = Array.from({ length: size }, (_, i) => `input.x${i}`);
    const body = '\ta := input.a\n\tb := input.b\n\ttotal > 0\n';
    const policies = { 'p.rego': `package p\n\nallow := [a, b] if {\n${body}}\n\ntotal := ${name}([${list}])\n` };
    const engine = await Engine.open({ policies }, { codegen: 'always' });
    const parts = Object.fromEntries(list.map((_, i) => [`x${i}`, 1]));
    expect(engine.decide('p/allow', { a: 'A', b: 'B', ...parts })).toEqual({ result: ['A', 'B'] });
  }
});

/** Its one caller asks for each rule several times, also in a loop. */
const several = `package p

allow := "first" if {
	name == "ann"
	limit > 10
}

else := "second" if {
	not name
	limit == null
}

else := [limit, name, n] if {
	some n in input.list
	limit != n
	name
}

else := "last" if limit

name := n if n := input.name

limit := input.limit

limit := input.other if input.other
`;

test.each([
  { name: 'ann', limit: 11 },
  { name: 'ann', limit: 9, list: [9, 8] },
  { name: 'ann', list: [9] },
  { limit: null },
  { limit: null, name: false },
  { limit: false, list: [false, 1] },
  { limit: 3, name: null, list: [3, 3, 4] },
  { limit: 3, other: 3 },
  { limit: 3, other: 4 },
  { list: [1, 2] },
  {},
])('several calls of one function: %j', async (input) => {
  const [vm, generated] = [await opened('never', several), await opened('always', several)];
  for (const again of [input, { name: 'bob', limit: 1 }, input]) expect(outcomeOf(generated, again)).toEqual(outcomeOf(vm, again));
  for (let instructions = 1; instructions < 80; instructions++)
    expect(outcomeOf(generated, input, { instructions })).toEqual(outcomeOf(vm, input, { instructions }));
});

const functions = `package p

rows := [row | some original in input.rows; row := masked(original)]

masked(row) := {key: value | some key, original in row; value := shown(key, original)}

visible := {field | some field in input.fields}

shown(key, value) := value if key in visible

shown(key, value) := hidden(value) if {
	not key in visible
	is_string(value)
}

shown(key, value) := total(value) if {
	not key in visible
	is_array(value)
}

shown("x", value) := 0 if is_number(value)

hidden(text) := concat("", ["*", substring(text, 0, 1)])

total(list) := sum([n | some n in list; n > limit(n)])

limit(n) := data.limits[n]

limit(n) := 1 if not data.limits[n]
`;

test.each([
  { fields: [], rows: [] },
  {
    fields: ['a'],
    rows: [
      { a: 'A', b: 'B' },
      { b: 'C', c: [1, 2, 3, 'x'] },
    ],
  },
  { fields: ['x'], rows: [{ x: 1, a: 'b' }] },
  { fields: ['y', ['a']], rows: [{ x: 1 }, { x: 'x', y: null, z: null }, { x: 2 }] },
  { fields: ['x'], rows: [{ x: 0, z: [2, 5, 2] }, [['x', 'y'], 'z'], 'text'] },
])('functions in loops: %j', async (input) => {
  const [vm, generated] = await Promise.all(
    (['never', 'always'] as const).map((codegen) =>
      Engine.open({ policies: { 'p.rego': functions }, data: { limits: { '1': 1 } } }, { codegen }),
    ),
  );
  const ends = (engine: Engine | undefined, options = {}) => {
    try {
      return engine!.decide('p/rows', input, options);
    } catch (error) {
      const { code, detail, location, rules } = error as EvaluationError;
      return { code, detail, location, rules };
    }
  };
  expect(ends(generated)).toEqual(ends(vm));
  for (let instructions = 1; instructions < 200; instructions++)
    expect(ends(generated, { instructions })).toEqual(ends(vm, { instructions }));
});

const conditions = (of: string, count: number) => Array.from({ length: count }, (_, i) => `\t${of}.k${i} != 1`).join('\n');

/** A rule at one place of a function which is too long for the place of its own call. */
const ofLongFunction = (count: number) => `package p

allow := y if {
${conditions('input', 20)}
	y := f(input.x)
}

f(x) := y if {
${conditions('x', count)}
	y := v
}

v := 1 if input.p

v := 2 if input.q
`;

test('a rule in a function has the conflict of a rule', async () => {
  for (let count = 70; count < 100; count += 3) {
    const text = ofLongFunction(count);
    const [vm, generated] = [await opened('never', text), await opened('always', text)];
    const x = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]));
    for (const input of [
      { ...x, x, p: true },
      { ...x, x, p: true, q: true },
      { ...x, x },
    ])
      expect(outcomeOf(generated, input)).toEqual(outcomeOf(vm, input));
  }
});
