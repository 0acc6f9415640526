import { afterEach, expect, test, vi } from 'vitest';
import { Metrics } from './metrics.js';

afterEach(() => void vi.restoreAllMocks());

test('a timer of steps has no time of other tasks between them', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  function* threeSteps() {
    for (let i = 0; i < 2; i++) {
      now += 5;
      yield;
    }
    now += 5;
    return 'result';
  }
  const metrics = new Metrics();
  const steps = metrics.timeSteps('timer_x_ns', threeSteps());
  let last = steps.next();
  while (last.done !== true) {
    now += 100;
    last = steps.next();
  }
  expect([last.value, metrics.toJson()]).toEqual(['result', { timer_x_ns: 15e6 }]);
});
