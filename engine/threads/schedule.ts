/** The order in which evaluations get threads: short ones before long ones, and clients in turn. */

/** An evaluation that wants a thread. */
export interface Schedulable {
  /** The client that asks for it. Clients share threads, however much each of them asks. */
  readonly client: string;
  /** Milliseconds that it has had a thread for. An evaluation that gives way begins anew. */
  usedMs: number;
}

/** Milliseconds that an evaluation gets at first. One that ends within it is short. */
export const shortMs = 200;

/** The most evaluations that wait; more would not get a thread in time. */
export const longestQueue = 200;

/** A client's use of threads is halved after each of these periods, in milliseconds. */
const halfLifeMs = 5000;

/**
 * A lane takes one kind of evaluations first, and the other kind if there is none: so neither kind
 * keeps the other from all threads.
 */
export type Lane = 'short' | 'long';

export class Schedule<T extends Schedulable> {
  readonly #waiting: T[] = [];
  readonly #usage = new Map<string, { ms: number; at: number }>();

  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Returns the evaluation that finds no place, undefined if there is room: the newest of the
   * client that has most waiting.
   */
  add(one: T): T | undefined {
    this.#waiting.push(one);
    if (this.#waiting.length <= longestQueue) return undefined;
    const counts = new Map<string, number>();
    for (const { client } of this.#waiting) counts.set(client, (counts.get(client) ?? 0) + 1);
    // An evaluation that has had a thread is nearer to its end.
    const last = (client: string) => this.#waiting.findLast((each) => each.client === client && each.usedMs === 0);
    const clients = [...counts].sort(([, a], [, b]) => b - a).map(([client]) => client);
    const given = clients.map(last).find((each) => each !== undefined) ?? one;
    this.remove(given);
    return given;
  }

  /** Whether it was waiting. */
  remove(one: T): boolean {
    const at = this.#waiting.indexOf(one);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  /** The evaluation that gets a thread of a lane, taken out. */
  take(lane: Lane): T | undefined {
    const own = this.#waiting.filter(({ usedMs }) => usedMs < shortMs === (lane === 'short'));
    const best = this.#best(own.length > 0 ? own : this.#waiting);
    if (best !== undefined) this.remove(best);
    return best;
  }

  /**
   * Whether an evaluation that has had a thread of a lane for `forMs` is to give way to one that
   * waits.
   */
  isToGiveWay(running: T, lane: Lane, forMs: number): boolean {
    const isGuest = running.usedMs < shortMs !== (lane === 'short');
    const hasOwn = this.#waiting.some(({ usedMs }) => usedMs < shortMs === (lane === 'short'));
    if (isGuest && hasOwn) return true;
    if (this.#waiting.length === 0 || (!hasOwn && lane === 'long')) return false;
    // Each time it gets longer, so that it comes to its end even where others always wait.
    return forMs >= Math.max(shortMs, this.#isLighterWaiting(running.client) ? running.usedMs / 4 : running.usedMs);
  }

  /** Whether something waits for a client that used less. */
  #isLighterWaiting(client: string): boolean {
    const now = performance.now();
    const usage = this.#usageOf(client, now);
    return this.#waiting.some((one) => one.client !== client && this.#usageOf(one.client, now) < usage);
  }

  /** Notes that an evaluation had a thread. */
  used(one: T, ms: number): void {
    one.usedMs += ms;
    const now = performance.now();
    this.#usage.set(one.client, { ms: this.#usageOf(one.client, now) + ms, at: now });
    if (this.#usage.size > 1000)
      for (const client of this.#usage.keys()) if (this.#usageOf(client, now) < 1) this.#usage.delete(client);
  }

  /** The evaluation with the least use of the client with the least use; the first of equals. */
  #best(candidates: readonly T[]): T | undefined {
    const now = performance.now();
    let best: T | undefined;
    for (const one of candidates) {
      if (best === undefined || this.#compare(one, best, now) < 0) best = one;
    }
    return best;
  }

  #compare(a: T, b: T, now: number): number {
    if (a.client === b.client) return a.usedMs - b.usedMs;
    return this.#usageOf(a.client, now) - this.#usageOf(b.client, now);
  }

  #usageOf(client: string, now: number): number {
    const usage = this.#usage.get(client);
    return usage === undefined ? 0 : usage.ms * 2 ** ((usage.at - now) / halfLifeMs);
  }
}
