import { expect, test, vi } from 'vitest';
import { emptyBundle } from '../../engine/bundle/bundle.js';
import { Engine } from '../../engine/engine.js';
import { keepHeapSteady } from './steady-heap.js';

const bundle = (n: number) => ({ ...emptyBundle, manifest: { ...emptyBundle.manifest, roots: ['a'] }, data: { a: n } });

test('the heap grows less while bundles are replaced, and as usual some time after', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const flags: string[] = [];
    const engine = new Engine();
    const stop = keepHeapSteady(engine, (flag) => void flags.push(flag));
    const update = (n: number) => engine.commit({ bundles: new Map([['b', bundle(n)]]) }, { ignoreRoots: true });
    await update(1);
    await engine.commit({ data: [{ op: 'write', path: ['x'], value: 1 }] });
    expect(flags).toEqual([]);
    for (const n of [2, 3, 4]) await update(n);
    expect(flags).toEqual(['--semi-space-growth-factor=1', '--heap-growing-percent=50']);
    vi.advanceTimersByTime(60_000);
    expect(flags.slice(2)).toEqual(['--semi-space-growth-factor=2', '--heap-growing-percent=0']);
    stop();
    expect(flags).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});
