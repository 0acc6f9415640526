import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LiveEngine } from './live-engine.js';
import { Metrics } from './metrics.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a version of the policies is forgotten once there are others, with metrics as well', async () => {
  const engine = new LiveEngine();
  const write = (value: number) => {
    const policies = new Map([['p.rego', `package p\n\nx := ${value}`]]);
    return engine.commit({ policies }, { metrics: new Metrics() });
  };
  await write(0);
  const first = new WeakRef(engine.policy('p.rego')!.module);
  for (let i = 1; i <= 4; i++) await write(i);
  await new Promise((resolve) => setTimeout(resolve, 0));
  collectGarbage();
  expect(first.deref()).toBeUndefined();
});
