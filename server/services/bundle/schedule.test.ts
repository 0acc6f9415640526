import { expect, onTestFinished, test } from 'vitest';
import type { BundleSource } from '../../../engine/bundle/bundle-source.js';
import type { BundleConfig } from './bundle-config.js';
import { BundleSchedule, type Scheduled } from './schedule.js';

const often: BundleConfig['polling'] = { minSeconds: 0, maxSeconds: 0 };

function scheduled(
  polling: BundleConfig['polling'],
  trigger: BundleConfig['trigger'] = 'periodic',
  source: Partial<BundleSource> = {},
): Scheduled {
  const config = { resource: 'x', service: undefined, verification: { keys: {} }, persist: false, sizeLimitBytes: 1, polling, trigger };
  return { config, source: { location: 'x', fetch: () => Promise.resolve('unchanged'), ...source } };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('bundles are polled again and again, unless they have no interval or wait for a trigger', async () => {
  const loads: string[] = [];
  const schedule = new BundleSchedule(async (names) => {
    loads.push(...names);
    return new Map();
  }, false);
  onTestFinished(() => schedule.stop());
  schedule.start(
    new Map([
      ['polled', scheduled(often)],
      ['once', scheduled(undefined)],
      ['manual', scheduled(often, 'manual')],
    ]),
  );
  while (loads.length < 2) await pause(20);
  expect(new Set(loads)).toEqual(new Set(['polled']));
});

test('a source that reports a change has all bundles loaded, as they may need each other', async () => {
  const loads: (readonly string[])[] = [];
  const schedule = new BundleSchedule(async (names) => {
    loads.push(names);
    return new Map();
  }, true);
  let report = () => {};
  let ended = 0;
  const watch = (onChange: () => void) => {
    report = onChange;
    return () => void ended++;
  };
  schedule.start(
    new Map([
      ['watched', scheduled(undefined, 'periodic', { watch })],
      ['other', scheduled(undefined)],
    ]),
  );
  expect(loads).toEqual([['watched', 'other']]);
  report();
  expect(loads).toHaveLength(2);
  await schedule.stop();
  expect(ended).toBe(1);
});

test('the end aborts loads, waits for them, and polls no more', async () => {
  const events: string[] = [];
  const schedule = new BundleSchedule(async (_names, signal) => {
    events.push('load');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await pause(20);
    events.push('end of load');
    return new Map();
  }, false);
  schedule.start(new Map([['a', scheduled(often)]]));
  while (events.length === 0) await pause(20);
  await schedule.stop();
  expect(events).toEqual(['load', 'end of load']);
  await pause(250);
  expect(events).toHaveLength(2);
});

test('after a failure the next fetch waits as long as the service asks for', async () => {
  const loads: number[] = [];
  const schedule = new BundleSchedule(async ([name]) => {
    loads.push(performance.now());
    return new Map([[name!, 400]]);
  }, false);
  onTestFinished(() => schedule.stop());
  await schedule.begin('b', scheduled(often));
  while (loads.length < 3) await pause(20);
  for (const i of [1, 2]) expect(loads[i]! - loads[i - 1]!).toBeGreaterThan(390);
});
