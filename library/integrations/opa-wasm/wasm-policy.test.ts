/** A host of OPA's WebAssembly: modules that tests build by its documented interface. */
import { describe, expect, test, vi } from 'vitest';
import { type Expression, type WasmPolicy, wasmPolicy } from '../../../test/harness/wasm/wasm-policy.js';
import { builtins } from '../../../values/builtins/registry.js';
import { loadBuiltins, loadPolicy, loadPolicySync, OpaWasmError } from './index.js';

const input: Expression = { document: 'input' };
const data: Expression = { document: 'data' };
const call = (builtin: string, ...operands: Expression[]): Expression => ({ builtin, operands });

const load = (rules: WasmPolicy['rules'], more: Partial<WasmPolicy> = {}) => loadPolicy(wasmPolicy({ rules, ...more }));

describe.each([0, 1, 2, 3, 4])('version 1.%s of the interface', (minor) => {
  const open = (rules: WasmPolicy['rules']) => load(rules, { version: [1, minor] });

  test('an entrypoint is evaluated by its name, its number, and by default the first', async () => {
    const policy = await open({ a: { value: '"first"' }, 'b/c': { value: '2' } });
    expect(policy.entrypoints).toEqual({ a: 0, 'b/c': 1 });
    expect(policy.evaluate()).toEqual([{ result: 'first' }]);
    expect(policy.evaluate({}, 'b/c')).toEqual([{ result: 2 }]);
    expect(policy.evaluate({}, policy.entrypoints['b/c'])).toEqual([{ result: 2 }]);
  });

  test('an undefined result is an empty set', async () => {
    expect((await open({ a: input })).evaluate()).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    ['an object', { a: [1, null, 'ü'] }, { a: [1, null, 'ü'] }],
    ['a text, which is a value and no JSON', '{"a":1}', '{"a":1}'],
    ['an ArrayBuffer of a JSON text', new TextEncoder().encode('{"a":1}').buffer, { a: 1 }],
    ['a view of one', new TextEncoder().encode('[1]'), [1]],
    ['false', false, false],
    ['zero', 0, 0],
    ['null', null, null],
    ['a date and undefined members, as JSON.stringify writes them', { at: new Date(0), no: undefined }, { at: '1970-01-01T00:00:00.000Z' }],
  ])('%s is an input, and data', async (_title, given, wanted) => {
    const policy = await open({ input, data });
    expect(policy.evaluate(given)).toEqual([{ result: wanted }]);
    policy.setData(given);
    expect(policy.evaluate({}, 'data')).toEqual([{ result: wanted }]);
  });

  test('data begin empty, stay for many evaluations, and are replaced', async () => {
    const policy = await open({ data, input });
    expect(policy.evaluate()).toEqual([{ result: {} }]);
    policy.setData({ a: 1 });
    for (let i = 0; i < 3; i++) {
      expect(policy.evaluate('x'.repeat(1000 * i), 'input')).toEqual([{ result: 'x'.repeat(1000 * i) }]);
      expect(policy.evaluate()).toEqual([{ result: { a: 1 } }]);
    }
    policy.setData({});
    expect(policy.evaluate()).toEqual([{ result: {} }]);
  });

  test('built-ins of zero to four operands are called', async () => {
    const rules = {
      none: call('opa.runtime'),
      one: call('upper', input),
      two: call('startswith', input, { value: '"a"' }),
      three: call('replace', input, { value: '"a"' }, { value: '"b"' }),
      four: call('time.clock', { value: '0' }),
    };
    const policy = await open(rules);
    expect(policy.evaluate({}, 'none')[0]!.result).toMatchObject({ env: {} });
    expect(policy.evaluate('abc', 'one')).toEqual([{ result: 'ABC' }]);
    expect(policy.evaluate('abc', 'two')).toEqual([{ result: true }]);
    expect(policy.evaluate('abc', 'three')).toEqual([{ result: 'bbc' }]);
    expect(policy.evaluate('abc', 'four')).toEqual([{ result: [0, 0, 0] }]);
  });
});

