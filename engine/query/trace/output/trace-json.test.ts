/** Events as JSON: as texts made at once, and within limits. */
import { expect, test } from 'vitest';
import { nowhere } from '../../../../compiler/source/location.js';
import { AnswerRecord } from '../../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../../../runtime/evaluation/evaluation.js';
import { compileFor } from '../../../../test/harness/plans.js';
import { CacheSet } from '../../../../values/builtins/cache.js';
import { nodeHost } from '../../../../values/builtins/host/node.js';
import { allAtOnce } from '../../../../values/steps.js';
import type { Value } from '../../../../values/value.js';
import { tracedPathQuery } from '../../../policies/path-queries.js';
import { Frame } from '../../bindings.js';
import { programFor } from '../../search-program.js';
import { traceQuery } from '../trace.js';
import { Recorder, TraceFull } from './recorder.js';
import { type TraceTextOptions, writeEvents } from './trace-json.js';
import { VariableNames } from './variable-names.js';

interface Event {
  readonly op: string;
  readonly message?: string;
  readonly locals: readonly { readonly key: { readonly value: string }; readonly value: unknown }[];
}

/** The bytes of a trace, and the number of steps that it took to write them. */
async function written(rules: string, path: string, input: Value, limits: Pick<TraceTextOptions, 'take' | 'maxBytes'> = {}) {
  const compiled = compileFor(rules);
  const query = tracedPathQuery(path.split('.'));
  const program = await programFor(compiled, [query.body]);
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const recorder = new Recorder('full', true);
  allAtOnce(traceQuery(program, query.body, { input, data: {} }, new Evaluation(context, {}, new AnswerRecord()), recorder));
  const steps = writeEvents(recorder.events, new VariableNames(compiled, query), limits);
  let count = 0;
  for (let step = steps.next(); ; step = steps.next(), count++) {
    if (step.done !== true) continue;
    return { bytes: Buffer.concat([...step.value]), steps: count };
  }
}

async function traced(rules: string, path: string, input: Value) {
  const { bytes, steps } = await written(rules, path, input);
  return { events: JSON.parse(bytes.toString()) as readonly Event[], steps };
}

const valuesOf = (events: readonly Event[], at: number) => events.at(at)!.locals.map(({ value }) => value);

test('values of all types are written as terms, the same wherever they stand', async () => {
  const rules = 'p if {\n  x := input.a\n  s := {1, "é\\n", null, {[true]: set()}}\n  y := [s, s, [], {}, x]\n  count(y) > 0\n}';
  const { events } = await traced(rules, 't.p', { a: [{ b: 1.5, a: 'ü' }] });
  const string = (value: string) => ({ type: 'string', value });
  const array = (...value: unknown[]) => ({ type: 'array', value });
  const object = (...value: unknown[]) => ({ type: 'object', value });
  const x = array(object([string('a'), string('ü')], [string('b'), { type: 'number', value: 1.5 }]));
  const key = array({ type: 'boolean', value: true });
  const one = { type: 'number', value: 1 };
  const nothing = { type: 'null', value: {} };
  const s = { type: 'set', value: [nothing, one, string('é\n'), object([key, { type: 'set', value: [] }])] };
  const last = events.findLastIndex(({ locals }) => locals.length === 3);
  expect(valuesOf(events, last)).toEqual([x, s, array(s, s, array(), object(), x)]);
});

test('a value that is longer than a chunk is written whole, in steps', async () => {
  const input = Array.from({ length: 15_000 }, (_, i) => `${i}`.padStart(80));
  const { events, steps } = await traced('p if {\n  x := input\n  count(x) > 0\n}', 't.p', input);
  const whole = { type: 'array', value: input.map((value) => ({ type: 'string', value })) };
  const values = events
    .flatMap(({ locals }) => locals.map(({ value }) => value as { type: string }))
    .filter(({ type }) => type === 'array');
  expect(values.length).toBeGreaterThan(2);
  expect(new Set(values.map((value) => JSON.stringify(value)))).toEqual(new Set([JSON.stringify(whole)]));
  expect(steps).toBeGreaterThan(100);
});

test('writing ends where memory does', async () => {
  const take = () => {
    throw new Error('no memory');
  };
  await expect(written('p := 1', 't.p', {}, { take })).rejects.toThrow('no memory');
});

test('a trace that is too long ends with a note', async () => {
  const input = Array.from({ length: 4000 }, (_, i) => `${i}`.padStart(80));
  const { bytes } = await written('p if {\n  x := input\n  some i in numbers.range(1, 1000)\n  i > 1000\n}', 't.p', input);
  expect(bytes.length).toBeLessThan(128 * 1024 * 1024 + 500);
  const end = bytes.subarray(-200).toString();
  expect(end).toMatch(/{"op":"note",.*,"type":"","node":null,"locals":\[\],"message":"the trace ends after \d\d\d events"}\]$/);
});

// One event may be longer than all that a trace may have.
test.each([1, 500, 10_000, 70_000, 400_000])('a trace is never longer than %d bytes and a note', async (maxBytes) => {
  const input = Array.from({ length: 20_000 }, (_, i) => [`${i}`, { a: i }]);
  const { bytes } = await written('p if {\n  x := input\n  y := x\n  z := y\n  count(z) > 1\n}', 't.p', input, { maxBytes });
  expect(bytes.length).toBeLessThan(maxBytes + 500);
  const events = JSON.parse(bytes.toString()) as readonly Event[];
  expect(events.at(-1)).toMatchObject({ op: 'note', locals: [], message: `the trace ends after ${events.length - 1} events` });
});

test('a trace with too many bindings ends with a note', () => {
  const recorder = new Recorder('full', true);
  const frame = new Frame(undefined, undefined, nowhere);
  for (let i = 0; i < 1000; i++) frame.values.set(`x${i}`, i);
  const event = { op: 'eval', query: { id: 0, parent: 0 }, node: { type: 'body', body: [] }, frame, at: nowhere } as const;
  for (let i = 0; i < 2000; i++) recorder.trace(event);
  expect(() => recorder.trace(event)).toThrow(TraceFull);
  const { events } = recorder;
  expect(events).toHaveLength(2001);
  expect(events.at(-1)).toMatchObject({ op: 'note', message: 'the trace ends after 2000 events' });
  // Nothing was bound between the events.
  expect(new Set(events.slice(0, -1).map(({ locals }) => locals)).size).toBe(1);
});
