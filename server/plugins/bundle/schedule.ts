/** Decides when bundles are fetched again: at intervals, and when their sources report a change. */
import { type BundleSource, watchSources } from '../../../runtime/bundle/source.js';
import type { BundleConfig } from './config.js';

/** A bundle of the schedule. */
export interface Scheduled {
  readonly config: BundleConfig;
  readonly source: BundleSource;
}

/** Fetches the bundles of these names. Resolves when it is done, successful or not. */
type Load = (names: readonly string[], signal: AbortSignal) => Promise<void>;

/** No bundle is polled more often than ten times a second. */
const minPauseMs = 100;
/** The longest delay of a timer. */
const maxPauseMs = 2 ** 31 - 1;

export class BundleSchedule {
  readonly #load: Load;
  readonly #watches: boolean;
  readonly #loading = new Set<Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #endWatch: (() => void) | undefined;
  #abort = new AbortController();

  /** @param watches whether changes that sources report count */
  constructor(load: Load, watches: boolean) {
    this.#load = load;
    this.#watches = watches;
  }

  /** Polls and watches these bundles instead of those of an earlier call. */
  start(bundles: ReadonlyMap<string, Scheduled>): void {
    this.#clear();
    const names = [...bundles.keys()];
    if (this.#watches && names.length > 0) {
      // All are fetched, as one that changed may need another that has.
      const load = () => void this.load(names);
      this.#endWatch = watchSources(
        [...bundles.values()].map(({ source }) => source),
        load,
      );
      // This finds changes that were made before the watch began.
      load();
    }
    for (const [name, { config }] of bundles) if (config.trigger !== 'manual') this.#poll(name, config.polling);
  }

  /** Loads now. The schedule's end aborts it. */
  load(names: readonly string[]): Promise<void> {
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

  #poll(name: string, polling: BundleConfig['polling']): void {
    if (polling === undefined) return;
    const { minSeconds, maxSeconds } = polling;
    const pauseMs = 1000 * (minSeconds + Math.random() * (maxSeconds - minSeconds));
    const look = async () => {
      await this.load([name]);
      // Not after the schedule was stopped or started anew.
      if (this.#timers.get(name) === timer) this.#poll(name, polling);
    };
    const timer = setTimeout(() => void look(), Math.min(Math.max(minPauseMs, pauseMs), maxPauseMs)).unref();
    this.#timers.set(name, timer);
  }
}
