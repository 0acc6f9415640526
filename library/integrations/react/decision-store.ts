/** Decisions that a page waits for: each is asked once, for all that show it. */
import { readAnswer } from '../guard/core/answer.js';

/** A decision as a page shows it. Only `allowed: true` is an allow: a page shows nothing before. */
export interface PageDecision {
  readonly allowed: boolean;
  /** Texts that say why not; empty if the policy gives none. */
  readonly reasons: readonly string[];
  /** The result of the policy. */
  readonly result: unknown;
  /** Whether the answer is still awaited; until then it is a denial. */
  readonly isLoading: boolean;
  /** Why there is no answer: it is a denial then. */
  readonly error: Error | undefined;
}

export const loading: PageDecision = {
  allowed: false,
  reasons: [],
  result: undefined,
  isLoading: true,
  error: undefined,
};

export function settled(result: unknown): PageDecision {
  return { ...readAnswer(result), result, isLoading: false, error: undefined };
}

export function failedDecision(error: unknown): PageDecision {
  const reason = error instanceof Error ? error : new Error(String(error));
  return { allowed: false, reasons: [], result: undefined, isLoading: false, error: reason };
}

interface Entry {
  decision: PageDecision;
  readonly ask: () => Promise<unknown>;
  readonly listeners: Set<() => void>;
  /** When it was asked. */
  asked: number;
  /** The answer of the newest question. */
  answer: Promise<unknown> | undefined;
}

/** Entries that nothing shows are kept up to this number. */
const keptEntries = 200;

export class DecisionStore {
  readonly #entries = new Map<string, Entry>();
  readonly #maxAgeMs: number;

  /** @param maxAgeMs how long the answer of a decision that nothing shows is used again */
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** The decision of a key as far as it is known. */
  read(key: string): PageDecision {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#isFresh(entry) ? entry.decision : loading;
  }

  /** Asks for the decision of a key, unless it is known. Returns a function that ends it. */
  subscribe(key: string, ask: () => Promise<unknown>, listener: () => void): () => void {
    let entry = this.#entries.get(key);
    if (entry === undefined || !this.#isFresh(entry)) {
      entry = { decision: loading, ask, listeners: new Set(), asked: 0, answer: undefined };
      this.#entries.set(key, entry);
      void this.#ask(entry);
    }
    const { listeners } = entry;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#drop();
    };
  }

  /** Forgets all answers, and asks again for those that are shown. */
  refresh(): void {
    for (const [key, entry] of this.#entries) {
      if (entry.listeners.size === 0) this.#entries.delete(key);
      else void this.#ask(entry);
    }
  }

  #isFresh({ listeners, decision, asked }: Entry): boolean {
    return listeners.size > 0 || (decision.error === undefined && performance.now() - asked < this.#maxAgeMs);
  }

  async #ask(entry: Entry): Promise<void> {
    const answer = entry.ask();
    Object.assign(entry, { asked: performance.now(), answer });
    this.#set(entry, loading);
    const decision = await answer.then(settled).catch(failedDecision);
    // A later question has its own answer.
    if (entry.answer === answer) this.#set(entry, decision);
  }

  #set(entry: Entry, decision: PageDecision): void {
    if (entry.decision === decision) return;
    entry.decision = decision;
    for (const listener of entry.listeners) listener();
  }

  /** Drops the oldest entries that nothing shows. */
  #drop(): void {
    const unused = [...this.#entries].filter(([, { listeners }]) => listeners.size === 0);
    for (const [key] of unused.slice(0, Math.max(0, unused.length - keptEntries))) this.#entries.delete(key);
  }
}
