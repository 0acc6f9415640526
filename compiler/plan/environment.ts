/**
 * Replacements of `with` besides the values of input and data: functions, and paths of data that
 * have rules. Rules called under a `with` are planned again for it (`g1`, `g2`, …; `g0` is the
 * policy without replacements) if a replacement is reachable from them.
 */
import { beginsWith, isSamePath } from '../../values/index.js';
import type { RefTerm, Term } from '../ast/nodes.js';

/** The replacement of a function. */
export type Mock =
  /** A function or rule: the call goes there. */
  | { readonly type: 'function'; readonly ref: RefTerm }
  /** A value without variables. */
  | { readonly type: 'constant'; readonly term: Term }
  /**
   * A value that is known only when the `with` is reached: functions get it as one more parameter.
   */
  | { readonly type: 'parameter' };

/**
 * One replacement. Modifiers with the same target and value share one, so that functions planned
 * under one of them serve all.
 */
export interface WithReplacement {
  /** The name of a function, as `functionName` gives it; or the path of a document below `data`. */
  readonly target: string | readonly string[];
  /** Undefined for a path of data. */
  readonly mock: Mock | undefined;
  /** Tells replacements apart. */
  readonly id: number;
}

export class Environment {
  readonly replacements: readonly WithReplacement[];
  /** Equal environments have equal keys. */
  readonly key: string;

  constructor(replacements: readonly WithReplacement[]) {
    this.replacements = [...replacements].sort((a, b) => a.id - b.id);
    this.key = this.replacements.map(({ id }) => id).join();
  }

  /** The mock of a function. */
  mockOf(name: string): WithReplacement | undefined {
    return this.replacements.find(({ target }) => target === name);
  }

  /**
   * Whether a path of data has been replaced, itself or from above, so that no rule answers for it.
   */
  isShadowed(path: readonly string[]): boolean {
    return this.replacements.some(({ target }) => typeof target !== 'string' && beginsWith(path, target));
  }

  /** Replacements whose value functions get as parameters, in order. */
  get parameters(): readonly WithReplacement[] {
    return this.replacements.filter(({ mock }) => mock?.type === 'parameter');
  }

  /** Whether something below a path of data has been replaced. */
  replacesBelow(path: readonly string[]): boolean {
    return this.replacements.some(({ target }) => typeof target !== 'string' && beginsWith(target, path));
  }

  /** The environment with one more replacement, in place of another of its target. */
  with(one: WithReplacement): Environment {
    return new Environment([...this.replacements.filter(({ target }) => !isSame(target, one.target)), one]);
  }

  only(keep: (replacement: WithReplacement) => boolean): Environment {
    const kept = this.replacements.filter(keep);
    return kept.length === this.replacements.length ? this : new Environment(kept);
  }
}

export const plainEnvironment = new Environment([]);

function isSame(a: WithReplacement['target'], b: WithReplacement['target']): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return isSamePath(a, b);
}
