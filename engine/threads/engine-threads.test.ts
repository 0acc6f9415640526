/** Decisions of the library in threads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arg, builtin, Engine, type EngineOptions, types } from '../../library/index.js';
import { evaluationEntry } from '../../test/harness/engine-thread.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { nodeThreads } from './node-threads.js';
import { ThreadPool } from './pool.js';

const entry = evaluationEntry();

const policies = {
  'p.rego': `package p

xs := numbers.range(1, 3000)

counted := count([1 | some row in data.rows; some _ in row])

endless := count([1 | some a in xs; some b in xs; some c in xs; a + b + c == 0])

some_time := count([1 | some a in numbers.range(1, 1000); some b in xs; a * b == 6])

echo := {"input": input, "data": data.rows, "set": {3, 1}}

told if {
	print("printed", input)
	trace("traced")
	not 1 / 0
}

fails := {1, 2}[_] if f

f := x if some x in [1, 2]

now := time.now_ns()

random := rand.intn("a", 1000000000)

region := opa.runtime().env.REGION

address := net.lookup_ip_addr("127.0.0.1")

own := acme.one(1)
`,
};
const one = builtin('acme.one', [arg('x', types.any)], types.number, () => 1);
const platform = { host: nodeHost, threads: async () => new ThreadPool(nodeThreads(entry)) };

function openEngine(options: EngineOptions = {}): Promise<Engine> {
  return Engine.open({ policies, data: { rows: { '1': [1] } } }, { builtins: [one], platform, ...options });
}

describe.each(['warm', 'never'] as const)('a decision in a thread (codegen: %s)', (codegen) => {
  let engine: Engine;
  const open = (options: EngineOptions = {}) => openEngine({ codegen, ...options });
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());

  test('answers what it would here', async () => {
    const input = { a: 1.5, b: [null, 'ü'] };
    const wanted = { result: { data: { '1': [1] }, input, set: [1, 3] } };
    expect(await engine.decideAsync('p/echo', input, { thread: true })).toEqual(wanted);
    expect(await engine.decideAsync('p/echo/set/1', input, { thread: true })).toEqual(engine.decide('p/echo/set/1', input));
    expect(await engine.decideAsync('rows', input, { thread: true })).toEqual({ result: { '1': [1] } });
    expect(await engine.decideAsync('p/none', input, { thread: true })).toEqual({});
  });

  test('sees the documents as they are when it is asked for', async () => {
    const changing = await open();
    const before = changing.decideAsync('p/echo/data', 1, { thread: true });
    await changing.setData('rows', [2]);
    expect(await before).toEqual({ result: { '1': [1] } });
    expect(await changing.decideAsync('p/echo/data', 1, { thread: true })).toEqual({ result: [2] });
    await changing.close();
  });

  test('sees writes to the documents of a rule whose results are kept', async () => {
    const changing = await open();
    const counted = () => changing.decideAsync('p/counted', 1, { thread: true });
    for (let i = 0; i < 4; i++) expect(await counted()).toEqual({ result: 1 });
    await changing.setData('rows/2', [3, 4]);
    for (let i = 0; i < 4; i++) expect(await counted()).toEqual({ result: 3 });
    await changing.close();
  });

  test('leaves the event loop free', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    expect(await engine.decideAsync('p/some_time', {}, { thread: true })).toEqual({ result: 4 });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  test('ends when it is aborted, and others get a thread', async () => {
    const caller = new AbortController();
    const endless = engine.decideAsync('p/endless', {}, { thread: true, signal: caller.signal });
    setTimeout(() => caller.abort(), 100);
    await expect(endless).rejects.toMatchObject({ name: 'EvaluationError', code: 'eval_cancel_error' });
    const aborted = engine.decideAsync('p/echo', {}, { thread: true, signal: caller.signal });
    await expect(aborted).rejects.toMatchObject({ code: 'eval_cancel_error' });
    expect(await engine.decideAsync('p/echo/set', {}, { thread: true })).toEqual({ result: [1, 3] });
  });

  test('has the limits that it would have here', async () => {
    const cancelled = (detail: string) => ({ name: 'EvaluationError', code: 'eval_cancel_error', detail });
    const ask = (options: object) => engine.decideAsync('p/endless', {}, { thread: true, ...options });
    await expect(ask({ timeMs: 200 })).rejects.toMatchObject(cancelled('query execution timed out'));
    await expect(ask({ instructions: 1000 })).rejects.toMatchObject(cancelled('instruction limit reached'));
    await expect(ask({ callDepth: 0 })).rejects.toMatchObject(cancelled('calls nest deeper than 0'));
    await expect(engine.decideAsync('p/echo', {}, { thread: true, resultSize: 2 })).rejects.toMatchObject({ code: 'eval_cancel_error' });
  });

  test('tells what it would here', async () => {
    const told: string[] = [];
    const options = {
      onPrint: (line: string, place: string | undefined) => void told.push(`${place}: ${line}`),
      onTrace: (note: string) => void told.push(note),
      onBuiltinError: (error: Error, name: string) => void told.push(`${name}: ${error.message}`),
      onNondeterministic: (name: string) => void told.push(name),
    };
    expect(await engine.decideAsync('p/told', { a: 1 }, { thread: true, ...options })).toEqual({ result: true });
    expect(told).toEqual(['p.rego:14: printed {"a": 1}', 'traced', 'div: div: divide by zero']);
    expect(await engine.decideAsync('p/now', {}, { thread: true, timeNs: 5n })).toEqual({ result: 5 });
  });

  test('fails as it would here', async () => {
    const here = await engine.decideAsync('p/fails').catch((error: unknown) => error);
    const there = await engine.decideAsync('p/fails', undefined, { thread: true }).catch((error: unknown) => error);
    expect(there).toEqual(here);
    expect(there).toMatchObject({ code: 'eval_conflict_error', location: { file: 'p.rego' } });
  });

  test('reaches what it would here', async () => {
    const bounded = await open({ env: { REGION: 'eu' }, allowNet: [] });
    expect(await bounded.decideAsync('p/region', {}, { thread: true })).toEqual({ result: 'eu' });
    expect(await bounded.decideAsync('p/address', {}, { thread: true })).toEqual({});
    expect(await engine.decideAsync('p/region', {}, { thread: true })).toEqual({});
    expect(await engine.decideAsync('p/address', {}, { thread: true })).toEqual({ result: ['127.0.0.1'] });
    await bounded.close();
  });

  test('cannot call functions of this thread', async () => {
    await expect(engine.decideAsync('p/own', {}, { thread: true })).rejects.toMatchObject({ name: 'EngineError', code: 'no_threads' });
    await expect(engine.decideAsync('p/random', {}, { thread: true, random: () => 0 })).rejects.toMatchObject({ code: 'invalid_option' });
    expect(() => engine.decide('p/echo', {}, { thread: true } as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    const bare = await open({ platform: { host: nodeHost } });
    await expect(bare.decideAsync('p/echo', {}, { thread: true })).rejects.toMatchObject({ code: 'no_threads' });
  });

  test('ends when the engine is closed', async () => {
    const closing = await open();
    const endless = closing.decideAsync('p/endless', {}, { thread: true });
    setTimeout(() => void closing.close(), 200);
    await expect(endless).rejects.toMatchObject({ code: 'eval_cancel_error' });
    await expect(closing.decideAsync('p/echo', {}, { thread: true })).rejects.toMatchObject({ code: 'closed' });
  });
});
