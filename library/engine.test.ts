import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { expandPlan, type ShortBlock, type ShortFunc, type ShortPolicy } from '../test/harness/short-plan.js';
import {
  arg,
  asyncBuiltin,
  type Builtin,
  BuiltinError,
  BundleError,
  builtin,
  Engine,
  EngineError,
  type EngineOptions,
  EvaluationError,
  HaltError,
  JsonError,
  readBundle,
  types,
  VerifyError,
} from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'engine-'));
afterAll(() => rmSync(folder, { recursive: true }));
let bundles = 0;

interface Files {
  readonly plan?: ShortPolicy | string;
  readonly data?: unknown;
  readonly manifest?: unknown;
}

/** A directory that holds a bundle. */
function bundleOf({ plan, data, manifest }: Files): string {
  const path = join(folder, `bundle${bundles++}`);
  mkdirSync(path);
  if (plan !== undefined) writeFileSync(join(path, 'plan.json'), typeof plan === 'string' ? plan : JSON.stringify(expandPlan(plan)));
  if (data !== undefined) writeFileSync(join(path, 'data.json'), JSON.stringify(data));
  if (manifest !== undefined) writeFileSync(join(path, '.manifest'), JSON.stringify(manifest));
  return path;
}

/** A plan that answers a local after some statements. */
const answering = (local: number | string | boolean, ...stmts: ShortBlock): ShortBlock[] => [
  [
    ...stmts,
    ['MakeObject', { target: 90 }],
    ['ObjectInsert', { object: 90, key: 'result', value: local }],
    ['ResultSetAdd', { value: 90 }],
  ],
];

const calling = (func: string, ...args: (number | string | boolean)[]): ShortBlock[] => answering(2, ['Call', { func, args, result: 2 }]);

async function engineOf(
  plans: ShortPolicy['plans'],
  options: EngineOptions & { data?: unknown; funcs?: { [name: string]: ShortFunc } } = {},
): Promise<Engine> {
  const { data, funcs, ...rest } = options;
  return await Engine.open([bundleOf({ plan: { plans, ...(funcs && { funcs }) }, data })], rest);
}

