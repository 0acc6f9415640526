import type { Json } from '../../runtime/values/json/json.js';
import type { LibraryDecision } from './prepared-decision.js';

/** Most hosts ask for the same paths again and again. */
const mostDecisions = 1000;
const longestPath = 1000;

/** Decisions by the path that they were asked for. */
export class DecisionCache {
  readonly #prepare: (path: string) => LibraryDecision<Json>;
  readonly #decisions = new Map<string, LibraryDecision<Json>>();
  /** The last of them: many hosts ask for one path only. */
  #last: { readonly path: string; readonly decision: LibraryDecision<Json> } | undefined;

  constructor(prepare: (path: string) => LibraryDecision<Json>) {
    this.#prepare = prepare;
  }

  at(path: string): LibraryDecision<Json> {
    if (this.#last?.path === path) return this.#last.decision;
    const decision = this.#decisions.get(path) ?? this.#add(path);
    this.#last = { path, decision };
    return decision;
  }

  #add(path: string): LibraryDecision<Json> {
    const decision = this.#prepare(path);
    if (path.length > longestPath) return decision;
    if (this.#decisions.size >= mostDecisions) this.#decisions.clear();
    this.#decisions.set(path, decision);
    return decision;
  }

  clear(): void {
    this.#decisions.clear();
    this.#last = undefined;
  }
}
