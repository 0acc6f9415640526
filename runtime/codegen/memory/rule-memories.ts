import type { Value } from '../../../values/index.js';
import type { noValue } from '../../evaluation/rule-memory.js';
import { ArgumentResults } from './argument-results.js';

/** A rule's result, or the results of a function of one argument, by function. */
export type MemoryOfRule = (Value | typeof noValue | ArgumentResults | undefined)[];

/** The memories that are kept for the next evaluations of a program. */
const maxKept = 8;

/**
 * Memories of rules' results, used again by later evaluations: to make one takes as long as the
 * program has functions. Values of an evaluation do not outlast it.
 */
export class RuleMemories {
  readonly #size: number;
  readonly #free: MemoryOfRule[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** An empty memory. */
  take(): MemoryOfRule {
    return this.#free.pop() ?? new Array<undefined>(this.#size).fill(undefined);
  }

  /** Takes a memory back, with the numbers of its entries, of which `count` are valid. */
  give(memory: MemoryOfRule, used: readonly number[], count: number): void {
    if (this.#free.length >= maxKept) return;
    forget(memory, used, count);
    this.#free.push(memory);
  }
}

/** Drops the entries of a memory. */
export function forget(memory: MemoryOfRule, used: readonly number[], count: number): void {
  for (let i = 0; i < count; i++) {
    const entry = memory[used[i]!];
    if (entry instanceof ArgumentResults) entry.clear();
    else memory[used[i]!] = undefined;
  }
}