describe('a source', () => {
  const bytes = wasmPolicy({ rules: { a: { value: '1' } } });
  const one = [{ result: 1 }];

  test.each([
    ['bytes', bytes],
    ['an ArrayBuffer', bytes.buffer],
    ['a Buffer', Buffer.from(bytes)],
    ['a module', new WebAssembly.Module(bytes)],
    ['an answer of fetch', new Response(bytes)],
    ['a promise of one', Promise.resolve(new Response(bytes))],
    ['a Blob', new Blob([bytes])],
  ])('may be %s', async (_title, source) => {
    expect((await loadPolicy(source)).evaluate()).toEqual(one);
  });

  test.each([
    ['bytes', bytes],
    ['an ArrayBuffer', bytes.buffer],
    ['a module', new WebAssembly.Module(bytes)],
  ])('may be %s without waiting', (_title, source) => {
    expect(loadPolicySync(source).evaluate()).toEqual(one);
  });

  test.each<[string, unknown, string]>([
    ['a path', 'policy.wasm', 'policy.wasm is no policy'],
    ['nothing', undefined, 'undefined is no policy'],
    ['an object', {}, 'an object is no policy'],
    ['other bytes', new Uint8Array([1, 2, 3]), 'the policy cannot be loaded'],
    ['an answer that found nothing', new Response('', { status: 404 }), 'the server answered 404'],
    ['WebAssembly of something else', moduleWithout('builtins', 'opa_malloc'), 'the policy does not export builtins, opa_malloc'],
  ])('cannot be %s', async (_title, source, message) => {
    await expect(loadPolicy(source as never)).rejects.toThrow(message);
    await expect(loadPolicy(source as never)).rejects.toMatchObject({ name: 'OpaWasmError', code: 'invalid_policy' });
  });

  test('of another version of the interface is refused', async () => {
    const wanted = { code: 'unsupported_abi', message: 'unsupported ABI version 2' };
    await expect(load({ a: input }, { version: [2, 0] })).rejects.toMatchObject(wanted);
    await expect(load({ a: input }, { without: ['version'] })).rejects.toThrow('unsupported ABI version undefined');
    expect(() => loadPolicySync(wasmPolicy({ rules: { a: input }, version: [2, 0] }))).toThrow(OpaWasmError);
  });
});

function moduleWithout(...without: string[]): Uint8Array {
  return wasmPolicy({ rules: { a: input }, without });
}

describe('an entrypoint', () => {
  test.each<[string, unknown, string]>([
    ['an object', {}, 'entrypoint value is an invalid type, must be either string or number'],
    ['null', null, 'entrypoint value is an invalid type, must be either string or number'],
    ['a name that there is not', 'not/a/real/entrypoint', 'entrypoint not/a/real/entrypoint is not valid in this instance'],
    ['an inherited name', 'constructor', 'entrypoint constructor is not valid in this instance'],
    ['a number that there is not', 7, 'entrypoint 7 is not valid in this instance'],
  ])('cannot be %s', async (_title, entrypoint, message) => {
    const policy = await load({ a: input });
    expect(() => policy.evaluate({}, entrypoint as never)).toThrow(message);
    await expect(policy.evaluateAsync({}, entrypoint as never)).rejects.toMatchObject({ code: 'invalid_entrypoint' });
  });
});

describe('a document that is no JSON', () => {
  const loop: unknown[] = [];
  loop.push(loop);

  test.each<[string, unknown]>([
    ['a function', () => 1],
    ['a BigInt', { n: 1n }],
    ['an object that holds itself', loop],
    ['bytes of another text', new TextEncoder().encode('{"a":')],
    ['bytes that are no text', Uint8Array.of(34, 255, 34)],
    ['no bytes', new ArrayBuffer(0)],
  ])('(%s) is refused, and the policy goes on as before', async (_title, given) => {
    const policy = await load({ data, input });
    policy.setData(1);
    expect(() => policy.evaluate(given, 'input')).toThrow('input is no JSON');
    expect(() => policy.setData(given)).toThrow('data is no JSON');
    expect(policy.evaluate()).toEqual([{ result: 1 }]);
  });
});

