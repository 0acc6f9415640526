/** The compilers of V8 that optimize writ while it compiles a large repository. */
import { setFlagsFromString } from 'node:v8';

/** Whether this V8 has Maglev, its faster compiler, on this processor: Node 24 and newer. */
const hasMaglev = Number.parseInt(process.versions.v8, 10) >= 13 && /^(?:arm64|x64)$/.test(process.arch);

/** Without the second flag functions of Maglev do not count calls, so TurboFan would never come. */
const paused = ['--no-turbofan', '--force-emit-interrupt-budget-checks'];
const resumed = ['--turbofan', '--no-force-emit-interrupt-budget-checks'];

/**
 * Does work of a few seconds without TurboFan, which takes more processor time there than its code
 * saves. Afterwards it is there again, also for functions that Maglev has optimized meanwhile.
 */
export async function withoutTurboFan<T>(work: () => Promise<T>): Promise<T> {
  if (!hasMaglev) return await work();
  for (const flag of paused) setFlagsFromString(flag);
  try {
    return await work();
  } finally {
    for (const flag of resumed) setFlagsFromString(flag);
  }
}
