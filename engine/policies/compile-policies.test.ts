import { expect, test } from 'vitest';
import { collectGarbage } from '../../test/harness/process/garbage.js';
import type { Value } from '../../values/value.js';
import { type Bundle, emptyBundle } from '../bundle/bundle.js';
import { Engine } from '../engine.js';
import { Metrics } from '../evaluation/metrics.js';

function packages(count: number, value: (i: number) => number): ReadonlyMap<string, string> {
  const rules = (i: number) => Array.from({ length: 20 }, (_, k) => `r${k} := input.x + ${value(i)} if input.y[_] == ${k}`).join('\n');
  return new Map(Array.from({ length: count }, (_, i) => [`p${i}.rego`, `package p${i}\n\nx := ${value(i)}\n\n${rules(i)}\n`]));
}

test('decisions go on, as they were, while many policies are compiled', async () => {
  const engine = new Engine();
  await engine.commit({ policies: packages(3, () => 1) });
  let isDone = false;
  const commit = engine.commit({ policies: packages(200, () => 2) }).then(() => {
    isDone = true;
  });
  const seen: Value[] = [];
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone) break;
    seen.push((await engine.decide(['p1', 'x'], {})).value!);
  }
  await commit;
  // A compilation of one piece would have left time for one or two.
  expect(seen.length).toBeGreaterThan(5);
  expect(new Set(seen)).toEqual(new Set([1]));
  expect((await engine.decide(['p1', 'x'], {})).value).toBe(2);
});

test('of a bundle that comes again, what is the same is not parsed again', async () => {
  const engine = new Engine();
  const bundleOf = (texts: ReadonlyMap<string, string>): Bundle => {
    const modules = [...texts].map(([path, text]) => ({
      path: `/${path}`,
      url: path,
      bundlePath: `/${path}`,
      text,
      bytes: new TextEncoder().encode(text),
    }));
    return { ...emptyBundle, modules };
  };
  await engine.commit({ bundles: new Map([['b', bundleOf(packages(3, () => 1))]]) });
  const before = engine.policies().map(({ module }) => module);
  await engine.commit({ bundles: new Map([['b', bundleOf(packages(3, (i) => (i === 1 ? 2 : 1)))]]) });
  const after = engine.policies().map(({ module }) => module);
  expect(after.map((module, i) => module === before[i])).toEqual([true, false, true]);
  expect((await engine.decide(['p1', 'x'], {})).value).toBe(2);
});

test('a version of the policies is forgotten once there are others, with metrics as well', async () => {
  const engine = new Engine();
  const write = (value: number) => {
    const policies = new Map([['p.rego', `package p\n\nx := ${value}`]]);
    return engine.commit({ policies }, { metrics: new Metrics() });
  };
  await write(0);
  const first = new WeakRef(engine.policy('p.rego')!.module);
  for (let i = 1; i <= 4; i++) await write(i);
  // What other files of the process have left to do may hold it for some turns.
  for (let turn = 0; turn < 50 && first.deref() !== undefined; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  expect(first.deref()).toBeUndefined();
});
