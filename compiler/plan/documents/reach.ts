/**
 * Reachability: whether a `with` that replaces a function or a path of data affects a document.
 */

import { areOnOneWay } from '../../../values/index.js';
import { functionName } from '../../ast/names.js';
import { isRoot, leadingKeys } from '../../ast/paths.js';
import { walk } from '../../ast/walk.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import type { WithReplacement } from '../environment.js';
import type { VirtualDocuments } from './virtual-documents.js';

interface Reads {
  /** Paths of data up to the first key that is no constant string. */
  readonly paths: readonly (readonly string[])[];
  /** Names of functions. */
  readonly calls: ReadonlySet<string>;
}

// A document never changes, and lives as long as its rules.
const knownReads = new WeakMap<VirtualDocument, Reads>();

export class Reach {
  readonly #documents: VirtualDocuments;
  readonly #edges = new WeakMap<VirtualDocument, readonly VirtualDocument[]>();
  /** Answers by replaced target and document. */
  readonly #answers = new Map<string, WeakMap<VirtualDocument, boolean>>();

  constructor(documents: VirtualDocuments) {
    this.#documents = documents;
  }

  /** Whether a document's value, or a function that it calls, may depend on a replacement. */
  reaches(document: VirtualDocument, { target }: WithReplacement): boolean {
    const key = typeof target === 'string' ? target : JSON.stringify(target);
    let answers = this.#answers.get(key);
    if (answers === undefined) this.#answers.set(key, (answers = new WeakMap()));
    return this.#search(document, target, answers);
  }

  /** Depth first, with a stack of its own: chains of rules may be long. */
  #search(
    start: VirtualDocument,
    target: WithReplacement['target'],
    answers: WeakMap<VirtualDocument, boolean>,
  ): boolean {
    const known = answers.get(start);
    if (known !== undefined) return known;
    const seen = new Set<VirtualDocument>([start]);
    const pending: VirtualDocument[] = [start];
    // From each document to its readers, so that a hit marks all of them.
    const from = new Map<VirtualDocument, VirtualDocument[]>();
    let hit: VirtualDocument[] = [];
    for (let document = pending.pop(); document !== undefined; document = pending.pop()) {
      if (answers.get(document) ?? this.#touches(document, target)) {
        hit.push(document);
        continue;
      }
      if (answers.get(document) === false) continue;
      for (const next of this.#next(document)) {
        const list = from.get(next);
        if (list === undefined) from.set(next, [document]);
        else list.push(document);
        if (!seen.has(next)) {
          seen.add(next);
          pending.push(next);
        }
      }
    }
    const reaching = new Set<VirtualDocument>(hit);
    while (hit.length > 0) {
      const sources: VirtualDocument[] = [];
      for (const document of hit) {
        for (const source of from.get(document) ?? []) {
          if (reaching.has(source)) continue;
          reaching.add(source);
          sources.push(source);
        }
      }
      hit = sources;
    }
    for (const document of seen) answers.set(document, reaching.has(document));
    return reaching.has(start);
  }

  #touches(document: VirtualDocument, target: WithReplacement['target']): boolean {
    const { paths, calls } = this.#readsOf(document);
    if (typeof target === 'string') return calls.has(target);
    if (document.kind === 'package' && areOnOneWay(document.path, target)) return true;
    return paths.some((path) => areOnOneWay(path, target));
  }

  #readsOf(document: VirtualDocument): Reads {
    let reads = knownReads.get(document);
    if (reads === undefined) knownReads.set(document, (reads = readsOf(document)));
    return reads;
  }

  #next(document: VirtualDocument): readonly VirtualDocument[] {
    let edges = this.#edges.get(document);
    if (edges !== undefined) return edges;
    const found = new Set<VirtualDocument>();
    if (document.kind === 'package') for (const [, child] of this.#documents.children(document)) found.add(child);
    for (const path of this.#readsOf(document).paths) this.#along(path, found);
    edges = [...found];
    this.#edges.set(document, edges);
    return edges;
  }

  /** The document that a path leads into, or the package at its end with all that is below it. */
  #along(path: readonly string[], found: Set<VirtualDocument>): void {
    const called = this.#documents.functionAt(path);
    if (called !== undefined) found.add(called);
    let document: VirtualDocument | undefined = this.#documents.root;
    for (const key of path) {
      document = this.#documents.child(document, key);
      if (document === undefined) return;
      if (document.kind !== 'package') break;
    }
    found.add(document);
  }
}

function readsOf(document: VirtualDocument): Reads {
  const paths: (readonly string[])[] = [];
  const calls = new Set<string>();
  for (const { rule } of document.rules) {
    walk(rule, (node) => {
      if (node.type === 'ref') {
        const [head, ...keys] = node.terms;
        if (isRoot(head, 'data')) paths.push(leadingKeys(keys));
      } else if (node.type === 'call' || (node.type === 'expr' && node.kind === 'call')) {
        const name = functionName(node.operator);
        if (name !== undefined) calls.add(name);
      }
    });
  }
  return { paths, calls };
}
