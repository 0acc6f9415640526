import { describe, expect, test, vi } from 'vitest';
import { Engine } from '../../../index.js';
import { createGuard, type DecisionRecord } from './guard.js';
import { GuardError } from './guard-error.js';

const policy = `package shop
default allow := false
allow if input.role == "admin"
allow if input.user == input.owner
deny contains sprintf("%s does not own this order", [input.user]) if input.user != input.owner
verdict := {"allow": allow, "reasons": deny}
number := 1
half if input.role == "admin"
conflict := 1 if input.role == "admin"
conflict := 2 if input.user == "alice"
`;

interface Input {
  readonly user: string;
  readonly role?: string;
  readonly owner?: string;
}

const engine = await Engine.open([{ policies: { 'shop.rego': policy } }]);
const alice: Input = { user: 'alice', owner: 'alice' };
const mallory: Input = { user: 'mallory', owner: 'alice' };
const same = (input: Input) => input;
const at = (path: string) => ({ engine, path });
const prepared = { allow: await engine.prepare<boolean>('shop/allow'), deny: await engine.prepare('shop/deny') };

describe('the decision', () => {
  const rule = (input: Input) => input.user === input.owner;
  test.each([
    ['a function', rule],
    ['a function that waits', async (input: Input) => rule(input)],
    ['a prepared decision', prepared.allow],
    ['a path in an engine', at('shop/allow')],
  ])('may be %s', async (_title, decision) => {
    const check = createGuard(decision, same);
    expect(await check(alice)).toMatchObject({ allowed: true, reasons: [], result: true });
    expect(await check(mallory)).toMatchObject({ allowed: false, reasons: [], result: false, status: 403 });
  });

  test.each([undefined, null, 'authz/allow', 1, {}, { engine }, { url: 'nowhere', path: 'a' }])('is refused if it is %j', (decision) => {
    expect(() => createGuard(decision as never, same)).toThrow(GuardError);
  });
});

describe('the result', () => {
  test.each<[string, unknown, boolean, readonly string[]]>([
    ['true', true, true, []],
    ['false', false, false, []],
    ['undefined', undefined, false, []],
    ['an object that allows', { allow: true, reasons: ['old'] }, true, []],
    ['an object that denies', { allow: false, reasons: ['why'] }, false, ['why']],
    ['an object with allowed', { allowed: false, reasons: 'why' }, false, ['why']],
    ['reasons as an object', { allow: false, reasons: { a: 'one', b: 'two' } }, false, ['one', 'two']],
    [
      'reasons as objects',
      { allow: false, reasons: [{ msg: 'one' }, { message: 'two' }, { code: 3 }] },
      false,
      ['one', 'two', '{"code":3}'],
    ],
    ['reasons of other kinds', { allow: false, reasons: [1, null, 'x', 'x'] }, false, ['1', 'null', 'x']],
  ])('may be %s', async (_title, result, allowed, reasons) => {
    expect(await createGuard((() => result) as () => boolean, same)(alice)).toMatchObject({ allowed, reasons, result });
  });

  test.each([
    null,
    1,
    0,
    '',
    'true',
    [],
    [true],
    {},
    { allow: 'true' },
    { allow: 1 },
    { allowed: null },
    { allow: true, allowed: false },
    { allow: false, allowed: true },
  ])('is an error if it is %j', async (result) => {
    const check = createGuard((() => result) as unknown as () => boolean, same);
    await expect(check(alice)).rejects.toMatchObject({ name: 'GuardError', code: 'invalid_result' });
  });

  test('of a rule without a default is a denial where no body holds', async () => {
    expect(await createGuard(at('shop/half'), same)(alice)).toMatchObject({ allowed: false, result: undefined });
    expect(await createGuard(at('shop/no/such/rule'), same)(alice)).toMatchObject({ allowed: false });
  });

  test('of a policy that fails is an error', async () => {
    await expect(createGuard(at('shop/conflict'), same)({ user: 'alice', role: 'admin' })).rejects.toMatchObject({
      code: 'eval_conflict_error',
    });
    await expect(createGuard(at('shop/number'), same)(alice)).rejects.toMatchObject({ code: 'invalid_result' });
  });
});

describe('reasons', () => {
  test.each([
    ['a path', 'shop/deny'],
    ['a rule', ({ user }: Input) => [`${user} does not own this order`]],
    ['a prepared decision', prepared.deny],
  ])('are those of %s', async (_title, reasons) => {
    const check = createGuard(at('shop/allow'), same, { reasons });
    expect((await check(mallory)).reasons).toEqual(['mallory does not own this order']);
    expect((await check(alice)).reasons).toEqual([]);
  });

  test('are asked for only after a denial without its own', async () => {
    const reasons = vi.fn(() => 'other');
    await createGuard(at('shop/allow'), same, { reasons })(alice);
    expect((await createGuard(at('shop/verdict'), same, { reasons })(mallory)).reasons).toEqual(['mallory does not own this order']);
    expect(reasons).not.toHaveBeenCalled();
  });

  test('that fail leave the denial without them, and their error to the log', async () => {
    const log = vi.fn();
    const reasons = () => {
      throw new Error('broken');
    };
    expect(await createGuard(at('shop/allow'), same, { reasons, log })(mallory)).toMatchObject({ allowed: false, reasons: [] });
    expect(log.mock.calls[0]![0]).toMatchObject({ allowed: false, error: new Error('broken') });
  });

  test('cannot be a path where there is no engine', () => {
    expect(() => createGuard(() => true, same, { reasons: 'shop/deny' })).toThrow(/give a rule/);
  });
});

