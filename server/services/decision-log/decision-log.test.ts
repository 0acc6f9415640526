import { describe, expect, test, vi } from 'vitest';
import type { DecisionFacts } from '../../../engine/asking/decision-record.js';
import { NdBuiltinCache } from '../../../engine/evaluation/nd-builtin-cache.js';
import { bench, started } from '../../../test/harness/server/plugins.js';
import { parseJson } from '../../../values/json/json.js';
import { RegoSet } from '../../../values/set.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { Logger } from '../logs/logger.js';
import { metricsText } from '../metrics/prometheus.js';

async function logging(policy: string | undefined, section: PlainObject = {}, more: PlainObject = {}) {
  const on = bench();
  if (policy !== undefined) await on.engine.commit({ policies: new Map([['m', policy]]) });
  const { manager, lines } = await started({ decision_logs: { console: true, ...section }, ...more }, {}, on);
  const log = manager.decisionLog!;
  /** The event of a decision, undefined where none was logged. */
  const eventOf = async (decision: Partial<DecisionFacts>) => {
    await log.record({ decisionId: log.newId(), ...decision });
    return lines.find(({ msg }) => msg === 'Decision Log');
  };
  return { log, lines, eventOf, manager };
}

describe('an event', () => {
  test('has what is known of the decision, and nothing else', async () => {
    const { eventOf } = await logging(undefined);
    const event = await eventOf({
      decisionId: 'id',
      path: 'authz/allow',
      input: parseJson('{"n": 12345678901234567890}'),
      result: new RegoSet([2, 1]),
      requestedBy: '127.0.0.1:4',
      requestId: 7,
      metrics: { timer_server_handler_ns: 5 },
      bundles: [
        { name: 'a', revision: 'r1', roots: [''] },
        { name: 'b', revision: '', roots: ['b'] },
      ],
      nondeterministic: { 'time.now_ns': {} },
      timeNs: 1_600_000_000_123_456_000n,
    });
    expect(event).toEqual({
      level: 'info',
      msg: 'Decision Log',
      time: expect.any(String),
      type: 'openpolicyagent.org/decision_logs',
      labels: { id: 'test', version: '0' },
      decision_id: 'id',
      path: 'authz/allow',
      input: parseJson('{"n": 12345678901234567890}'),
      result: [1, 2],
      requested_by: '127.0.0.1:4',
      req_id: 7,
      metrics: { timer_server_handler_ns: 5 },
      bundles: { a: { revision: 'r1' }, b: {} },
      timestamp: '2020-09-13T12:26:40.123456Z',
    });
  });

  test.each([
    ['', undefined],
    [', masked', 'package system.log\n\nmask contains "/input/k1"\n'],
  ])('that is long%s is written in slices, and is that of the decision', async (_title, policy) => {
    const { log, lines, eventOf } = await logging(policy);
    const input = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i]));
    const held: string[] = [];
    const hold = () => {
      held.push('hold');
      return { release: () => void held.push('release') };
    };
    const done = log.record({ decisionId: 'long', input, hold });
    expect(held).toEqual(['hold']);
    expect(lines.some(({ decision_id: id }) => id === 'long')).toBe(false);
    expect(await eventOf({ decisionId: 'short', input: {} })).toMatchObject({ decision_id: 'short' });
    await done;
    expect(held).toEqual(['hold', 'release']);
    const { k1, ...others } = input;
    expect(lines.find(({ decision_id: id }) => id === 'long')!.input).toEqual(policy === undefined ? input : others);
    expect(k1).toBe(1);
  });

  test('that is long is written at once where many are being written', async () => {
    const { log, lines } = await logging(undefined);
    const input = Object.fromEntries(Array.from({ length: 11_000 }, (_, i) => [`k${i}`, i]));
    const hold = vi.fn(() => ({ release: () => undefined }));
    const all = Array.from({ length: 12 }, (_, i) => log.record({ decisionId: `long${i}`, input, hold }));
    expect(hold.mock.calls.length).toBeLessThan(all.length);
    expect(lines.map(({ decision_id: id }) => id)).toContain('long11');
    await Promise.all(all);
    expect(lines.filter(({ msg }) => msg === 'Decision Log').length).toBe(12);
    const later = log.record({ decisionId: 'later', input, hold });
    expect(lines.some(({ decision_id: id }) => id === 'later')).toBe(false);
    await later;
  });

  test('has the time of the machine, also after its clock has stepped', async () => {
    const record = { decisionId: 'id', path: 'p', input: undefined, result: true };
    const clock = vi.spyOn(Date, 'now');
    for (const time of ['2026-01-01T00:00:00', '2026-01-01T01:00:00', '2025-12-31T22:00:00']) {
      clock.mockReturnValue(Date.parse(`${time}Z`));
      const { eventOf } = await logging(undefined);
      expect((await eventOf(record))?.timestamp).toContain(time);
    }
    clock.mockRestore();
  });

  test('has the query, the error, headers and non-deterministic answers where they are asked for', async () => {
    const section = { request_context: { http: { headers: ['X-One', 'x-two'] } } };
    const { eventOf, log } = await logging(undefined, section, { nd_builtin_cache: true });
    expect(log.wantsNondeterministic).toBe(true);
    const event = await eventOf({
      query: 'x := 1',
      error: { code: 'internal_error', message: 'm' },
      nondeterministic: { 'rand.intn': { '["a",1]': 0 } },
      headers: new Map([
        ['x-one', ['1', '2']],
        ['authorization', ['secret']],
      ]),
    });
    expect(event).toMatchObject({
      query: 'x := 1',
      error: { code: 'internal_error', message: 'm' },
      nd_builtin_cache: { 'rand.intn': { '["a",1]': 0 } },
      request_context: { http: { headers: { 'X-One': ['1', '2'] } } },
    });
    expect(event).not.toHaveProperty('result');
  });

  test('answers of built-ins are collected for it', async () => {
    const { engine } = bench();
    const answers = new NdBuiltinCache();
    await engine.commit({ policies: new Map([['p', 'package p\n\nx := [rand.intn("s", 1), rand.intn("s", 1), time.now_ns()]\n']]) });
    expect(answers.toJson()).toBeUndefined();
    await engine.decide(['p', 'x'], undefined, { onNondeterministic: answers.note, timeNs: 5n });
    expect(answers.toJson()).toEqual({ 'rand.intn': { '["s",1]': 0 }, 'time.now_ns': { '[]': 5 } });
  });

  test('ids are all different', async () => {
    const { log } = await logging(undefined);
    expect(new Set(Array.from({ length: 100 }, () => log.newId())).size).toBe(100);
    expect(log.newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('masks', () => {
  const policy = `package system.log

mask contains "/input/password"

mask contains {"op": "upsert", "path": "/input/user", "value": concat("", [input.input.user, "!"])} if input.path == "p/x"

drop if input.input.quiet
`;

  test('take away and replace what the policy says', async () => {
    const { eventOf } = await logging(policy);
    expect(await eventOf({ path: 'p/x', input: { user: 'al', password: 's' } })).toMatchObject({
      input: { user: 'al!' },
      erased: ['/input/password'],
      masked: ['/input/user'],
    });
  });

  test('leave an event alone that they do not meet', async () => {
    const { eventOf } = await logging(policy);
    const event = await eventOf({ path: 'q', input: { user: 'al' } });
    expect(event).toMatchObject({ input: { user: 'al' } });
    expect(event).not.toHaveProperty('erased');
  });

  test('an event that is dropped is not logged', async () => {
    const { eventOf, lines } = await logging(policy);
    expect(await eventOf({ input: { quiet: true } })).toBeUndefined();
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('sets in a result are gone through by position', async () => {
    const { eventOf } = await logging('package system.log\n\nmask contains "/result/0"\n');
    expect(await eventOf({ result: new RegoSet(['b', 'a']) })).toMatchObject({ result: ['b'] });
  });

  test('the policy may be elsewhere', async () => {
    const { eventOf } = await logging('package my.own\n\nhide contains "/input"\n', { mask_decision: '/my/own/hide' });
    expect(await eventOf({ input: 1 })).not.toHaveProperty('input');
  });

  test('a base document masks too', async () => {
    const on = bench();
    await on.engine.commit({ data: [{ op: 'write', path: ['system', 'log', 'mask'], value: ['/input/x'] }] });
    const { manager, lines } = await started({ decision_logs: { console: true } }, {}, on);
    await manager.decisionLog!.record({ decisionId: 'd', input: { x: 1, y: 2 } });
    expect(lines.find(({ msg }) => msg === 'Decision Log')).toMatchObject({ input: { y: 2 } });
  });

  test.each<[string, string, string]>([
    ['a mask of another kind', 'mask := {"a": 1}', 'Log event masking failed: unexpected rule format: object.'],
    ['a mask of other fields', 'mask contains "/labels"', 'Log event masking failed: mask prefix not allowed: labels.'],
    [
      'a mask with a conflict',
      'mask := 1\n\nmask := 2',
      'Log event masking failed: eval_conflict_error: complete rules must not produce multiple outputs',
    ],
    [
      'a drop with a conflict',
      'drop := true\n\ndrop := false',
      'Log drop decision failed: eval_conflict_error: complete rules must not produce multiple outputs',
    ],
  ])('%s keeps the event out of the log, as it may show what should be hidden', async (_title, rules, message) => {
    const { eventOf, lines } = await logging(`package system.log\n\n${rules}\n`);
    expect(await eventOf({ input: 1 })).toBeUndefined();
    const [complaint] = lines.filter(({ level }) => level === 'error') as { msg: string }[];
    expect(complaint?.msg.replace(/\S*:\d+: /, '')).toContain(message.split(': ').at(-1));
  });

  test('a stop waits for what is being decided', async () => {
    const { log, lines, manager } = await logging(policy);
    for (let i = 0; i < 20; i++) void log.record({ decisionId: `${i}`, input: { password: 1 } });
    await manager.stop();
    expect(lines.filter(({ msg }) => msg === 'Decision Log')).toHaveLength(20);
  });
});

describe('an event as deep as a document may be', () => {
  let deep = parseJson('1.10');
  for (let i = 0; i < 9000; i++) deep = { a: deep };

  test.each([
    ['is logged', undefined],
    ['is masked', 'package system.log\n\nmask contains "/input/password"\n'],
  ])('%s', async (_title, policy) => {
    const texts: string[] = [];
    const on = bench();
    if (policy !== undefined) await on.engine.commit({ policies: new Map([['m', policy]]) });
    const console = new Logger({ level: 'info', format: 'json', write: (text) => texts.push(text) });
    const { manager } = await started({ decision_logs: { console: true } }, {}, { ...on, context: { ...on.context, console } });
    await manager.decisionLog!.record({ decisionId: 'd', input: { deep, password: 1 } });
    expect(texts.length).toBe(1);
    expect(texts[0]).toContain(`"deep":${'{"a":'.repeat(9000)}1.10}`);
    expect(texts[0]!.includes('password":1')).toBe(policy === undefined);
  });
});

test('events whose labels would keep too many bytes have none', async () => {
  const { manager, lines } = await started({ decision_logs: { console: true } });
  const log = manager.decisionLog!;
  const waiting: (() => Promise<void>)[] = [];
  const search = (bytes: number) => ({
    bytes,
    find: (use: (labels: readonly PlainObject[]) => Promise<void>) =>
      new Promise<void>((resolve) => {
        waiting.push(async () => {
          await use([{ a: 'b' }]);
          resolve();
        });
      }),
  });
  const logged = () => lines.filter(({ msg }) => msg === 'Decision Log').map(({ decision_id: id, rule_labels: labels }) => [id, labels]);
  const mebibyte = 2 ** 20;
  const first = log.record({ decisionId: 'first' }, search(60 * mebibyte));
  await log.record({ decisionId: 'second' }, search(5 * mebibyte));
  expect(logged()).toEqual([['second', undefined]]);
  await waiting[0]!();
  await first;
  void log.record({ decisionId: 'third' }, search(5 * mebibyte));
  await waiting[1]!();
  expect(logged().slice(1)).toEqual([
    ['first', [{ a: 'b' }]],
    ['third', [{ a: 'b' }]],
  ]);
});

test('a decision that is too large for an event stands, and the event is counted as lost', async () => {
  const on = bench();
  const { manager, lines } = await started({ decision_logs: { console: true } }, {}, on);
  let large: Value = [1, 1];
  for (let i = 0; i < 40; i++) large = [large, large];
  await manager.decisionLog!.record({ decisionId: 'd', result: large });
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({ msg: expect.stringContaining('Log encoding failed: ') });
  expect(metricsText(manager.metrics())).toContain('decision_logs_encoding_failure 1\n');
});

test('events that find no room are counted', async () => {
  const on = bench();
  let isFull = false;
  const console = new Logger({ level: 'info', format: 'json', write: () => !isFull });
  const config = { decision_logs: { console: true }, status: { console: true } };
  const { manager } = await started(config, {}, { ...on, context: { ...on.context, console } });
  const log = manager.decisionLog!;
  await log.record({ decisionId: 'a' });
  expect(manager.status()).not.toHaveProperty('decision_logs');
  isFull = true;
  for (let i = 0; i < 3; i++) await log.record({ decisionId: `${i}` });
  isFull = false;
  await log.record({ decisionId: 'b' });
  expect(manager.status()).toMatchObject({
    decision_logs: { metrics: { counter_decision_logs_dropped_buffer_size_limit_bytes_exceeded: 3 } },
  });
  expect(metricsText(manager.metrics())).toContain('decision_logs_dropped_buffer_size_limit_bytes_exceeded 3\n');
});

test('status tells that decisions are logged', async () => {
  const { manager } = await logging(undefined);
  expect(manager.states().get('decision_logs')).toEqual({ state: 'OK' });
  await manager.stop();
  expect(manager.states().get('decision_logs')).toEqual({ state: 'NOT_READY' });
});
