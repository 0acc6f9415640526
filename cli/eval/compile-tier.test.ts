import { expect, test } from 'vitest';
import { TurboFanPause } from './compile-tier.js';

const paused = ['--no-turbofan', '--force-emit-interrupt-budget-checks'];
const resumed = ['--turbofan', '--no-force-emit-interrupt-budget-checks'];

/** A pause and the flags that it has set. */
function recorded(isAvailable = true) {
  const flags: string[] = [];
  const pause = (shared?: Int32Array) => new TurboFanPause(shared, (flag) => void flags.push(flag), isAvailable);
  return { flags, pause };
}

test('TurboFan pauses when all threads have arrived, and any of them ends the pause', () => {
  const { flags, pause } = recorded();
  const here = pause();
  const there = pause(here.shared);
  here.beginWith(2);
  here.arrive();
  expect(flags).toEqual([]);
  there.arrive();
  expect(flags).toEqual(paused);
  there.end();
  here.end();
  expect(flags).toEqual([...paused, ...resumed]);
});

test('a pause waits for threads that are announced later', () => {
  const { flags, pause } = recorded();
  const here = pause();
  here.beginWith(1);
  here.awaitOneMore();
  here.arrive();
  expect(flags).toEqual([]);
  here.arrive();
  expect(flags).toEqual(paused);
});

test('threads that arrive after the end begin no pause', () => {
  const { flags, pause } = recorded();
  const here = pause();
  here.beginWith(1);
  here.end();
  here.arrive();
  expect(flags).toEqual([]);
});

test('a pause may begin again', () => {
  const { flags, pause } = recorded();
  const here = pause();
  for (let i = 0; i < 2; i++) {
    here.beginWith(1);
    here.arrive();
    here.end();
  }
  expect(flags).toEqual([...paused, ...resumed, ...paused, ...resumed]);
});

test('without Maglev no flag changes', () => {
  const { flags, pause } = recorded(false);
  const here = pause();
  here.beginWith(1);
  here.arrive();
  here.end();
  expect(flags).toEqual([]);
});
