/** The annotations of rules of filters, looked up once for each rule of a compilation. */

import type { Compiled, RefTerm } from '../../compiler/index.js';
import { LruCache } from '../../values/index.js';
import { type Metrics, timers } from '../evaluation/metrics.js';
import { annotatedMaskRule, annotatedUnknowns } from '../query/filters/annotated-unknowns.js';

/** Clients choose the paths. */
const mostRules = 500;

interface MaskRule {
  readonly ref: RefTerm | undefined;
}

const known = new WeakMap<Compiled, AnnotatedRules>();

export class AnnotatedRules {
  readonly #compiled: Compiled;
  readonly #unknowns = new LruCache<readonly RefTerm[]>(mostRules);
  readonly #maskRules = new LruCache<MaskRule>(mostRules);

  private constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  static of(compiled: Compiled): AnnotatedRules {
    let rules = known.get(compiled);
    if (rules === undefined) known.set(compiled, (rules = new AnnotatedRules(compiled)));
    return rules;
  }

  /** Throws a FilterError for unknowns that name nothing. */
  unknowns(path: readonly string[], metrics: Metrics | undefined): readonly RefTerm[] {
    return kept(this.#unknowns, path, timers.extractUnknowns, metrics, () => annotatedUnknowns(this.#modules(), path));
  }

  maskRule(path: readonly string[], metrics: Metrics | undefined): RefTerm | undefined {
    return kept(this.#maskRules, path, timers.extractMaskRule, metrics, () => ({
      ref: annotatedMaskRule(this.#modules(), path),
    })).ref;
  }

  #modules() {
    return [...this.#compiled.modules.values()].map(({ parsed }) => parsed);
  }
}

/** A timer counts the time of the look-up, so it is absent where the value is at hand. */
function kept<T>(
  cache: LruCache<T>,
  path: readonly string[],
  timer: string,
  metrics: Metrics | undefined,
  find: () => T,
): T {
  const key = JSON.stringify(path);
  const before = cache.get(key);
  if (before !== undefined) return before;
  const started = performance.now();
  const found = find();
  metrics?.since(timer, started);
  cache.set(key, found);
  return found;
}
