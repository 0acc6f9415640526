import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let wallClockNs: () => bigint;

beforeEach(async () => {
  vi.resetModules();
  ({ wallClockNs } = await import('./wall-clock.js'));
});
afterEach(() => vi.restoreAllMocks());

/** A clock of the machine that tests set. */
function clocks(wall: number, monotonic: number) {
  const state = { wall, monotonic };
  vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(state.wall));
  vi.spyOn(performance, 'now').mockImplementation(() => state.monotonic);
  return {
    pass(ms: number) {
      state.wall += ms;
      state.monotonic += ms;
    },
    step(ms: number) {
      state.wall += ms;
    },
  };
}

test.each([
  ['forward by an hour', 3_600_000],
  ['back by an hour', -3_600_000],
  ['forward by two milliseconds', 2],
  ['back by less than a millisecond', -0.75],
])('the time follows the clock when it steps %s', (_title, step) => {
  const clock = clocks(1_700_000_000_000.25, 50.5);
  wallClockNs();
  clock.pass(10.375);
  clock.step(step);
  expect(Number(wallClockNs() / 1_000_000n)).toBe(Date.now());
  clock.pass(1000.5);
  expect(Number(wallClockNs() / 1_000_000n)).toBe(Date.now());
});

test('a suspended machine, whose finer clock stood still, shows the time after it', () => {
  const clock = clocks(1_700_000_000_000, 5);
  wallClockNs();
  clock.step(8 * 3_600_000);
  expect(wallClockNs()).toBe(1_700_028_800_000_000_000n);
});

test('the digits within a millisecond are those of the finer clock', () => {
  const clock = clocks(1_700_000_000_000, 5);
  const first = wallClockNs();
  clock.pass(0.25);
  expect(wallClockNs() - first).toBe(250_000n);
  clock.pass(2.125);
  expect(wallClockNs() - first).toBe(2_375_000n);
});

test('a finer clock that runs slower or faster never leaves the millisecond of the clock', () => {
  for (const rate of [0.5, 0.999, 1.001, 2]) {
    const clock = clocks(1_700_000_000_000, 5);
    for (let n = 0; n < 500; n++) {
      clock.pass(0.37 * rate);
      clock.step(0.37 * (1 - rate));
      expect(Number(wallClockNs() / 1_000_000n)).toBe(Date.now());
    }
    vi.restoreAllMocks();
  }
});
