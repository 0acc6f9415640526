/** The rule index: bodies with their guards first, rules in the reference's order. */

import type { Body, CompiledRule, IndexContext, Term, VirtualDocument } from '../../compiler/index.js';
import { indexBody, inIndexOrder, varsOf, varTerm } from '../../compiler/index.js';
import type { Builtin } from '../../values/index.js';
import { childDocument } from './child-document.js';
import type { QueryEnvironment } from './environment.js';

const nothingReplaced: IndexContext['environment'] = { mockOf: () => undefined };

export class RuleIndex {
  readonly #functions: IndexContext['functions'];
  readonly #ordered = new WeakMap<VirtualDocument, readonly CompiledRule[]>();
  /** Ordered bodies by body, then by the number of keys that are known before it. */
  readonly #bodies = new WeakMap<Body, Body[]>();
  readonly #guarded = new WeakMap<Body, Body>();

  constructor(root: VirtualDocument, builtins: ReadonlyMap<string, Builtin>) {
    this.#functions = { ruleIndex: true, builtins, documents: { root, child: childDocument } };
  }

  /** The rules of a document in the order in which they are evaluated. */
  rulesOf(document: VirtualDocument): readonly CompiledRule[] {
    let ordered = this.#ordered.get(document);
    if (ordered === undefined) {
      ordered = inIndexOrder({ functions: this.#functions, environment: nothingReplaced }, document.rules);
      this.#ordered.set(document, ordered);
    }
    return ordered;
  }

  /**
   * A body with its guards first.
   * @param known terms that have values before the body: arguments, or the first of the head's keys
   * @param keys the number of keys among them
   */
  bodyOf(body: Body, known: readonly Term[], keys: number, environment: QueryEnvironment): Body {
    if (environment.hasMocks) return this.#order(body, known, environment);
    let bodies = this.#bodies.get(body);
    if (bodies === undefined) this.#bodies.set(body, (bodies = []));
    return (bodies[keys] ??= this.#order(body, known, nothingReplaced));
  }

  /**
   * The comparisons by which the index excludes a body. They bind no variables of the body.
   * @param args the parameters of a function
   */
  guardsOf(body: Body, args: readonly Term[], environment: QueryEnvironment): Body {
    if (environment.hasMocks) return this.#guards(body, args, environment);
    let guards = this.#guarded.get(body);
    if (guards === undefined) this.#guarded.set(body, (guards = this.#guards(body, args, nothingReplaced)));
    return guards;
  }

  #guards(body: Body, args: readonly Term[], environment: IndexContext['environment']): Body {
    return indexBody({ functions: { ...this.#functions, elements: true }, environment }, body, args, true).guards;
  }

  #order(body: Body, known: readonly Term[], environment: IndexContext['environment']): Body {
    const { guards, rest } = indexBody({ functions: this.#functions, environment }, body, known, false);
    return guards.length === 0 ? body : [...guards, ...rest];
  }
}

/** The variables of keys, as terms. */
export function indexedVariables(keys: readonly Term[]): readonly Term[] {
  return keys.flatMap((key) => [...varsOf(key)].map((name) => varTerm(key.loc, name)));
}