describe('memory', () => {
  const text = 'a'.repeat(2 * 65_536);
  const bytes = wasmPolicy({ rules: { input, data }, pages: 1 });

  test('of the host cannot grow beyond its limit', async () => {
    const policy = await loadPolicy(bytes, { initial: 2, maximum: 2 });
    expect(() => policy.evaluate(text)).toThrow(/WebAssembly\.Memory\.grow\(\): Maximum memory size exceeded/i);
    expect(() => policy.evaluate(text)).toThrow(expect.objectContaining({ code: 'memory_exceeded' }));
    expect(policy.evaluate('a')).toEqual([{ result: 'a' }]);
  });

  test('of the policy cannot grow beyond it', async () => {
    const policy = await loadPolicy(bytes, { initial: 3, maximum: 4 });
    expect(() => policy.evaluate(text)).toThrow('opa_malloc: failed');
    expect(policy.evaluate('a')).toEqual([{ result: 'a' }]);
  });

  test('grows for a long input, and is used again', async () => {
    const policy = await loadPolicy(bytes, { initial: 2, maximum: 16 });
    for (let i = 0; i < 16; i++) expect(policy.evaluate(text)[0]!.result).toHaveLength(text.length);
  });

  test('that data do not fit into leaves the policy without any, which is said', async () => {
    const policy = await loadPolicy(bytes, { initial: 2, maximum: 3 });
    policy.setData({ a: 1 });
    expect(() => policy.setData(text)).toThrow();
    expect(() => policy.evaluate()).toThrow('the policy has no data, since the last setData failed');
    policy.setData({ a: 2 });
    expect(policy.evaluate({}, 'data')).toEqual([{ result: { a: 2 } }]);
  });

  test('has as many pages as a number says, or as the policy needs', async () => {
    const large = wasmPolicy({ rules: { input }, pages: 9 });
    expect((await loadPolicy(large)).evaluate(1)).toEqual([{ result: 1 }]);
    expect(loadPolicySync(large, 9).evaluate(1)).toEqual([{ result: 1 }]);
    await expect(loadPolicy(large, 8)).rejects.toMatchObject({ code: 'invalid_policy' });
    await expect(loadPolicy(large, -1)).rejects.toMatchObject({ code: 'memory_exceeded' });
  });

  test("may be the policy's own", async () => {
    const policy = await load({ input }, { ownsMemory: true });
    expect(policy.evaluate(text)[0]!.result).toHaveLength(text.length);
  });
});

