import { renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { evaluationEntry, threadScript } from '../../test/harness/engine-thread.js';
import { type TestServer, testServer } from '../../test/harness/server/app.js';
import { serve } from '../../test/harness/server/http.js';
import type { PlainObject } from '../../values/value.js';
import type { LongEvaluations } from '../evaluation/long-evaluations.js';
import { Metrics } from '../evaluation/metrics.js';
import { NdBuiltinCache } from '../evaluation/nd-builtin-cache.js';
import { nodeThreads } from './node-threads.js';
import { ThreadPool } from './pool.js';

const entry = evaluationEntry();
const pool = new ThreadPool(nodeThreads(entry));

afterAll(() => pool.close());

const policies = {
  'slow.rego': `package slow

xs := numbers.range(1, 3000)

endless := count([1 | some a in xs; some b in xs; some c in xs; a + b + c == 0])

some_time := {"set": {3, 1}, "input": input, "base": data.base, "big": 12345678901234567890, "n": n} if {
	n := count([1 | some a in numbers.range(1, 300); some b in xs; a * b == 6])
}

random := {"r": r, "n": n} if {
	r := rand.intn("s", 1000000000)
	n := count([1 | some a in numbers.range(1, 300); some b in xs; a * b == 6])
}

asked := http.send({"method": "GET", "url": input}).status_code if {
	count([1 | some a in numbers.range(1, 300); some b in xs; a * b == 6]) > 0
}

fails := 1 if count([1 | some a in numbers.range(1, 300); some b in xs; a * b == 6]) > 0

fails := 2 if count([1 | some a in numbers.range(1, 300); some b in xs; a * b == 6]) > 1
`,
  'p.rego': 'package p\n\nx := 1\n',
};

/** A busy machine may take long: only an evaluation that must end by its deadline has one. */
const noLimit = { timeMs: 0 };

function server(seconds: number): Promise<TestServer> {
  return testServer({
    policies,
    data: { base: { a: 1e2 } },
    config: { server: { decision_timeout_seconds: seconds } },
    longEvaluations: pool,
  });
}

test('what takes long is answered as it would be otherwise', async () => {
  const { ask } = await server(0);
  const { text } = await ask('POST', '/v1/data/slow/some_time', '{"input": {"exact": 1.10}}');
  expect(text).toBe('{"result":{"base":{"a":100},"big":12345678901234567890,"input":{"exact":1.10},"n":4,"set":[1,3]}}\n');
});

test('without a deadline it goes on until it is done', async () => {
  const { ask } = await server(0);
  const { text } = await ask('POST', '/v1/data/slow/some_time', '{"input": 1}');
  expect(JSON.parse(text).result.n).toBe(4);
});

test('errors of what takes long are those of the evaluation', async () => {
  const { ask } = await server(0);
  const { status, text } = await ask('GET', '/v1/data/slow/fails');
  expect(status).toBe(500);
  expect(JSON.parse(text).errors[0]).toMatchObject({ code: 'eval_conflict_error', location: { file: 'slow.rego' } });
});

test('documents are those of the moment at which it was asked', async () => {
  const { ask, context } = await server(0);
  // Compiles the next question: a decision sees the documents at which it begins to evaluate.
  await context.engine.decide(['slow', 'some_time'], 1, { timeMs: 1 }).catch(() => undefined);
  const before = ask('GET', '/v1/data/slow/some_time?input=1');
  await ask('PUT', '/v1/data/base', '"other"');
  const after = ask('GET', '/v1/data/slow/some_time?input=1');
  expect(JSON.parse((await before).text).result.base).toEqual({ a: 100 });
  expect(JSON.parse((await after).text).result.base).toBe('other');
});

test('an evaluation that does not end keeps nobody waiting, and is ended', async () => {
  const { ask, context } = await server(1);
  const caller = new AbortController();
  const endless = context.engine.decide(['slow', 'endless'], undefined, noLimit, ({ value }) => value, caller);
  // Were it in their way, they would never be answered: it has no deadline.
  for (let i = 0; i < 10; i++) expect((await ask('GET', '/v1/data/p/x')).text).toBe('{"result":1}\n');
  caller.abort();
  await expect(endless).rejects.toMatchObject({ code: 'eval_cancel_error' });
  expect(JSON.parse((await ask('GET', '/v1/data/slow/endless')).text).errors[0].code).toBe('eval_cancel_error');
});

test('the time ends while the input is written for the thread', async () => {
  let parts = 0;
  const caller = { take: () => void parts++ };
  const shortOfTime: LongEvaluations = {
    sliceMs: pool.sliceMs,
    run: (evaluation) => pool.run({ ...evaluation, timeMs: 1, caller }),
  };
  const { context } = await testServer({ policies, longEvaluations: shortOfTime });
  const input = Array.from({ length: 1_000_000 }, (_, i) => [i]);
  const decided = context.engine.decide(['slow', 'endless'], input, noLimit, ({ value }) => value);
  await expect(decided).rejects.toMatchObject({ detail: 'query execution timed out' });
  // The whole text has more than a hundred parts.
  expect(parts).toBeLessThan(20);
});

test('a caller who goes away ends it, and others get the thread', async () => {
  const { context, ask } = await server(0);
  const caller = new AbortController();
  const endless = context.engine.decide(['slow', 'endless'], undefined, noLimit, ({ value }) => value, caller);
  setTimeout(() => caller.abort(), 500);
  await expect(endless).rejects.toMatchObject({ code: 'eval_cancel_error', detail: 'caller cancelled query execution' });
  expect(JSON.parse((await ask('POST', '/v1/data/slow/some_time', '{"input": 1}')).text).result.n).toBe(4);
  await expect(context.engine.decide(['slow', 'endless'], undefined, noLimit, ({ value }) => value, caller)).rejects.toMatchObject({
    detail: 'caller cancelled query execution',
  });
});

test('what built-ins answered there is told', async () => {
  const { context } = await server(0);
  const answers = new NdBuiltinCache();
  const options = { ...noLimit, onNondeterministic: answers.note };
  const value = await context.engine.decide(['slow', 'random'], undefined, options, (decided) => decided.value as PlainObject);
  expect(answers.toJson()).toEqual({ 'rand.intn': { '["s",1000000000]': value.r } });
});

test('what http.send measures there is told', async () => {
  const { url } = await serve((_, response) => response.end('{}'));
  const { context } = await server(0);
  const metrics = new Metrics();
  const value = await context.engine.decide(['slow', 'asked'], url, { ...noLimit, metrics }, (decided) => decided.value);
  expect(value).toBe(200);
  expect(metrics.toJson()).toMatchObject({
    counter_rego_builtin_http_send_network_requests: 1,
    timer_rego_builtin_http_send_ns: expect.any(Number),
  });
});

/** A caller at an address. */
const from = (client: string) => ({ signal: new AbortController().signal, client });

test('clients that repeat what does not end keep nobody else from a decision', async () => {
  const { context } = await server(0);
  const { engine } = context;
  const greedy = new AbortController();
  const endless = Array.from({ length: 8 }, (_, i) =>
    engine
      .decide(['slow', 'endless'], i, noLimit, ({ value }) => value, { signal: greedy.signal, client: `greedy ${i % 2}` })
      .catch((error: Error) => error.message),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let i = 0; i < 4; i++) {
    const value = await engine.decide(['slow', 'random'], i, noLimit, (decided) => decided.value as PlainObject, from('modest'));
    expect(value.n).toBe(4);
  }
  greedy.abort();
  for (const end of endless) expect(await end).toMatch(/caller cancelled/);
});

test('what gives way keeps what built-ins answered, and is done in the end', async () => {
  const { context } = await server(0);
  const { engine } = context;
  const answers = new NdBuiltinCache();
  const ask = (client: string, note?: NdBuiltinCache) =>
    engine.decide(
      ['slow', 'random'],
      client,
      { ...noLimit, ...(note && { onNondeterministic: note.note }) },
      (decided) => decided.value as PlainObject,
      from(client),
    );
  const all = await Promise.all([ask('a', answers), ...Array.from({ length: 5 }, (_, i) => ask(`client ${i}`))]);
  expect(all.map(({ n }) => n)).toEqual(all.map(() => 4));
  expect(answers.toJson()).toEqual({ 'rand.intn': { '["s",1000000000]': all[0]!.r } });
});

test('what waits ends with its time', async () => {
  const { context } = await server(0);
  const before = process.cpuUsage();
  const ends = Array.from({ length: 20 }, () =>
    context.engine.decide(['slow', 'endless'], 1, { timeMs: 1000 }, ({ value }) => value, from('x')).catch((error: Error) => error.message),
  );
  for (const end of await Promise.all(ends)) expect(end).toMatch(/eval_cancel_error: query execution timed out$/);
  // If its time began when it gets a thread, each would take a second of a processor: 20 in all,
  // not one for each thread.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(12);
});

test('a thread that cannot start now is started later', async () => {
  const broken = threadScript('broken', '');
  const late = new ThreadPool(nodeThreads(broken));
  const { context } = await testServer({ policies, longEvaluations: late });
  // At once: a thread may start at any moment, and one with an empty script would just end.
  const replace = (text: string) => {
    writeFileSync(`${broken}.next`, text);
    renameSync(`${broken}.next`, broken);
  };
  // As if the machine had no more files.
  replace("throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });");
  const value = context.engine.decide(['slow', 'random'], 1, noLimit, (decided) => decided.value as PlainObject);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  replace(`import ${JSON.stringify(pathToFileURL(entry).href)};`);
  expect((await value).n).toBe(4);
  await late.close();
});

test('an evaluation that takes all the memory of a thread ends with an error, and others go on', async () => {
  const { context } = await testServer({
    policies: {
      'fat.rego': `package fat

long := concat("", ["0123456789" | some i in numbers.range(1, 2000)])

x := [s | some i in numbers.range(1, 1000000); s := concat(format_int(i, 10), [long, long])]
`,
      ...policies,
    },
    longEvaluations: pool,
  });
  const ended = context.engine.decide(['fat', 'x'], 1, noLimit, ({ value }) => value);

  await expect(ended).rejects.toMatchObject({ code: 'eval_cancel_error', detail: 'query execution takes too much memory' });
  const value = await context.engine.decide(['slow', 'random'], 1, noLimit, (decided) => decided.value as PlainObject);
  expect(value.n).toBe(4);
});
