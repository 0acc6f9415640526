/** The variables that are known while a body's declarations are rewritten, scope by scope. */

import type { LocalNames } from './local-names.js';

/** How a variable got known in its scope. */
export type Occurrence = 'argument' | 'seen' | 'assigned' | 'declared';

export interface Local {
  /** Its name in the rewritten body. */
  readonly name: string;
  readonly occurrence: Occurrence;
  /** How often it was met, the declaration included. */
  count: number;
}

export class LocalScopes {
  readonly #locals: LocalNames;
  readonly #scopes: Map<string, Local>[];

  constructor(locals: LocalNames, first: ReadonlyMap<string, Local> = new Map()) {
    this.#locals = locals;
    const own = new Map<string, Local>();
    for (const [name, local] of first) own.set(name, { ...local });
    this.#scopes = [own];
  }

  /** The innermost scope. */
  get top(): ReadonlyMap<string, Local> {
    return this.#scopes[this.#scopes.length - 1]!;
  }

  /** A fresh name that nothing in the text stands for. */
  fresh(): string {
    return this.#locals.make();
  }

  within<T>(rewrite: () => T): T {
    this.#scopes.push(new Map());
    try {
      return rewrite();
    } finally {
      this.#scopes.pop();
    }
  }

  find(written: string): Local | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]!.get(written);
      if (local) return local;
    }
    return undefined;
  }

  /** Makes a variable known in this scope under a name of its own. */
  declare(written: string, occurrence: Occurrence): string {
    const name = this.#locals.make(written);
    this.#scopes[this.#scopes.length - 1]!.set(written, { name, occurrence, count: 1 });
    return name;
  }

  /** Notes a use; answers the variable's name. */
  use(written: string): string {
    const local = this.find(written);
    if (local) {
      local.count++;
      return local.name;
    }
    this.#scopes[this.#scopes.length - 1]!.set(written, { name: written, occurrence: 'seen', count: 1 });
    return written;
  }
}