describe('a built-in', () => {
  test.each<[string, string, Expression]>([
    ['sets', '{1, 2.50, "a", set()}', call('or', { value: '{2.50,"a",set()}' }, { value: '{1,"a"}' })],
    ['an empty set', 'set()', call('object.get', { value: '{1:{"x"},{2}:set()}' }, { value: '{2}' }, { value: 'null' })],
    ['objects with any keys', '{1: true, {"k"}: 1e400}', call('object.union', { value: '{1:true}' }, { value: '{{"k"}:1e400}' })],
    ['numbers of any size', '12345678901234567890', call('plus', { value: '12345678901234567889' }, { value: '1' })],
    ['texts', '["\\u0000\\"ü\\n"]', call('array.concat', { value: '["\\u0000\\"ü\\n"]' }, { value: '[]' })],
  ])('gets and answers %s', async (_title, wanted, expression) => {
    const policy = await load({ equal: call('equal', expression, { value: wanted }) });
    expect(policy.evaluate()).toEqual([{ result: true }]);
  });

  test('that fails is undefined, and one that ends the evaluation is an error', async () => {
    const policy = await load({
      fails: call('yaml.unmarshal', { value: '"{ , }"' }),
      wrong: call('upper', { value: '1' }),
      ends: call('acme.ends'),
    });
    expect(policy.evaluate({}, 'fails')).toEqual([]);
    expect(policy.evaluate({}, 'wrong')).toEqual([]);
    expect(() => policy.evaluate({}, 'ends')).toThrow(
      expect.objectContaining({ code: 'missing_builtin', message: 'not implemented: built-in function 2: acme.ends' }),
    );
  });

  test('has the same result for all calls of one evaluation where it depends on the time', async () => {
    const policy = await load({ now: call('json.marshal', call('time.now_ns')) });
    expect(policy.evaluate()[0]!.result).toMatch(/^\d{19}$/);
  });

  test('of any name of ours can be called', async () => {
    const names = [...builtins.keys()];
    expect(names.length).toBeGreaterThan(200);
    const policy = await load({ first: { value: '1' } }, { builtins: names });
    expect(policy.evaluate()).toEqual([{ result: 1 }]);
    // Each is called with as many operands as it has; most are undefined for these.
    const rules = names.flatMap((name) => {
      const { args, nondeterministic } = builtins.get(name)!;
      if (args.length > 4 || nondeterministic) return [];
      return [[name, call(name, ...args.map((): Expression => ({ value: '"1"' })))] as const];
    });
    const all = await load(Object.fromEntries(rules));
    for (const [name] of rules) expect(() => all.evaluate({}, name), name).not.toThrow();
  });

  test('that has to wait is an error, unless the caller waits', async () => {
    const policy = await load({ address: call('json.marshal', call('net.lookup_ip_addr', { value: '"localhost"' })) });
    expect(() => policy.evaluate()).toThrow(
      expect.objectContaining({ code: 'eval_wait_error', detail: 'net.lookup_ip_addr waits for its answer: use evaluateAsync' }),
    );
    expect(await policy.evaluateAsync()).toEqual([{ result: expect.stringContaining('"127.0.0.1"') }]);
  });

  test('that is not loaded yet is an error of a policy that was loaded at once', async () => {
    const policy = loadPolicySync(
      wasmPolicy({ rules: { parsed: call('rego.parse_module', { value: '"a.rego"' }, { value: '"package a"' }) } }),
    );
    expect(() => policy.evaluate()).toThrow(expect.objectContaining({ code: 'not_loaded' }));
    await vi.waitFor(() => expect(policy.evaluate()).toHaveLength(1));
    await loadBuiltins();
    const yaml = loadPolicySync(wasmPolicy({ rules: { a: call('yaml.unmarshal', { value: '"a: 1"' }) } }));
    expect(yaml.evaluate()).toEqual([{ result: { a: 1 } }]);
  });
});

