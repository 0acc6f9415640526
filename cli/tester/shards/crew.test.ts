import { expect, test } from 'vitest';
import { threadScript } from '../../../engine/threads/thread-script-testing.js';
import { TurboFanPause } from '../../eval/compile-tier.js';
import type { TestOptions } from '../run.js';
import { Crew } from './crew.js';

const entry = threadScript('idle', 'setInterval(() => undefined, 1000);');
const given: TestOptions = {
  compile: {},
  timeout: 5000,
  pattern: '',
  matches: () => true,
  coverage: false,
  coverageRuns: [],
  benchmark: false,
  allocations: false,
  parallel: 3,
  failureLines: false,
  explain: undefined,
};

/** How many threads have started after each of some texts. */
async function startedAfter(lengths: readonly number[], over: Partial<TestOptions> = {}, script: string | undefined = entry) {
  const flags: string[] = [];
  const pause = new TurboFanPause(undefined, (flag) => void flags.push(flag), true);
  const crew = new Crew({ ...given, ...over }, pause, { entry: script }, 100);
  const started = lengths.map((length) => {
    crew.noteText('x'.repeat(length));
    return crew.threads.length;
  });
  pause.arrive();
  const isPaused = flags.length > 0;
  await crew.end();
  expect(crew.threads).toEqual([]);
  return { started, isPaused };
}

test('threads start as soon as the texts are long enough for them', async () => {
  expect((await startedAfter([50, 100, 49, 1, 50, 50, 1000])).started).toEqual([0, 0, 0, 1, 1, 2, 2]);
});

test('the pause waits for threads that have started', async () => {
  expect((await startedAfter([1000])).isPaused).toBe(false);
});

test.each([
  ['one is allowed', { parallel: 1 }],
  ['lines are counted', { coverage: true }],
  ['tests are timed', { benchmark: true }],
  ['values are shown', { failureLines: true }],
  ['types come from schemas', { compile: { schemas: {} } }],
] as const)('no thread starts where %s', async (_title, over) => {
  expect((await startedAfter([1000], over as Partial<TestOptions>)).started).toEqual([0]);
});

test('the number of threads follows the files that are to be compiled', async () => {
  const crew = new Crew(given, new TurboFanPause(undefined, () => undefined), { entry });
  await crew.resize(3);
  expect(crew.threads).toHaveLength(2);
  await crew.resize(2);
  expect(crew.threads).toHaveLength(1);
  await crew.end();
});
