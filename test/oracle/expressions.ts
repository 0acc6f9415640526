/** Solutions of bodies and expressions. */

import type { Body, CallExpr, EveryExpr, Expr, SomeExpr } from '../../compiler/ast/nodes.js';
import { ownNames } from './captures.js';
import { elementsOf } from './collections.js';
import { type Bindings, type Environment, type Evaluation, Unbound, unbound } from './evaluation.js';
import { operatorName } from './names.js';
import { termsBeforeNegation } from './negation.js';
import { requireBound } from './terms.js';
import type { Unifier } from './unify.js';

export class Expressions {
  readonly #evaluation: Evaluation;
  readonly #unifier: Unifier;

  constructor(evaluation: Evaluation, unifier: Unifier) {
    this.#evaluation = evaluation;
    this.#unifier = unifier;
  }

  /**
   * Iterates over the body until it is empty, and each time takes the expressions whose variables
   * have values.
   */
  solutions(body: Body, environment: Environment, bindings: Bindings, from = 0): readonly Bindings[] {
    if (body.length === 0) return [bindings];
    for (let count = 0; count < body.length; count++) {
      const i = (from + count) % body.length;
      let found: readonly Bindings[];
      try {
        found = this.#expr(body[i]!, environment, bindings);
      } catch (error) {
        if (error instanceof Unbound) continue;
        throw error;
      }
      if (count > 0) this.#evaluation.markUnordered();
      const rest = body.toSpliced(i, 1);
      return found.flatMap((next) => this.solutions(rest, environment, next, i === rest.length ? 0 : i));
    }
    throw unbound;
  }

  #holds(body: Body, environment: Environment, bindings: Bindings): boolean {
    return this.#evaluation.solutions(body, environment, bindings).length > 0;
  }

  #expr(expr: Expr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    this.#evaluation.step();
    requireBound(this.#evaluation.program.captures.get(expr), bindings);
    if (expr.negated) requireBound(ownNames(expr), bindings);
    return this.#evaluation
      .environments(expr.with, environment, bindings)
      .flatMap((place) =>
        expr.negated ? this.#negated(expr, place.environment, place.bindings) : this.#plain(expr, place.environment, place.bindings),
      );
  }

  #negated(expr: Expr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    if (this.#evaluation.combinations(termsBeforeNegation(expr), environment, bindings).length === 0) return [];
    return this.#plain(expr, environment, bindings).length > 0 ? [] : [bindings];
  }

  #plain(expr: Expr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    switch (expr.kind) {
      case 'term':
        return this.#evaluation
          .values(expr.term, environment, bindings)
          .flatMap(({ value, bindings: next }) => (value === false ? [] : [next]));
      case 'call':
        return this.#call(expr, environment, bindings);
      case 'some':
        return this.#some(expr, environment, bindings);
      case 'every':
        return this.#every(expr, environment, bindings);
      case 'not':
        return this.#holds(expr.body, environment, bindings) ? [] : [bindings];
      case 'and':
        return this.#holds(expr.lhs, environment, bindings) && this.#holds(expr.rhs, environment, bindings) ? [bindings] : [];
      case 'or':
        return this.#holds(expr.lhs, environment, bindings) || this.#holds(expr.rhs, environment, bindings) ? [bindings] : [];
    }
  }

  #call({ operator, args }: CallExpr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    const name = operatorName(operator.terms);
    if (name === 'eq' || name === 'assign') return this.#unifier.terms(args[0]!, args[1]!, environment, bindings);
    const arity = this.#evaluation.arity(operator.terms);
    const output = args[arity];
    return this.#evaluation.combinations(args.slice(0, arity), environment, bindings).flatMap(({ values, bindings: next }) =>
      this.#evaluation.apply(operator.terms, values, environment).flatMap((result) => {
        if (output !== undefined) return this.#unifier.match(output, result, environment, next);
        return result === false ? [] : [next];
      }),
    );
  }

  #some({ symbols }: SomeExpr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    const [symbol] = symbols;
    if (symbol?.type !== 'call') return [bindings];
    const patterns = symbol.args.slice(0, -1);
    return this.#evaluation.values(symbol.args.at(-1)!, environment, bindings).flatMap(({ value, bindings: next }) => {
      return (elementsOf(value) ?? []).flatMap(([key, element]) => {
        const parts = patterns.length === 2 ? [key, element] : [element];
        return patterns.reduce<readonly Bindings[]>(
          (all, pattern, i) => all.flatMap((each) => this.#unifier.match(pattern, parts[i]!, environment, each)),
          [next],
        );
      });
    });
  }

  #every({ key, value, domain, body }: EveryExpr, environment: Environment, bindings: Bindings): readonly Bindings[] {
    return this.#evaluation.values(domain, environment, bindings).flatMap((collection) => {
      const elements = elementsOf(collection.value);
      const holds = elements?.every(([k, v]) => {
        const inner = new Map(collection.bindings).set(value.name, v);
        if (key) inner.set(key.name, k);
        return this.#holds(body, environment, inner);
      });
      return holds === true ? [collection.bindings] : [];
    });
  }
}
