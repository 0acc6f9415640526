/** What a unit can come to: whether a `with` that replaces a function or a path of data makes a difference to it. */
import type { Term } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { isPrefix, type Replacement, targetName } from './environment.js';
import type { VirtualDocument, VirtualDocuments } from './virtual-document.js';

interface Reads {
  /** Paths of data up to the first key that is no constant string. */
  readonly paths: readonly (readonly string[])[];
  /** Names of functions. */
  readonly calls: ReadonlySet<string>;
}

// A unit never changes, and lives as long as the rules that it is made of.
const knownReads = new WeakMap<VirtualDocument, Reads>();

export class Reach {
  readonly #units: VirtualDocuments;
  readonly #edges = new WeakMap<VirtualDocument, readonly VirtualDocument[]>();
  /** By replaced target. */
  readonly #answers = new Map<string, WeakMap<VirtualDocument, boolean>>();

  constructor(units: VirtualDocuments) {
    this.#units = units;
  }

  /** Whether a unit's value, or what it calls, may depend on something replaced. */
  reaches(unit: VirtualDocument, { target }: Replacement): boolean {
    const key = typeof target === 'string' ? target : JSON.stringify(target);
    let answers = this.#answers.get(key);
    if (answers === undefined) this.#answers.set(key, (answers = new WeakMap()));
    return this.#search(unit, target, answers);
  }

  /** Depth first, with a stack of its own: chains of rules may be long. */
  #search(start: VirtualDocument, target: Replacement['target'], answers: WeakMap<VirtualDocument, boolean>): boolean {
    const known = answers.get(start);
    if (known !== undefined) return known;
    const seen = new Set<VirtualDocument>([start]);
    const pending: VirtualDocument[] = [start];
    // From each unit to those that led to it, so that a hit marks all of them.
    const from = new Map<VirtualDocument, VirtualDocument[]>();
    let hit: VirtualDocument[] = [];
    while (pending.length > 0) {
      const unit = pending.pop()!;
      if (answers.get(unit) ?? this.#touches(unit, target)) {
        hit.push(unit);
        continue;
      }
      if (answers.get(unit) === false) continue;
      for (const next of this.#next(unit)) {
        const list = from.get(next);
        if (list === undefined) from.set(next, [unit]);
        else list.push(unit);
        if (!seen.has(next)) {
          seen.add(next);
          pending.push(next);
        }
      }
    }
    const reaching = new Set<VirtualDocument>(hit);
    while (hit.length > 0) {
      const sources: VirtualDocument[] = [];
      for (const unit of hit) {
        for (const source of from.get(unit) ?? []) {
          if (reaching.has(source)) continue;
          reaching.add(source);
          sources.push(source);
        }
      }
      hit = sources;
    }
    for (const unit of seen) answers.set(unit, reaching.has(unit));
    return reaching.has(start);
  }

  #touches(unit: VirtualDocument, target: Replacement['target']): boolean {
    const { paths, calls } = this.#readsOf(unit);
    if (typeof target === 'string') return calls.has(target);
    if (unit.kind === 'package' && (isPrefix(unit.path, target) || isPrefix(target, unit.path))) return true;
    return paths.some((path) => isPrefix(path, target) || isPrefix(target, path));
  }

  #readsOf(unit: VirtualDocument): Reads {
    let reads = knownReads.get(unit);
    if (reads === undefined) knownReads.set(unit, (reads = readsOf(unit)));
    return reads;
  }

  #next(unit: VirtualDocument): readonly VirtualDocument[] {
    let edges = this.#edges.get(unit);
    if (edges !== undefined) return edges;
    const found = new Set<VirtualDocument>();
    if (unit.kind === 'package') for (const [, child] of this.#units.children(unit)) found.add(child);
    for (const path of this.#readsOf(unit).paths) this.#along(path, found);
    edges = [...found];
    this.#edges.set(unit, edges);
    return edges;
  }

  /** The unit that a path leads into, or the package at its end with all that is below it. */
  #along(path: readonly string[], found: Set<VirtualDocument>): void {
    let unit: VirtualDocument | undefined = this.#units.root;
    for (const key of path) {
      unit = this.#units.child(unit, key);
      if (unit === undefined) return;
      if (unit.kind !== 'package') break;
    }
    found.add(unit);
  }
}

function readsOf(unit: VirtualDocument): Reads {
  const paths: string[][] = [];
  const calls = new Set<string>();
  for (const { rule } of unit.rules) {
    walk(rule, (node) => {
      if (node.type === 'ref') {
        const [head] = node.terms;
        if (head?.type === 'var' && head.name === 'data') paths.push(stringPrefix(node.terms));
      } else if (node.type === 'call' || (node.type === 'expr' && node.kind === 'call')) {
        const name = targetName(node.operator);
        if (name !== undefined) calls.add(name);
      }
    });
  }
  return { paths, calls };
}

/** The keys of a ref below its head up to the first that is no constant string. */
export function stringPrefix(terms: readonly Term[]): string[] {
  const path: string[] = [];
  for (const term of terms.slice(1)) {
    if (term.type !== 'string') break;
    path.push(term.value);
  }
  return path;
}
