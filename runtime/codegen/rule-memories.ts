import type { RuleMemory } from '../evaluation/rule-memory.js';

/** The memories that are kept for the next evaluations of a program. */
const maxKept = 8;

/**
 * Memories of rules' results, used again by later evaluations: to make one takes as long as the
 * program has functions. Values of an evaluation do not outlast it.
 */
export class RuleMemories {
  readonly #size: number;
  readonly #free: RuleMemory[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** An empty memory. */
  take(): RuleMemory {
    return this.#free.pop() ?? new Array<undefined>(this.#size).fill(undefined);
  }

  /** Takes a memory back, with the numbers of its entries, of which `count` are valid. */
  give(memory: RuleMemory, used: readonly number[], count: number): void {
    if (this.#free.length >= maxKept) return;
    for (let i = 0; i < count; i++) memory[used[i]!] = undefined;
    this.#free.push(memory);
  }
}
