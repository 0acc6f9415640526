/** Each error of the library has a code and a location. */
import { describe, expect, test } from 'vitest';
import { arg, asyncBuiltin, builtin, CompileErrors, Engine, EvaluationError, types } from './index.js';

const cause = new TypeError('owner is missing');

const builtins = [
  builtin('acme.throws', [arg('x', types.any)], types.any, () => {
    throw cause;
  }),
  builtin('acme.text', [], types.any, () => {
    throw 'only a text';
  }),
  builtin('acme.range', [], types.any, () => {
    throw new RangeError('toFixed() digits argument must be between 0 and 100');
  }),
  builtin('acme.date', [], types.any, () => ({ since: new Date(0) }) as never),
  asyncBuiltin('acme.later', [], types.any, async () => new Map() as never),
  asyncBuiltin('acme.rejects', [], types.any, () => Promise.reject(cause)),
  asyncBuiltin('acme.waits', [arg('x', types.any)], types.any, async () => 1),
];

const policies = {
  'p.rego': `package p

throws := f(1)

f(x) := acme.throws(x)

text := acme.text()

range := acme.range()

rejects := acme.rejects()

waits := acme.waits({"a": ["b\\u0000", 1]})

sends := http.send({"method": "GET", "url": "http://127.0.0.1:1/"})

looks_up := net.lookup_ip_addr("localhost")

matches := json.match_schema({}, {"$ref": "http://127.0.0.1:1/"})

date := acme.date()

later := acme.later()
`,
};

const engine = await Engine.open([{ policies }], { builtins });

async function rejection(answer: Promise<unknown>): Promise<EvaluationError> {
  const error = await answer.then(() => undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EvaluationError);
  return error as EvaluationError;
}

describe('an exception of a built-in of the host', () => {
  test.each([
    ['throws', 'p.rego:5: eval_builtin_error: acme.throws: owner is missing', cause],
    ['text', 'p.rego:7: eval_builtin_error: acme.text: only a text', 'only a text'],
    ['rejects', 'p.rego:11: eval_builtin_error: acme.rejects: owner is missing', cause],
  ])('ends the evaluation with a code, the place, and itself as the cause: %s', async (rule, message, wanted) => {
    const error = await rejection(engine.decideAsync(`p/${rule}`));
    expect(error.message).toBe(message);
    expect(error.code).toBe('eval_builtin_error');
    expect(error.cause).toBe(wanted);
  });

  test('has the rules that led there', async () => {
    const error = await rejection(engine.decideAsync('p/throws'));
    expect(error.rules.map(({ row }) => row)).toEqual([5, 3, 1]);
  });

  test('is what it answers where that is no JSON', async () => {
    const date = await rejection(engine.decideAsync('p/date'));
    expect(date.message).toBe('p.rego:21: eval_builtin_error: acme.date: result.since is a Date: give its toISOString()');
    const later = await rejection(engine.decideAsync('p/later'));
    expect(later.detail).toBe('acme.later: result is a Map: give Object.fromEntries(map)');
  });

  test('is not taken for values that nest too deeply', async () => {
    const error = await rejection(engine.decideAsync('p/range'));
    expect(error.detail).toBe('acme.range: toFixed() digits argument must be between 0 and 100');
  });
});

test.each([
  ['waits', 'p.rego:13', 'acme.waits'],
  ['sends', 'p.rego:15', 'http.send'],
  ['looks_up', 'p.rego:17', 'net.lookup_ip_addr'],
  ['matches', 'p.rego:19', 'json.match_schema'],
])('decide says which built-in waits, and where: %s', (rule, place, name) => {
  const message = `${place}: eval_wait_error: ${name} waits for its answer: decide with decideAsync`;
  expect(() => engine.decide(`p/${rule}`)).toThrow(expect.objectContaining({ code: 'eval_wait_error', message }));
});

test('a schema that cannot be fetched is an error of the built-in', async () => {
  expect(await engine.decideAsync('p/matches')).toEqual({});
  const error = await rejection(engine.decideAsync('p/matches', undefined, { strictBuiltinErrors: true }));
  expect(error.message).toMatch(/^p\.rego:19: eval_builtin_error: json\.match_schema: .*connection refused/);
});

test('wrong policies have the code of their first complaint', async () => {
  const opened = Engine.open([{ policies: { 'p.rego': 'package p\nallow if nobody' } }]);
  await expect(opened).rejects.toThrow(CompileErrors);
  await expect(opened).rejects.toMatchObject({ code: 'rego_unsafe_var_error' });
});
