/**
 * Keeps the heap from growing while bundles are replaced again and again. Each version is in use
 * for a while and garbage afterwards; V8 sees values that survive, and enlarges both generations.
 */
import { setFlagsFromString } from 'node:v8';
import type { Engine } from '../../engine/index.js';

/** The time after an update until the heap may grow again, as for large requests. */
const calmMs = 60_000;

/** The factor by which V8 enlarges the young generation, and the percentage of the old one. */
const usual = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];
const steady = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

/** Starts it. The first version of a bundle does not count. The returned function stops it. */
export function keepHeapSteady(engine: Pick<Engine, 'store' | 'version'>, setFlag = setFlagsFromString): () => void {
  let calm: NodeJS.Timeout | undefined;
  let { bundles } = engine.version;
  const end = () => {
    clearTimeout(calm);
    if (calm !== undefined) for (const flag of usual) setFlag(flag);
    calm = undefined;
  };
  // Listeners are called before the engine has the version of the commit.
  const unsubscribe = engine.store.onCommit(() => {
    const before = bundles;
    ({ bundles } = engine.version);
    if (bundles === before || before.size === 0) return;
    if (calm === undefined) for (const flag of steady) setFlag(flag);
    clearTimeout(calm);
    calm = setTimeout(end, calmMs).unref();
  });
  return () => {
    unsubscribe();
    end();
  };
}