test('an input that cannot be made is an error, and nothing is asked', async () => {
  const decision = vi.fn(() => true);
  for (const inputOf of [
    () => Promise.reject(new Error('no body')),
    () => {
      throw new Error('no body');
    },
  ]) {
    await expect(createGuard(decision, inputOf as never)(alice)).rejects.toThrow('no body');
  }
  expect(decision).not.toHaveBeenCalled();
});

// `next(undefined)` lets a request through in Express, and `next('route')` leaves out handlers.
test.each([undefined, null, 0, '', 'route', Symbol('x')])('what is thrown becomes an error: %s', async (thrown) => {
  const fails = () => Promise.reject(thrown);
  const log = vi.fn();
  for (const check of [
    createGuard(() => true, fails as never, { log }),
    createGuard(fails as never, same, { log }),
    createGuard(() => true, same, { log: fails }),
    createGuard(() => false, same, {
      status: () => {
        throw thrown;
      },
    }),
    createGuard(() => true, same, {
      decisionId: () => {
        throw thrown;
      },
    }),
  ])
    await expect(check(alice)).rejects.toMatchObject({ name: 'GuardError', code: 'thrown_value', cause: thrown });
  expect(log.mock.calls.map(([{ error }]) => error)).toMatchObject([{ code: 'thrown_value' }, { code: 'thrown_value' }]);
});

test('an object that is thrown, such as a response, stays what it is', async () => {
  const response = new Response();
  await expect(createGuard(() => true, (() => Promise.reject(response)) as never)(alice)).rejects.toBe(response);
});

test('the input may have to wait', async () => {
  expect(await createGuard(at('shop/allow'), async (input: Input) => input)(alice)).toMatchObject({ allowed: true });
});

test('a decision has an id: given, or random', async () => {
  const random = createGuard(at('shop/allow'), same);
  const [one, two] = [await random(alice), await random(alice)];
  expect(one.decisionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(two.decisionId).not.toBe(one.decisionId);
  expect(one.headers).toEqual({ 'x-decision-id': one.decisionId });
  const split = createGuard(at('shop/allow'), same, { decisionId: () => 'x\r\nset-cookie: a=b' });
  await expect(split(alice)).rejects.toMatchObject({ code: 'invalid_result', message: expect.stringContaining('x-decision-id') });
  expect(() => createGuard(at('shop/allow'), same, { header: 'content-length' })).toThrow('belongs to the connection');
  const given = createGuard(at('shop/allow'), same, { decisionId: ({ user }) => `of ${user}`, header: 'x-request-id' });
  expect((await given(mallory)).headers).toEqual({ 'x-request-id': 'of mallory' });
  expect((await createGuard(at('shop/allow'), same, { header: false })(alice)).headers).toEqual({});
});

test('the status of a denial is that of the options, and never one of success', async () => {
  expect(await createGuard(at('shop/allow'), same, { status: 404 })(mallory)).toMatchObject({ status: 404 });
  const status = vi.fn(() => 200);
  await expect(createGuard(at('shop/allow'), same, { status })(mallory)).rejects.toThrow(/from 400 to 599, not 200/);
  expect(await createGuard(at('shop/allow'), same, { status })(alice)).toMatchObject({ allowed: true });
  expect(() => createGuard(at('shop/allow'), same, { status: 302 })).toThrow(GuardError);
});

test('a log is told each decision, and each failure', async () => {
  const records: DecisionRecord<Input, unknown>[] = [];
  const log = (record: DecisionRecord<Input, unknown>) => void records.push(record);
  await createGuard(at('shop/allow'), same, { log, decisionId: () => 'a' })(alice);
  await createGuard(at('shop/verdict'), same, { log })(mallory);
  await createGuard(at('shop/number'), same, { log })(alice).catch(() => {});
  expect(records).toMatchObject([
    { decisionId: 'a', allowed: true, result: true, input: alice, context: alice, error: undefined },
    { allowed: false, reasons: ['mallory does not own this order'], input: mallory },
    { allowed: false, result: undefined, input: alice, error: { code: 'invalid_result' } },
  ]);
  expect(records.every(({ duration }) => duration >= 0)).toBe(true);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('full');
    },
  ],
])('nothing is allowed that a log could not keep: it %s', async (_title, log) => {
  await expect(createGuard(at('shop/allow'), same, { log })(alice)).rejects.toThrow('full');
});