describe("a caller's built-in", () => {
  const custom = {
    'custom.zero': () => 'hello',
    'custom.one': (a: string) => `hello ${a}`,
    'custom.four': (...operands: unknown[]) => operands,
    'custom.none': () => undefined,
    'custom.fails': () => {
      throw new Error('boom');
    },
    'custom.date': () => new Date(0),
    'custom.later': async (a: unknown) => ({ later: a }),
    'custom.never': async () => {
      throw new Error('no answer');
    },
    'json.is_valid': () => {
      throw new Error('ours is called');
    },
  };
  const open = (rules: WasmPolicy['rules']) => loadPolicy(wasmPolicy({ rules }), { initial: 5, maximum: 10 }, custom);

  test('gets JSON values and answers one', async () => {
    const policy = await open({
      zero: call('custom.zero'),
      one: call('custom.one', { value: '"a"' }),
      four: call('custom.four', { value: '{3, 1}' }, { value: '{[1]: 2}' }, { value: 'null' }, input),
      none: call('custom.none'),
    });
    expect(policy.evaluate({}, 'zero')).toEqual([{ result: 'hello' }]);
    expect(policy.evaluate({}, 'one')).toEqual([{ result: 'hello a' }]);
    expect(policy.evaluate({ x: 1.5 }, 'four')).toEqual([{ result: [[1, 3], { '[1]': 2 }, null, { x: 1.5 }] }]);
    expect(policy.evaluate({}, 'none')).toEqual([]);
  });

  test('does not replace one of ours', async () => {
    expect((await open({ valid: call('json.is_valid', { value: '"{}"' }) })).evaluate()).toEqual([{ result: true }]);
  });

  test('that throws, or answers no JSON, ends the evaluation', async () => {
    const policy = await open({ fails: call('custom.fails'), date: call('custom.date'), fine: { value: '1' } });
    const wanted = { name: 'EvaluationError', code: 'eval_builtin_error', detail: 'custom.fails: boom' };
    expect(() => policy.evaluate()).toThrow(expect.objectContaining(wanted));
    expect(() => policy.evaluate({}, 'date')).toThrow('the result of custom.date is a Date: give its toISOString()');
    expect(policy.evaluate({}, 'fine')).toEqual([{ result: 1 }]);
  });

  test('may answer a promise to who waits', async () => {
    const policy = await open({ later: call('custom.later', input), never: call('custom.never') });
    expect(await policy.evaluateAsync(7)).toEqual([{ result: { later: 7 } }]);
    expect(() => policy.evaluate(7)).toThrow('custom.later waits for its answer: use evaluateAsync');
    await expect(policy.evaluateAsync({}, 'never')).rejects.toThrow('custom.never: no answer');
  });

  test('cannot evaluate the policy that calls it', async () => {
    const inner: { evaluate?: () => unknown; setData?: () => unknown } = {};
    const policy = await loadPolicy(wasmPolicy({ rules: { a: call('custom.again'), b: call('custom.data') } }), undefined, {
      'custom.again': () => inner.evaluate!(),
      'custom.data': () => inner.setData!(),
    });
    inner.evaluate = () => policy.evaluate();
    inner.setData = () => policy.setData({});
    expect(() => policy.evaluate()).toThrow('a built-in cannot evaluate the policy that calls it');
    expect(() => policy.evaluate({}, 'b')).toThrow('a built-in cannot evaluate the policy that calls it');
  });
});

describe('a policy', () => {
  test('that ends itself says where', async () => {
    const policy = await load({
      conflict: { abort: 'authz/rules.rego:5:3: var assignment conflict' },
      other: { abort: 'numbers: out of range' },
      fine: { value: '1' },
    });
    const place = { file: 'authz/rules.rego', row: 5, col: 3 };
    expect(() => policy.evaluate()).toThrow(
      expect.objectContaining({ code: 'policy_abort', message: 'authz/rules.rego:5:3: var assignment conflict', ...place }),
    );
    expect(() => policy.evaluate({}, 'other')).toThrow(expect.objectContaining({ code: 'policy_abort', file: undefined }));
    expect(policy.evaluate({}, 'fine')).toEqual([{ result: 1 }]);
  });

  test.each<[string, Expression, RegExp]>([
    ['traps', 'trap', /the policy failed: unreachable/],
    ['calls itself without end', 'endless recursion', /the policy failed: Maximum call stack size exceeded/],
  ])('that %s is an error, and can be evaluated again', async (_title, rule, message) => {
    const policy = await load({ fine: { value: '1' }, rule });
    expect(() => policy.evaluate({}, 'rule')).toThrow(message);
    expect(policy.evaluate()).toEqual([{ result: 1 }]);
  });

  test('prints lines', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      expect((await load({ told: { line: 'hello', value: 'true' } })).evaluate()).toEqual([{ result: true }]);
      expect(log.mock.calls).toEqual([['hello']]);
    } finally {
      log.mockRestore();
    }
  });
});
