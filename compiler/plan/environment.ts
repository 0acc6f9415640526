/**
 * What `with` replaces besides the values of input and data: functions, and paths of data that rules would answer. Rules reached under a `with`
 * are planned anew for it (`g1`, `g2`, … where `g0` is the policy as it is), as far as they can come to something replaced.
 */
import type { RefTerm, Term } from '../ast/nodes.js';

/** What stands in for a function. */
export type Mock =
  /** A function or rule: the call goes there. */
  | { readonly type: 'function'; readonly ref: RefTerm }
  /** A value without variables. */
  | { readonly type: 'constant'; readonly term: Term }
  /** A value that is known only when the `with` is reached: functions get it as one more parameter. */
  | { readonly type: 'parameter' };

/** One replacement. Each `with` modifier makes its own. */
export interface Replacement {
  /** Of a function: its name as `targetName` has it; of a path of data: the path below `data`. */
  readonly target: string | readonly string[];
  /** Undefined for a path of data. */
  readonly mock: Mock | undefined;
  /** Tells replacements apart. */
  readonly id: number;
}

export class Environment {
  readonly replacements: readonly Replacement[];
  /** Equal environments have equal keys. */
  readonly key: string;

  constructor(replacements: readonly Replacement[]) {
    this.replacements = replacements;
    this.key = replacements.map(({ id }) => id).join();
  }

  /** The mock of a function; the innermost `with` counts. */
  mockOf(name: string): Replacement | undefined {
    return this.replacements.findLast(({ target }) => target === name);
  }

  /** Whether a path of data has been replaced, itself or from above, so that no rule answers for it. */
  isShadowed(path: readonly string[]): boolean {
    return this.replacements.some(({ target }) => typeof target !== 'string' && isPrefix(target, path));
  }

  /** Replacements whose value functions get as parameters, in order. */
  get parameters(): readonly Replacement[] {
    return this.replacements.filter(({ mock }) => mock?.type === 'parameter');
  }

  with(more: readonly Replacement[]): Environment {
    return more.length === 0 ? this : new Environment([...this.replacements, ...more]);
  }

  only(keep: (replacement: Replacement) => boolean): Environment {
    const kept = this.replacements.filter(keep);
    return kept.length === this.replacements.length ? this : new Environment(kept);
  }
}

export const plainEnvironment = new Environment([]);

export function isPrefix(prefix: readonly string[], path: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((key, i) => key === path[i]);
}

/** The name of a function: `count`, `io.jwt.decode`, `data.a.f`. Undefined where a term of the ref is no constant. */
export function targetName(ref: RefTerm): string | undefined {
  const parts: string[] = [];
  for (const term of ref.terms) {
    if (term.type === 'var') parts.push(term.name);
    else if (term.type === 'string') parts.push(term.value);
    else return undefined;
  }
  return parts.join('.');
}
