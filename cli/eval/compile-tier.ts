/** Which of V8's compilers optimize writ while it compiles a large repository. */
import { setFlagsFromString } from 'node:v8';

/** Whether this V8 has Maglev, its faster compiler, on this processor: Node 24 and newer. */
const hasMaglev = Number.parseInt(process.versions.v8, 10) >= 13 && /^(?:arm64|x64)$/.test(process.arch);

/**
 * Runs a compilation of a few seconds without TurboFan, in all threads of this process: TurboFan
 * takes more processor time than its code saves. Afterwards policies may run long, so it is there
 * again, also for functions that Maglev has optimized meanwhile.
 */
export async function withoutTurboFan<T>(compile: () => Promise<T>, setFlag = setFlagsFromString, isAvailable = hasMaglev): Promise<T> {
  if (!isAvailable) return await compile();
  // Without the second flag functions of Maglev do not count calls, so TurboFan never comes.
  for (const flag of ['--no-turbofan', '--force-emit-interrupt-budget-checks']) setFlag(flag);
  try {
    return await compile();
  } finally {
    for (const flag of ['--turbofan', '--no-force-emit-interrupt-budget-checks']) setFlag(flag);
  }
}
