/** Resolves names: to a rule, an import, or a variable of a scope. */

import type { Ref } from '../../compiler/ast/nodes.js';

/** The names of a module other than its variables. */
export interface Globals {
  /** Paths of rules and imports by their names. */
  readonly paths: ReadonlyMap<string, Ref>;
  readonly builtins: { has(name: string): boolean };
}

/** Generates names that cannot occur in a source text. */
export class FreshNames {
  #next = 0;

  make(written: string): string {
    return `${written}·${this.#next++}`;
  }
}

/** The source name of a variable. */
export function writtenName(name: string): string {
  const dot = name.indexOf('·');
  return dot < 0 ? name : name.slice(0, dot);
}

type Meaning = { readonly kind: 'variable'; readonly name: string } | { readonly kind: 'global'; readonly path: Ref };

/**
 * The names of one body. A declared name shadows rules and imports of that name in the whole body,
 * and outer variables from its declaration on. An undeclared name is a variable shared by all
 * enclosing bodies.
 */
export class Scope {
  readonly #globals: Globals;
  readonly #fresh: FreshNames;
  readonly #outer: Scope | undefined;
  readonly #hides: ReadonlySet<string>;
  readonly #declared = new Map<string, string>();

  constructor(globals: Globals, fresh: FreshNames, hides: ReadonlySet<string> = new Set(), outer?: Scope) {
    this.#globals = globals;
    this.#fresh = fresh;
    this.#hides = hides;
    this.#outer = outer;
  }

  inner(hides: ReadonlySet<string>): Scope {
    return new Scope(this.#globals, this.#fresh, hides, this);
  }

  /** Declares a variable, and returns its unique name. */
  declare(written: string): string {
    const known = this.#declared.get(written);
    if (known !== undefined) return known;
    const name = this.#fresh.make(written);
    this.#declared.set(written, name);
    return name;
  }

  isBuiltin(name: string): boolean {
    return this.#globals.builtins.has(name);
  }

  meaningOf(written: string): Meaning {
    let isHidden = false;
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const name = scope.#declared.get(written);
      if (name !== undefined) return { kind: 'variable', name };
      if (scope.#hides.has(written)) isHidden = true;
    }
    const path = isHidden ? undefined : this.#globals.paths.get(written);
    return path === undefined ? { kind: 'variable', name: written } : { kind: 'global', path };
  }
}
