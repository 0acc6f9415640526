/** Decides when bundles are fetched again: at intervals, and when their sources report a change. */

import { type BundleSource, watchSources } from '../../../engine/index.js';
import { timerMs } from '../../../values/index.js';
import { backoffMs } from '../clients/backoff.js';
import type { BundleConfig } from './bundle-config.js';

/** A bundle of the schedule. */
export interface Scheduled {
  readonly config: BundleConfig;
  readonly source: BundleSource;
}

/** Bundles that failed, by name, with the milliseconds for which their services want no request. */
export type Failures = ReadonlyMap<string, number>;

/** Fetches the bundles of these names. Resolves with the names that failed. */
type Load = (names: readonly string[], signal: AbortSignal) => Promise<Failures>;

/** No bundle is polled more often than ten times a second. */
const minPauseMs = 100;
/** The pause after a first failure, where the interval is no shorter. */
const firstRetryMs = 500;

export class BundleSchedule {
  readonly #load: Load;
  readonly #watches: boolean;
  readonly #loading = new Set<Promise<unknown>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #endWatch: (() => void) | undefined;
  #abort = new AbortController();

  /** @param watches whether changes that sources report count */
  constructor(load: Load, watches: boolean) {
    this.#load = load;
    this.#watches = watches;
  }

  /**
   * Polls and watches these bundles instead of those of an earlier call.
   * @param failed bundles whose last fetch failed
   */
  start(bundles: ReadonlyMap<string, Scheduled>, failed: Failures = new Map()): void {
    this.#clear();
    const files = [...bundles].filter(([, { config }]) => config.service === undefined);
    if (this.#watches && files.length > 0) {
      // All are fetched, as one that changed may need another that has.
      const load = () => void this.load(files.map(([name]) => name));
      this.#endWatch = watchSources(
        files.map(([, { source }]) => source),
        load,
      );
      // This finds changes that were made before the watch began.
      load();
    }
    for (const [name, bundle] of bundles) this.#poll(name, bundle, failed.has(name) ? 1 : 0, failed.get(name));
  }

  /**
   * Fetches a bundle now, and polls it from then on. Resolves when the first fetch is over.
   */
  async begin(name: string, bundle: Scheduled): Promise<void> {
    const { signal } = this.#abort;
    const failed = await this.load([name]);
    if (!signal.aborted) this.#poll(name, bundle, failed.size, failed.get(name));
  }

  /** Fetches a bundle after its interval, and so on; after failures earlier or later. */
  #poll(name: string, bundle: Scheduled, failures: number, leastPauseMs = minPauseMs): void {
    const pauseMs = pauseOf(bundle, failures);
    if (pauseMs === undefined) return;
    const look = async () => {
      const failed = await this.load([name]);
      // Not after the schedule was stopped or started anew.
      if (this.#timers.get(name) === timer)
        this.#poll(name, bundle, failed.has(name) ? failures + 1 : 0, failed.get(name));
    };
    const timer = setTimeout(() => void look(), timerMs(Math.max(minPauseMs, leastPauseMs, pauseMs))).unref();
    this.#timers.set(name, timer);
  }

  /** Loads now. The schedule's end aborts it. */
  load(names: readonly string[]): Promise<Failures> {
    const loading = this.#load(names, this.#abort.signal);
    this.#loading.add(loading);
    return loading.finally(() => this.#loading.delete(loading));
  }

  /** Ends polling and watching, and aborts fetches. Resolves when all of them have ended. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#clear();
    await Promise.allSettled(this.#loading);
  }

  #clear(): void {
    this.#endWatch?.();
    this.#endWatch = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** Undefined for a bundle that is not polled. */
function pauseOf({ config: { polling, trigger }, source }: Scheduled, failures: number): number | undefined {
  if (polling === undefined || trigger === 'manual') return undefined;
  const { minSeconds, maxSeconds } = polling;
  if (failures > 0) return backoffMs(failures, { baseMs: firstRetryMs, maxMs: 1000 * maxSeconds });
  if (source.waits === true) return 0;
  return 1000 * (minSeconds + Math.random() * (maxSeconds - minSeconds));
}
