/** Many decisions of one caller, so that those of others are made in between. */
import { nextTurn } from '../../values/index.js';

/** The most decisions of a batch that wait, for other servers or for threads. */
const mostWaiting = 16;

/** Milliseconds for all batches together in each turn of the event loop. */
const sliceMs = 4;

/**
 * Starts decisions one after the other. The next one starts when the last has ended or waits, so
 * that each knows the time that the ones before it took.
 */
class Turns {
  #sliceEnd = 0;
  #isOver: Promise<void> = Promise.resolve();
  #isBusy = false;
  #isScheduled = false;
  readonly #queue: (() => void)[] = [];

  /** Resolves when the decision has ended, or waits. Rejects with its error. */
  async start(decide: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#queue.push(resolve);
      this.#next();
    });
    try {
      // Evaluations that do not wait end before the next turn.
      await Promise.race([decide(), this.#isOver]);
    } finally {
      this.#isBusy = false;
      this.#next();
    }
  }

  #next(): void {
    if (this.#isBusy || this.#isScheduled || this.#queue.length === 0) return;
    if (performance.now() < this.#sliceEnd) {
      this.#isBusy = true;
      this.#queue.shift()!();
      return;
    }
    this.#isScheduled = true;
    void nextTurn().then(() => {
      this.#isScheduled = false;
      this.#sliceEnd = performance.now() + sliceMs;
      this.#isOver = nextTurn();
      this.#next();
    });
  }
}

const turns = new Turns();

/** Decides about each item. The first error ends it, once the decisions under way have ended. */
export async function decideEach<T>(
  items: readonly T[],
  decide: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (const [i, item] of items.entries()) {
    if (failure !== undefined) break;
    await turns.start(() => {
      const one = decide(item, i)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(one));
      underWay.add(one);
      return one;
    });
    if (underWay.size >= mostWaiting) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (failure !== undefined) throw failure.error;
}
