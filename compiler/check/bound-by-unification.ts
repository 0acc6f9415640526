/** The variables that a unification binds. */

import { compareTerms, sortedTermEntries } from '../ast/compare-terms.js';
import type { ObjectEntry, Term } from '../ast/nodes.js';
import { addPatternVars, areKeysMatchable, type Bound, hasBoundVars, isRefBound } from './bound.js';

/**
 * Adds the variables that `a = b` binds to `found`. A side whose variables are all bound binds
 * those of the other; arrays and objects match part by part, so that `[x, 1] = [2, y]` binds both.
 */
export function bindByUnification(bound: Bound, a: Term, b: Term, found: Set<string>): void {
  new Unifier(bound, found).run(a, b);
}

/** A variable that has a value as soon as its parts have, and the other way round. */
interface Link {
  readonly name: string;
  readonly parts: ReadonlySet<string>;
  /** How many parts have no value yet. */
  open: number;
}

class Unifier {
  readonly #bound: Bound;
  readonly #found: Set<string>;
  readonly #links: Link[] = [];
  /** Variables whose links have to be looked at. */
  readonly #todo: string[] = [];

  constructor(bound: Bound, found: Set<string>) {
    this.#bound = bound;
    this.#found = found;
  }

  run(a: Term, b: Term): void {
    this.#match(a, b);
    if (this.#links.length > 0) this.#close();
  }

  /** Follows the links from bound variables until none is added. */
  #close(): void {
    const wholes = new Map<string, Link[]>();
    const parts = new Map<string, Link[]>();
    const add = (map: Map<string, Link[]>, name: string, link: Link): void => {
      const list = map.get(name);
      if (list) list.push(link);
      else map.set(name, [link]);
    };
    this.#todo.length = 0;
    for (const link of this.#links) {
      add(wholes, link.name, link);
      for (const part of link.parts) {
        add(parts, part, link);
        if (!this.#has(part)) link.open++;
      }
    }
    for (const link of this.#links) {
      if (this.#has(link.name)) for (const part of link.parts) this.#bind(part);
      else if (link.open === 0) this.#bind(link.name);
    }
    for (let name = this.#todo.pop(); name !== undefined; name = this.#todo.pop()) {
      for (const link of wholes.get(name) ?? []) for (const part of link.parts) this.#bind(part);
      for (const link of parts.get(name) ?? []) if (--link.open === 0) this.#bind(link.name);
    }
  }

  #has(name: string): boolean {
    return this.#found.has(name) || this.#bound.has(name);
  }

  #hasAll(names: ReadonlySet<string>): boolean {
    for (const name of names) if (!this.#has(name)) return false;
    return true;
  }

  #bind(name: string): void {
    if (this.#has(name)) return;
    this.#found.add(name);
    this.#todo.push(name);
  }

  #match(a: Term, b: Term): void {
    if (a.type === 'var') return this.#matchVar(a.name, b);
    if (b.type === 'var') return this.#matchVar(b.name, a);
    if (this.#isValue(a)) return this.#bindPattern(b);
    if (this.#isValue(b)) return this.#bindPattern(a);
    if (a.type === 'array' && b.type === 'array') {
      if (a.items.length !== b.items.length) return;
      for (const [i, item] of a.items.entries()) this.#match(item, b.items[i]!);
    } else if (a.type === 'object' && b.type === 'object') this.#matchObjects(a.entries, b.entries);
  }

  #matchObjects(a: readonly ObjectEntry[], b: readonly ObjectEntry[]): void {
    if (a.length !== b.length) return;
    const right = sortedTermEntries(b);
    sortedTermEntries(a).forEach((entry, i) => {
      const other = right[i];
      if (other && compareTerms(entry.key, other.key) === 0) this.#match(entry.value, other.value);
    });
  }

  /** Whether a term that is no variable, array or object has a value without binding anything. */
  #isValue(term: Term): boolean {
    switch (term.type) {
      case 'ref':
        return isRefBound(term, this.#bound) && areKeysMatchable(term, this.#bound);
      case 'call':
        return hasBoundVars(term, this.#bound);
      case 'arraycomprehension':
      case 'objectcomprehension':
        return true;
      default:
        return false;
    }
  }

  #bindPattern(pattern: Term): void {
    if (pattern.type !== 'array' && pattern.type !== 'object') return;
    const names = new Set<string>();
    addPatternVars(pattern, names);
    for (const name of names) this.#bind(name);
  }

  #matchVar(name: string, other: Term): void {
    switch (other.type) {
      case 'var':
        if (other.name !== name) this.#links.push({ name, parts: new Set([other.name]), open: 0 });
        return;
      case 'array':
      case 'object': {
        const parts = new Set<string>();
        addPatternVars(other, parts);
        if (this.#hasAll(parts)) return this.#bind(name);
        this.#links.push({ name, parts, open: 0 });
        return;
      }
      case 'ref':
      case 'call':
        if (this.#isValue(other)) this.#bind(name);
        return;
      default:
        this.#bind(name);
    }
  }
}
