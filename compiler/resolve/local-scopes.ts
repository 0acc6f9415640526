/** The variables that are known while a body's declarations are rewritten, scope by scope. */

import type { LocalNames } from './local-names.js';

/** How a variable got known in its scope. */
export type LocalUse = 'argument' | 'seen' | 'assigned' | 'declared';

export interface LocalVariable {
  /** Its name in the rewritten body. */
  readonly name: string;
  readonly occurrence: LocalUse;
  /** How often it was met, the declaration included. */
  count: number;
}

/**
 * The variables of one scope. Most bodies have few variables or none, so the map comes with the
 * first.
 */
interface Scope {
  locals: Map<string, LocalVariable> | undefined;
  /** Whether there are any that `some` or `:=` declared. */
  declares: boolean;
  readonly outer: Scope | undefined;
}

const noLocals: ReadonlyMap<string, LocalVariable> = new Map();

export class LocalScopes {
  readonly #locals: LocalNames;
  #top: Scope;

  constructor(locals: LocalNames, first: ReadonlyMap<string, LocalVariable> = noLocals) {
    this.#locals = locals;
    let own: Map<string, LocalVariable> | undefined;
    if (first.size > 0) {
      own = new Map();
      for (const [name, local] of first) own.set(name, { ...local });
    }
    this.#top = { locals: own, declares: false, outer: undefined };
  }

  /** The innermost scope. */
  get top(): ReadonlyMap<string, LocalVariable> {
    return this.#top.locals ?? noLocals;
  }

  /** Whether the innermost scope has variables that `some` or `:=` declared. */
  get topDeclares(): boolean {
    return this.#top.declares;
  }

  /** A fresh name that nothing in the text stands for. */
  fresh(): string {
    return this.#locals.make();
  }

  /** A fresh name for the key that `some x in xs` leaves out. */
  freshKey(): string {
    return this.#locals.makeKey();
  }

  within<T>(rewrite: () => T): T {
    const outer = this.#top;
    this.#top = { locals: undefined, declares: false, outer };
    try {
      return rewrite();
    } finally {
      this.#top = outer;
    }
  }

  find(written: string): LocalVariable | undefined {
    for (let scope: Scope | undefined = this.#top; scope; scope = scope.outer) {
      const local = scope.locals?.get(written);
      if (local) return local;
    }
    return undefined;
  }

  /** Makes a variable known in this scope under a name of its own. */
  declare(written: string, occurrence: LocalUse): string {
    const name = this.#locals.make(written);
    this.#add(written, name, occurrence);
    return name;
  }

  /** Notes a use; answers the variable's name. */
  use(written: string): string {
    const local = this.find(written);
    if (local) {
      local.count++;
      return local.name;
    }
    this.#add(written, written, 'seen');
    return written;
  }

  #add(written: string, name: string, occurrence: LocalUse): void {
    const scope = this.#top;
    scope.locals ??= new Map();
    scope.locals.set(written, { name, occurrence, count: 1 });
    if (occurrence === 'assigned' || occurrence === 'declared') scope.declares = true;
  }
}
