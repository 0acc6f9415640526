/** Conflicts of values: two of one document, or of one key, end an evaluation. */

import type { Formula } from './formulas.js';
import { type Guarded, type Member, type SymbolicSettings, textOf } from './symbolic-value.js';

export class Conflicts {
  readonly #settings: SymbolicSettings;
  /** The conflicts of the document whose rules are read now. */
  #now: Formula[] = [];

  constructor(settings: SymbolicSettings) {
    this.#settings = settings;
  }

  /** The result of a reading, and the formula under which it meets a conflict. */
  within<T>(read: () => T): { readonly result: T; readonly conflict: Formula } {
    const before = this.#now;
    this.#now = [];
    try {
      const result = read();
      return { result, conflict: this.#settings.formulas.or(...this.#now) };
    } finally {
      this.#now = before;
    }
  }

  add(conflict: Formula): void {
    this.#now.push(conflict);
  }

  /** Two values of one document. */
  addValues(values: readonly Guarded[], reached: Formula): void {
    const { formulas: f, comparing } = this.#settings;
    for (const [i, a] of values.entries())
      for (const b of values.slice(i + 1)) {
        const both = f.and(reached, a.guard, b.guard);
        if (both !== f.no) this.#now.push(f.and(both, f.not(comparing.equals(a.value, b.value))));
      }
  }

  /** Two values of one key. */
  addKeys(members: readonly Member[], reached: Formula): void {
    const { formulas: f, comparing } = this.#settings;
    const byKey = Map.groupBy(members, ({ key }) => (key.type === 'known' ? textOf(key) : ''));
    const unknown = byKey.get('') ?? [];
    for (const [text, own] of byKey)
      for (const [i, a] of own.entries())
        for (const b of [...own.slice(i + 1), ...(text === '' ? [] : unknown)]) {
          const both = f.and(reached, a.guard, b.guard, comparing.equals(a.key, b.key));
          if (both !== f.no && textOf(a.value) !== textOf(b.value))
            this.#now.push(f.and(both, f.not(comparing.equals(a.value, b.value))));
        }
  }
}
