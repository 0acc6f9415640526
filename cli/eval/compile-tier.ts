/** Which of V8's compilers optimize writ while it compiles a large repository. */
import { setFlagsFromString } from 'node:v8';

/** Whether this V8 has Maglev, its faster compiler, on this processor: Node 24 and newer. */
const hasMaglev = Number.parseInt(process.versions.v8, 10) >= 13 && /^(?:arm64|x64)$/.test(process.arch);

/** Without the second flag functions of Maglev do not count calls, so TurboFan would never come. */
const paused = ['--no-turbofan', '--force-emit-interrupt-budget-checks'];
const resumed = ['--turbofan', '--no-force-emit-interrupt-budget-checks'];

/**
 * Whether several threads collect young values together. Where all processors are busy, those that
 * help interrupt other work, and are waited for.
 */
export function collectTogether(isTogether: boolean): void {
  setV8Flag(isTogether ? '--parallel-scavenge' : '--no-parallel-scavenge');
}

/** Reading Node's function would load node:v8, which takes two milliseconds of a start. */
const setV8Flag = (flag: string) => setFlagsFromString(flag);

/**
 * A time of a few seconds in which no thread of this process uses TurboFan, since it takes more
 * processor time than its code saves. Afterwards it is there again, also for functions that Maglev
 * has optimized meanwhile. V8 refuses a code cache that was made with other flags, so the pause
 * begins when all threads have loaded theirs.
 */
export class TurboFanPause {
  /** How many threads have not arrived; 0: there is no pause, -1: there is one. */
  readonly shared: Int32Array;
  readonly #setFlag: (flag: string) => void;
  readonly #isAvailable: boolean;

  /** @param shared the `shared` of another thread's pause, which is the same one */
  constructor(shared: Int32Array = new Int32Array(new SharedArrayBuffer(4)), setFlag = setV8Flag, isAvailable = hasMaglev) {
    this.shared = shared;
    this.#setFlag = setFlag;
    this.#isAvailable = isAvailable;
  }

  /** The pause begins when so many threads have arrived. */
  beginWith(threads: number): void {
    Atomics.store(this.shared, 0, threads);
  }

  /** One more thread is to arrive. */
  awaitOneMore(): void {
    Atomics.add(this.shared, 0, 1);
  }

  arrive(): void {
    if (!this.#isAvailable || Atomics.load(this.shared, 0) <= 0 || Atomics.sub(this.shared, 0, 1) > 1) return;
    Atomics.store(this.shared, 0, -1);
    for (const flag of paused) this.#setFlag(flag);
  }

  end(): void {
    if (Atomics.exchange(this.shared, 0, 0) < 0) for (const flag of resumed) this.#setFlag(flag);
  }
}
