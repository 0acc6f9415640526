import { expect, test } from 'vitest';
import { Engine } from '../../../engine/engine.js';
import { testServer } from '../../../test/harness/server/app.js';
import { allAtOnce } from '../../../values/steps.js';
import { Deadline } from './deadline.js';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function* endless(): Generator<undefined, never, undefined> {
  for (;;) yield;
}

test('what is left grows less, and is never nothing, which would be no limit', async () => {
  const deadline = new Deadline(60);
  expect(deadline.leftMs).toBe(60);
  await pause(40);
  expect(deadline.leftMs).toBeLessThan(60);
  await pause(40);
  expect(deadline.leftMs).toBe(1);
});

test('the time in which a body comes in does not count', async () => {
  const deadline = new Deadline(50);
  await deadline.whileWaiting(pause(200));
  expect(deadline.until).toBeGreaterThan(performance.now());
});

test('steps end once the time is over', () => {
  expect(() => allAtOnce(new Deadline(20).during(endless(), 'too late'))).toThrow('too late');
});

test('without a limit there is none', async () => {
  const deadline = new Deadline(0);
  await pause(30);
  expect([deadline.leftMs, deadline.until]).toEqual([0, Number.POSITIVE_INFINITY]);
});

test('a policy that is not compiled in time is given up, and the next one is not kept waiting by it', async () => {
  const { ask, context } = await testServer({ config: { server: { decision_timeout_seconds: 0.05 } } });
  const rules = Array.from({ length: 20_000 }, (_, i) => `r${i} := ${i}`).join('\n');
  const { status, text } = await ask('PUT', '/v1/policies/long', `package long\n\n${rules}`);
  expect(status).toBe(503);
  expect(JSON.parse(text)).toEqual({ code: 'unavailable', message: 'the change was not done in time' });
  expect(context.engine.policies()).toEqual([]);
  await context.engine.commit({ policies: new Map([['short', 'package short\n\np := 1']]) });
  expect(await context.engine.decide(['short', 'p'], undefined)).toMatchObject({ value: 1 });
});

test('a change whose time was over when its turn came is not begun', async () => {
  const engine = new Engine();
  const late = engine.commit({ policies: new Map([['p', 'package p']]) }, { until: performance.now() - 1 });
  await expect(late).rejects.toMatchObject({ code: 'timed_out' });
  expect(engine.policies()).toEqual([]);
});
