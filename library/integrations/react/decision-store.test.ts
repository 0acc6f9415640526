import { expect, onTestFinished, test, vi } from 'vitest';
import { DecisionStore, loading } from './decision-store.js';

const soon = () => new Promise((resolve) => setTimeout(resolve));

test('a decision is asked once for all that show it', async () => {
  const store = new DecisionStore(1000);
  const ask = vi.fn(async () => true);
  const listeners = [vi.fn(), vi.fn()];
  expect(store.read('a')).toBe(loading);
  const [end] = listeners.map((listener) => store.subscribe('a', ask, listener));
  expect(store.read('a')).toBe(loading);
  await soon();
  expect(ask).toHaveBeenCalledTimes(1);
  expect(listeners.map((listener) => listener.mock.calls.length)).toEqual([1, 1]);
  expect(store.read('a')).toEqual({ allowed: true, reasons: [], result: true, isLoading: false, error: undefined });
  expect(store.read('a')).toBe(store.read('a'));
  end!();
  store.subscribe('b', ask, listeners[0]!);
  expect(ask).toHaveBeenCalledTimes(2);
});

test.each([
  ['an error', async () => Promise.reject(new Error('down')), 'down'],
  ['a reason that is no error', async () => Promise.reject('down'), 'down'],
  ['a result that is no answer', async () => 'yes', 'the decision is of type string'],
])('%s is a denial with the error', async (_title, ask, message) => {
  const store = new DecisionStore(1000);
  store.subscribe('a', ask, () => {});
  await soon();
  expect(store.read('a')).toMatchObject({ allowed: false, isLoading: false, error: { message: expect.stringContaining(message) } });
});

test('an answer that nothing shows is used again for its time only, and an error is not', async () => {
  for (const [maxAgeMs, ask, calls] of [
    [1000, async () => true, 1],
    [0, async () => true, 2],
    [1000, async () => Promise.reject(new Error('down')), 2],
  ] as const) {
    const store = new DecisionStore(maxAgeMs);
    const asked = vi.fn(ask);
    store.subscribe('a', asked, () => {})();
    await soon();
    expect(store.read('a').isLoading).toBe(calls === 2);
    store.subscribe('a', asked, () => {});
    expect(asked).toHaveBeenCalledTimes(calls);
  }
});

// A page's clock is coarse, so two questions may have the same time.
test.each(['in time', 'at the same time'])(
  'a refresh denies until the new answer comes, and an old one that comes late does not count: %s',
  async (when) => {
    if (when === 'at the same time') vi.spyOn(performance, 'now').mockReturnValue(1);
    onTestFinished(() => void vi.restoreAllMocks());
    const store = new DecisionStore(1000);
    const answers: ((result: unknown) => void)[] = [];
    const ask = () => new Promise((resolve) => void answers.push(resolve));
    store.subscribe('a', ask, () => {});
    answers[0]!(true);
    await soon();
    expect(store.read('a').allowed).toBe(true);
    store.refresh();
    expect(store.read('a')).toBe(loading);
    store.refresh();
    answers[2]!(false);
    await soon();
    answers[1]!(true);
    await soon();
    expect(store.read('a')).toMatchObject({ allowed: false, isLoading: false });
  },
);

test('only so many answers are kept that nothing shows', async () => {
  const store = new DecisionStore(60_000);
  const ask = vi.fn(async () => true);
  for (let i = 0; i < 1000; i++) store.subscribe(String(i), ask, () => {})();
  await soon();
  expect([store.read('0').isLoading, store.read('999').allowed]).toEqual([true, true]);
});