function thrown(act: () => unknown): Error & { code?: string } {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const echo = { 'p/echo': answering(0) };

describe('a decision', () => {
  test('answers the plan of an entrypoint, at once, later, or as text', async () => {
    const engine = await engineOf(echo);
    expect(engine.entrypoints).toEqual(['p/echo']);
    expect(engine.decide('p/echo', { a: [1] })).toEqual({ result: { a: [1] } });
    expect(await engine.decideAsync('p/echo', null)).toEqual({ result: null });
    expect(engine.decideText('p/echo', '[1]')).toBe('{"result":[1]}');
    expect(await engine.resultSet('p/echo', 1)).toEqual([{ result: 1 }]);
  });

  test('has no result where the document is undefined', async () => {
    const engine = await engineOf(echo);
    expect(engine.decide('p/echo')).toEqual({});
    expect('result' in engine.decide('p/echo')).toBe(false);
    expect(engine.decideText('p/echo')).toBe('{}');
    expect(engine.decide('nothing/here')).toEqual({});
  });

  test('as text keeps every digit, as an object gives the nearest double', async () => {
    const engine = await engineOf(echo);
    const text = '[1.10,12345678901234567890,1e400,-0,0.1]';
    expect(engine.decideText('p/echo', text)).toBe(`{"result":${text}}`);
    const { value } = { value: await engine.valueAsync('p/echo', [1]) };
    expect(value).toEqual([1]);
    expect(engine.decideText('p/echo', '{"__proto__":{"constructor":1}}')).toBe('{"result":{"__proto__":{"constructor":1}}}');
  });

  test('gives sets as sorted arrays', async () => {
    const engine = await engineOf({
      'p/set': answering(
        2,
        ['MakeSet', { target: 2 }],
        ['SetAdd', { set: 2, value: 'b' }],
        ['SetAdd', { set: 2, value: true }],
        ['SetAdd', { set: 2, value: 'a' }],
      ),
    });
    expect(engine.decide('p/set')).toEqual({ result: [true, 'a', 'b'] });
  });

  test('changes neither its input nor the data, and sees the data as it was given', async () => {
    const plan = {
      'p/with': answering(2, ['With', { local: 1, path: ['a', 'b'], value: 'new', block: [['AssignVar', { source: 1, target: 2 }]] }]),
    };
    const engine = await engineOf(plan, { data: { a: { b: 'old', c: 1 } } });
    const input = Object.freeze({ x: Object.freeze([1]) });
    expect(engine.decide('p/with', input)).toEqual({ result: { a: { b: 'new', c: 1 } } });
    expect(engine.data).toEqual({ a: { b: 'old', c: 1 } });
  });

  test('does not see what someone added to Object.prototype', async () => {
    const engine = await engineOf({
      'p/admin': answering(2, ['Dot', { source: 0, key: 'admin', target: 2 }]),
      'p/none': [[['IsDefined', { source: 7 }]]],
    });
    const polluted = Object.prototype as { [key: string]: unknown };
    Object.assign(polluted, { admin: true, result: 'inherited' });
    try {
      expect(engine.decideText('p/admin', '{}')).toBe('{}');
      expect(engine.decideText('p/admin', '{"admin":1}')).toBe('{"result":1}');
      expect(engine.decideText('p/none', '{}')).toBe('{}');
    } finally {
      delete polluted.admin;
      delete polluted.result;
    }
  });

  test('of a result that nests too deeply is an error', async () => {
    const engine = await engineOf({
      'p/deep': answering(2, ['MakeArray', { target: 2 }], ['ArrayAppend', { array: 2, value: 2 }]),
    });
    expect(thrown(() => engine.decide('p/deep')).message).toContain('too deeply');
    expect(thrown(() => engine.decideText('p/deep'))).toBeInstanceOf(JsonError);
  });
});

describe('a path', () => {
  const plans = {
    'app/authz/allow': answering(true),
    'app/authz/roles': answering(2, ['Dot', { source: 1, key: 'roles', target: 2 }]),
    'app/undefined': [[['IsDefined', { source: 7 }]] as ShortBlock],
    'app/user': answering(0),
  };
  const data = { roles: { alice: ['admin', 'staff'] }, app: { version: 2, authz: { note: 'base' } }, 'we/ird': 1 };

  test.each([
    ['app/authz/allow', true],
    ['app/authz/roles/alice', ['admin', 'staff']],
    ['app/authz/roles/alice/1', 'staff'],
    ['app/authz/roles/alice/2', undefined],
    ['app/authz/roles/alice/01', 'staff'],
    ['app/authz/roles/alice/length', undefined],
    ['app/authz/roles/constructor', undefined],
    ['app/authz/allow/deeper', undefined],
    ['app/undefined', undefined],
    ['app/undefined/x', undefined],
    ['app/authz', { allow: true, roles: data.roles, note: 'base' }],
    ['app', { authz: { allow: true, roles: data.roles, note: 'base' }, version: 2, user: { n: 1 } }],
    ['roles/alice/0', 'admin'],
    ['roles/alice/1.0', 'staff'],
    ['roles/alice/1.00', 'staff'],
    ['roles/alice/1e0', undefined],
    ['roles/alice/1.5', undefined],
    ['roles/alice/0x1', undefined],
    ['roles/alice/1.5', undefined],
    ['roles/alice/-1', undefined],
    ['roles', data.roles],
    ['app/version', 2],
    ['app/authz/note', 'base'],
    ['', { ...data, app: { authz: { allow: true, roles: data.roles, note: 'base' }, version: 2, user: { n: 1 } } }],
    ['__proto__', undefined],
    ['app/none', undefined],
    ['ap', undefined],
  ])('%j', async (path, wanted) => {
    const engine = await engineOf(plans, { data });
    const decision = engine.decide(path, { n: 1 });
    expect(decision).toEqual(wanted === undefined ? {} : { result: wanted });
    expect(await engine.decideAsync(path, { n: 1 })).toEqual(decision);
  });

  test('of an entrypoint below another one is answered by the upper one where both are asked for', async () => {
    const engine = await engineOf({ 'a/b': answering('upper'), 'a/b/c': answering('lower') });
    expect(engine.decide('a/b')).toEqual({ result: 'upper' });
    expect(engine.decide('a/b/c')).toEqual({ result: 'lower' });
    expect(engine.decide('a')).toEqual({ result: { b: 'upper' } });
  });

  test('that names no plan is an error of a result set', async () => {
    const engine = await engineOf(echo);
    await expect(engine.resultSet('p', 1)).rejects.toMatchObject({ code: 'undefined_entrypoint' });
  });
});

describe('an engine over several bundles', () => {
  test('decides over all of their plans and data', async () => {
    const one = bundleOf({ plan: { plans: { 'a/p': answering(1) } }, data: { a: { x: 1 } }, manifest: { roots: ['a'] } });
    const other = bundleOf({ plan: { plans: { 'b/p': answering('b') } }, data: { b: { y: 2 } }, manifest: { roots: ['b'] } });
    const engine = await Engine.open([one, await readBundle(other)]);
    expect(engine.entrypoints).toEqual(['a/p', 'b/p']);
    expect(engine.decide('a/p')).toEqual({ result: { a: { x: 1 }, b: { y: 2 } } });
    expect(engine.decide('b')).toEqual({ result: { p: 'b', y: 2 } });
  });

  test('wants their roots apart and their entrypoints different', async () => {
    const plain = () => bundleOf({ plan: { plans: echo } });
    await expect(Engine.open([plain(), plain()])).rejects.toBeInstanceOf(BundleError);
    const rooted = (root: string) => bundleOf({ plan: { plans: echo }, manifest: { roots: [root] } });
    await expect(Engine.open([rooted('p'), rooted('q')])).rejects.toMatchObject({ code: 'entrypoint_conflict' });
  });

  test('of none answers nothing', async () => {
    const engine = await Engine.open([]);
    expect(engine.decide('a')).toEqual({});
    expect(engine.decide('')).toEqual({ result: {} });
  });
});

describe('opening', () => {
  test.each([
    ['text that is no JSON', '{"plans"'],
    ['a document of another kind', '{"plans": 1}'],
    ['a statement of no kind', '{"plans":{"plans":[{"name":"p","blocks":[{"stmts":[{"type":"NoStmt","stmt":{}}]}]}]}}'],
  ])('%s is an error that says where', async (_title, plan) => {
    const error: Error = await Engine.open([bundleOf({ plan })]).then(
      () => expect.unreachable(),
      (reason: Error) => reason,
    );
    expect(error.name).toMatch(/^(Bundle|Plan|Json)Error$/);
    expect(error.message).not.toBe('');
  });

  test.each([
    ['a built-in that there is not', ['Call', { func: 'no.such', args: [], result: 2 }], 'no.such'],
    ['a wrong number of arguments', ['Call', { func: 'count', args: [0, 1], result: 2 }], 'count takes 1'],
    ['a break out of nowhere', ['Break', { index: 1 }], 'a break out of 2 blocks stands in 1'],
    ['a change of the input', ['ArrayAppend', { array: 0, value: 'x' }], 'local 0 is changed'],
    ['a number that is none', ['MakeNumberRef', { index: 'x', target: 2 }], '"x" is not a number'],
  ] as const)('%s is an error that says where', async (_title, stmt, message) => {
    const opened = Engine.open([bundleOf({ plan: { plans: { p: [[stmt]] } } })]);
    await expect(opened).rejects.toMatchObject({
      name: 'VerifyError',
      code: 'invalid_plan',
      pointer: expect.stringMatching(/^\/plans\/plans\/0/),
    });
    await expect(opened).rejects.toBeInstanceOf(VerifyError);
    await expect(opened).rejects.toThrow(message);
  });

  test('what is not there is an error', async () => {
    await expect(Engine.open([join(folder, 'nowhere')])).rejects.toBeInstanceOf(BundleError);
  });
});

describe('limits', () => {
  const loop: ShortBlock[] = [
    [
      [
        'Scan',
        {
          source: 0,
          key: 3,
          value: 4,
          block: [['Scan', { source: 0, key: 5, value: 6, block: [['Scan', { source: 0, key: 7, value: 8, block: [['Nop']] }]] }]],
        },
      ],
    ],
  ];
  const many = Array.from({ length: 500 }, (_, i) => i);
  const funcs: { [name: string]: ShortFunc } = {
    f: {
      params: [0, 1, 5],
      blocks: [
        [
          ['Call', { func: 'f', args: [0, 1, 5], result: 2 }],
          ['ReturnLocal', { source: 2 }],
        ],
      ],
    },
  };

  test.each([
    ['instructions', { instructions: 10_000 }, 'p/loop', 'instruction limit reached'],
    ['time', { timeMs: 5 }, 'p/loop', 'query execution timed out'],
    ['an abort', { signal: AbortSignal.abort() }, 'p/loop', 'caller cancelled query execution'],
    ['the depth of calls', {}, 'p/calls', 'calls nest deeper than 10000'],
    ['a depth of calls that was given', { callDepth: 3 }, 'p/calls', 'calls nest deeper than 3'],
    ['the size of the result', { resultSize: 500 }, 'p/echo', 'the result has more than 500 values'],
  ])('%s', async (_title, limits, path, message) => {
    const engine = await engineOf({ 'p/loop': loop, 'p/calls': calling('f', 0, 1, 0), ...echo }, { funcs });
    const error = thrown(() => engine.decide(path, many, limits));
    expect(error).toBeInstanceOf(EvaluationError);
    expect(error.code).toBe('eval_cancel_error');
    expect(error.message).toContain(message);
    await expect(engine.decideAsync(path, many, limits)).rejects.toThrow(message);
  });

  test('are those of all plans together where a path is above several', async () => {
    const plans = { 'p/a': loop, 'p/b': loop, 'p/c': loop, 'p/d': loop };
    const engine = await engineOf(plans);
    const few = many.slice(0, 20);
    // One of them takes some 8,400.
    expect(engine.decide('p/a', few, { instructions: 15_000 })).toEqual({});
    expect(thrown(() => engine.decide('p', few, { instructions: 15_000 })).message).toContain('instruction limit reached');
    await expect(engine.decideAsync('p', few, { instructions: 15_000 })).rejects.toThrow('instruction limit reached');
    expect(engine.decide('p', few, { instructions: 60_000 })).toEqual({});
  });

  test('of time end with the plan in which the time is over', async () => {
    let clock = 0;
    const slow = builtin('test.slow', [arg('x', types.boolean)], types.number, () => {
      const until = performance.now() + 30;
      while (performance.now() < until) clock++;
      return clock;
    });
    const one = answering(
      2,
      ['Call', { func: 'test.slow', args: [true], result: 2 }],
      ['Scan', { source: 0, key: 3, value: 4, block: [['Scan', { source: 0, key: 5, value: 6, block: [['Nop']] }]] }],
    );
    const engine = await engineOf({ 'p/a': one, 'p/b': one, 'p/c': one, 'p/d': one }, { builtins: [slow] });
    const input = many.slice(0, 200);
    expect(engine.decide('p/a', input, { timeMs: 100_000, strictBuiltinErrors: true }).result).toBeGreaterThan(0);
    expect(thrown(() => engine.decide('p', input, { timeMs: 70 })).message).toContain('query execution timed out');
    await expect(engine.decideAsync('p', input, { timeMs: 70 })).rejects.toThrow('query execution timed out');
  });

  test('leave what stays within them alone', async () => {
    const engine = await engineOf(echo);
    const limits = { instructions: 1000, timeMs: 100_000, callDepth: 10, resultSize: 501, signal: new AbortController().signal };
    expect(engine.decide('p/echo', many, limits)).toEqual({ result: many });
  });
});

describe("a host's own built-ins", () => {
  const double = builtin('acme.double', [arg('n', types.number)], types.number, (n) => Number(n) * 2);
  const slow = asyncBuiltin('acme.lookup', [arg('key', types.string)], types.string, async ([key]) => {
    await Promise.resolve();
    if (key === 'bad') throw new BuiltinError('no such key');
    return key === 'none' ? undefined : `found ${key as string}`;
  });

  test('are called like any other', async () => {
    const engine = await engineOf({ p: calling('acme.double', 0) }, { builtins: [double] });
    expect(engine.decide('p', 21)).toEqual({ result: 42 });
    expect(engine.decide('p', 'x')).toEqual({});
    const error = thrown(() => engine.decide('p', 'x', { strictBuiltinErrors: true }));
    expect(error.message).toBe('test.rego:1: eval_type_error: acme.double: operand 1 must be number but got string');
  });

  test('may not take a name that is taken', async () => {
    for (const builtins of [[builtin('count', [arg('x', types.any)], types.number, () => 0)], [double, double]]) {
      await expect(engineOf({}, { builtins })).rejects.toMatchObject({ name: 'EngineError', code: 'builtin_conflict' });
    }
    expect(new EngineError('closed', 'y')).toBeInstanceOf(Error);
  });

  test('that wait are awaited, once for equal operands', async () => {
    const asked: unknown[] = [];
    const counting = asyncBuiltin('acme.count', [arg('key', types.any)], types.any, async ([key]) => {
      asked.push(key);
      return asked.length;
    });
    const twice = answering(
      4,
      ['Call', { func: 'acme.count', args: ['a'], result: 2 }],
      ['Call', { func: 'acme.count', args: ['a'], result: 3 }],
      ['Call', { func: 'acme.count', args: ['b'], result: 5 }],
      ['MakeArray', { target: 4 }],
      ['ArrayAppend', { array: 4, value: 2 }],
      ['ArrayAppend', { array: 4, value: 3 }],
      ['ArrayAppend', { array: 4, value: 5 }],
    );
    const engine = await engineOf({ p: twice }, { builtins: [counting] });
    expect(await engine.decideAsync('p')).toEqual({ result: [1, 1, 2] });
    expect(asked).toEqual(['a', 'b']);
    expect(await engine.decideAsync('p')).toEqual({ result: [3, 3, 4] });
  });

  test('that wait, asked at once, are an error that names them', async () => {
    const engine = await engineOf({ p: calling('acme.lookup', 0) }, { builtins: [slow] });
    const error = thrown(() => engine.decide('p', 'k'));
    expect(error.code).toBe('eval_wait_error');
    expect(error.message).toContain('acme.lookup');
    expect(await engine.decideAsync('p', 'k')).toEqual({ result: 'found k' });
    expect(await engine.decideAsync('p', 'none')).toEqual({});
    expect(await engine.decideAsync('p', 'bad')).toEqual({});
    await expect(engine.decideAsync('p', 'bad', { strictBuiltinErrors: true })).rejects.toThrow(
      'eval_builtin_error: acme.lookup: no such key',
    );
  });

  test('that wait too long or for nobody are given up', async () => {
    let given: AbortSignal | undefined;
    const never = asyncBuiltin('acme.never', [], types.any, (_operands, signal) => {
      given = signal;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    const engine = await engineOf({ p: calling('acme.never') }, { builtins: [never] });
    await expect(engine.decideAsync('p', null, { timeMs: 1000 })).rejects.toThrow('query execution timed out');
    expect(given?.aborted).toBe(true);
    const controller = new AbortController();
    const decided = engine.decideAsync('p', null, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(decided).rejects.toMatchObject({ code: 'eval_cancel_error', message: expect.stringContaining('caller cancelled') });
  });

  test.each([0.5, 100_000.25, 1e12])('and a limit of %s ms go together', async (timeMs) => {
    const waits = asyncBuiltin('test.wait', [], types.number, async () => {
      if (timeMs < 1) await new Promise((resolve) => setTimeout(resolve, 50));
      return 1;
    });
    const engine = await engineOf({ 'p/x': calling('test.wait') }, { builtins: [waits] });
    const decision = engine.decideAsync('p/x', undefined, { timeMs });
    if (timeMs < 1) await expect(decision).rejects.toThrow('query execution timed out');
    else expect(await decision).toEqual({ result: 1 });
  });

  test('may end the evaluation, or fail in ways that are not ours', async () => {
    const halting = builtin('acme.halt', [], types.any, () => {
      throw new HaltError('acme_error', 'stop');
    });
    const broken = builtin('acme.broken', [], types.any, () => {
      throw new TypeError('a mistake');
    });
    const engine = await engineOf({ halt: calling('acme.halt'), broken: calling('acme.broken') }, { builtins: [halting, broken] });
    expect(thrown(() => engine.decide('halt'))).toMatchObject({ code: 'acme_error', message: 'test.rego:1: acme_error: stop' });
    expect(thrown(() => engine.decide('broken'))).toMatchObject({ code: 'eval_builtin_error', cause: expect.any(TypeError) });
  });

  test('that answer otherwise each time are asked once an evaluation', async () => {
    let n = 0;
    const next: Builtin = builtin('acme.next', [arg('of', types.any)], types.number, () => ++n, { nondeterministic: true });
    const plan = answering(
      5,
      ['Call', { func: 'acme.next', args: ['a'], result: 2 }],
      ['Call', { func: 'acme.next', args: ['a'], result: 3 }],
      ['Call', { func: 'acme.next', args: ['b'], result: 4 }],
      ['MakeArray', { target: 5 }],
      ...[2, 3, 4].map((value) => ['ArrayAppend', { array: 5, value }] as const),
    );
    const engine = await engineOf({ p: plan }, { builtins: [next] });
    expect(engine.decide('p')).toEqual({ result: [1, 1, 2] });
    expect(engine.decide('p')).toEqual({ result: [3, 3, 4] });
  });

  test('load what they need before the first call', async () => {
    const load = vi.fn(async () => undefined);
    const loaded = builtin('acme.loaded', [], types.number, () => load.mock.calls.length, { load });
    const engine = await engineOf({ p: calling('acme.loaded') }, { builtins: [loaded] });
    expect(engine.decide('p')).toEqual({ result: 1 });
  });
});

test('an evaluation that runs again tells what it told before again, and says so', async () => {
  const told: string[] = [];
  const wait = asyncBuiltin('acme.wait', [], types.any, async () => 1);
  const engine = await engineOf(
    { p: answering(3, ['Call', { func: 'trace', args: ['note'], result: 2 }], ['Call', { func: 'acme.wait', args: [], result: 3 }]) },
    { builtins: [wait] },
  );
  await engine.decideAsync('p', null, { onTrace: (note) => told.push(note), onRestart: () => told.push('again') });
  expect(told).toEqual(['note', 'again', 'note']);
});

test('errors of built-ins that became undefined are told to whoever asks', async () => {
  const engine = await engineOf({ p: calling('to_number', 0) });
  const told: string[] = [];
  expect(engine.decide('p', 'x', { onBuiltinError: (error, name) => told.push(`${name} ${error.code}`) })).toEqual({});
  expect(told).toEqual(['to_number eval_builtin_error']);
});

test('plans that answer one path see one time, and one answer of what may answer otherwise', async () => {
  const clock = calling('time.now_ns');
  const chance = answering(
    2,
    ['MakeNumberInt', { value: 2_000_000, target: 9 }],
    ['Call', { func: 'rand.intn', args: ['x', 9], result: 2 }],
  );
  const engine = await engineOf({ 'p/a': clock, 'p/b': clock, 'q/a': chance, 'q/b': chance });
  for (const path of ['p', 'q']) {
    const { a, b } = engine.decide(path).result as { a: number; b: number };
    expect(a).toBe(b);
  }
});

test('the clock stands still during an evaluation, and may be set', async () => {
  const engine = await engineOf({ p: calling('time.now_ns') });
  expect(engine.decideText('p', 'null', { timeNs: 1_700_000_000_123_456_789n })).toBe('{"result":1700000000123456789}');
});

test('input that is no JSON is an error', async () => {
  const engine = await engineOf(echo);
  expect(thrown(() => engine.decideText('p/echo', '{'))).toBeInstanceOf(JsonError);
  expect(thrown(() => engine.decideText('p/echo', '['.repeat(100_000)))).toBeInstanceOf(JsonError);
});

describe('a plan with members that are not known', () => {
  const plan = () => JSON.stringify({ ...expandPlan({ plans: { 'a/b': answering(true) } }), hints: { fast: true } });

  test('is decided, and told of', async () => {
    const warnings: string[] = [];
    const engine = await Engine.open([bundleOf({ plan: plan() })], { onWarning: (warning) => void warnings.push(warning) });
    expect(engine.decide('a/b', undefined).result).toBe(true);
    expect(warnings).toEqual([expect.stringMatching(/plan\.json: members of the plan are not known and are ignored: "hints" of Policy$/)]);
  });

  test('is a warning of the process where nobody listens', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await Engine.open([bundleOf({ plan: plan() })]);
    expect(emitted).toHaveBeenCalledWith(expect.stringContaining('"hints"'), 'WritWarning');
    emitted.mockRestore();
  });

  test('no plan, no warning', async () => {
    const warnings: string[] = [];
    await Engine.open([{ policies: { 'a.rego': 'package a\n\nb := 1' } }], { onWarning: (warning) => void warnings.push(warning) });
    expect(warnings).toEqual([]);
  });
});

test.each(['never', 'always'] as const)('a line of print comes with its place, with codegen %s', async (codegen) => {
  const policy = 'package p\n\nallow if {\n\tsome x in [1, 2]\n\tprint("x is", x)\n\tf(x)\n}\n\nf(x) if {\n\tprint(x)\n\tx == 2\n}\n';
  const engine = await Engine.open({ policies: { 'dir/p.rego': policy } }, { codegen });
  const lines: unknown[][] = [];
  expect(await engine.decide('p/allow', {}, { onPrint: (...line) => void lines.push(line) })).toEqual({ result: true });
  const [first, second] = ['dir/p.rego:5', 'dir/p.rego:10'];
  expect(lines).toEqual([
    ['x is 1', first],
    ['1', second],
    ['x is 2', first],
    ['2', second],
  ]);
});

describe('paths in development', () => {
  const authz = {
    policies: { 'authz.rego': 'package authz\n\nallow if input.x\n\nroles[r] := 1 if some r in input.roles\n' },
    data: { users: { ann: 1 } },
  };

  test.each([
    ['authz/alow', 'nothing answers "authz/alow": data.authz has no "alow": did you mean "allow"?'],
    ['auhtz/allow', 'nothing answers "auhtz/allow": data has no "auhtz": did you mean "authz"?'],
    ['users/anm', 'nothing answers "users/anm": data.users has no "anm": did you mean "ann"?'],
    ['other', 'nothing answers "other": data has no "other"'],
    ['authz/allow', undefined],
    ['authz/roles/admin', undefined],
    ['authz', undefined],
    ['users/ann', undefined],
  ])('a path %s that nothing answers is told of once, but not in production', async (path, told) => {
    for (const [mode, expected] of [
      ['development', told],
      ['test', told],
      ['production', undefined],
    ] as const) {
      vi.stubEnv('NODE_ENV', mode);
      const warnings: string[] = [];
      const engine = await Engine.open([authz], { onWarning: (warning) => void warnings.push(warning) });
      for (let i = 0; i < 2; i++) engine.decide(path);
      await engine.decideAsync(path);
      (await engine.prepare(path)).decide();
      expect(warnings).toEqual(expected === undefined ? [] : [expected]);
    }
    vi.unstubAllEnvs();
  });
});
