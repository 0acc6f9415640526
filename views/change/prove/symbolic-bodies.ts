/** Bodies over an unknown input: their solutions, each with the formula under which it is one. */

import type { Body, CallExpr, EveryExpr, Expr, With } from '../../../compiler/index.js';
import type { Bindings, Solution } from './bindings.js';
import type { Formula } from './formulas.js';
import type { SymbolicMembers } from './symbolic-members.js';
import type { SymbolicTerms } from './symbolic-terms.js';
import type { SymbolicSettings } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** The most formulas, and solutions of a body: a body that takes more is not proved. */
const mostFormulas = 400_000;
const mostSolutions = 20_000;

/** The rules around a body. */
export interface BodySurroundings {
  call(expr: CallExpr, bindings: Bindings): Iterable<Solution>;
  /** Bodies with replaced documents, where the values of these are there. */
  under(
    replacements: readonly With[],
    bindings: Bindings,
  ): Iterable<{ readonly guard: Formula; readonly bodies: SymbolicBodies }>;
}

export class SymbolicBodies {
  readonly #settings: SymbolicSettings;
  readonly #members: SymbolicMembers;
  readonly #terms: SymbolicTerms;
  readonly #surroundings: BodySurroundings;

  constructor(
    settings: SymbolicSettings,
    members: SymbolicMembers,
    terms: SymbolicTerms,
    surroundings: BodySurroundings,
  ) {
    this.#settings = settings;
    this.#members = members;
    this.#terms = terms;
    this.#surroundings = surroundings;
  }

  *solutions(body: Body, bindings: Bindings): Generator<Solution> {
    let count = 0;
    for (const solution of this.#from(body, 0, { guard: this.#settings.formulas.yes, bindings }, bindings.reached)) {
      if (++count > mostSolutions || this.#settings.formulas.size > mostFormulas)
        throw new Unprovable('there are too many combinations');
      yield solution;
    }
  }

  *#from(body: Body, at: number, start: Solution, reached: Formula): Generator<Solution> {
    const { formulas: f } = this.#settings;
    if (start.guard === f.no) return;
    const expr = body[at];
    const { guard, bindings } = start;
    const scope = bindings.under(f.and(reached, guard));
    if (expr === undefined) yield { guard, bindings: scope };
    else
      for (const next of this.#expression(expr, { guard, bindings: scope }))
        yield* this.#from(body, at + 1, next, reached);
  }

  *#expression(expr: Expr, start: Solution): Generator<Solution> {
    try {
      yield* this.#expressionOrThrow(expr, start);
    } catch (error) {
      if (!(error instanceof Unprovable) || error.expression !== '') throw error;
      const { loc } = expr;
      throw new Unprovable(error.message, loc.text, `${loc.file}:${loc.row}`);
    }
  }

  *#expressionOrThrow(expr: Expr, { guard, bindings }: Solution): Generator<Solution> {
    const { formulas: f, comparing } = this.#settings;
    if (expr.with.length > 0) {
      for (const { guard: given, bodies } of this.#surroundings.under(expr.with, bindings))
        for (const one of bodies.#expressionOrThrow({ ...expr, with: [] }, { guard: f.and(guard, given), bindings }))
          yield { guard: one.guard, bindings: one.bindings };
      return;
    }
    if (expr.negated) {
      const inner = this.solutions([{ ...expr, negated: false }], bindings);
      yield { guard: f.and(guard, f.not(f.or(...[...inner].map((solution) => solution.guard)))), bindings };
      return;
    }
    const isTrue = (body: Body, from: Bindings) =>
      f.or(...[...this.solutions(body, from)].map((solution) => solution.guard));
    switch (expr.kind) {
      case 'term':
        for (const one of this.#terms.bound(expr.term, bindings))
          yield { guard: f.and(guard, one.guard, comparing.holds(one.value)), bindings: one.bindings };
        return;
      case 'call':
        for (const one of this.#surroundings.call(expr, bindings))
          yield { guard: f.and(guard, one.guard), bindings: one.bindings };
        return;
      case 'every':
        yield { guard: f.and(guard, this.#every(expr, bindings)), bindings };
        return;
      case 'not':
        yield { guard: f.and(guard, f.not(isTrue(expr.body, bindings))), bindings };
        return;
      case 'and':
        yield { guard: f.and(guard, isTrue(expr.lhs, bindings), isTrue(expr.rhs, bindings)), bindings };
        return;
      case 'or':
        yield { guard: f.and(guard, f.or(isTrue(expr.lhs, bindings), isTrue(expr.rhs, bindings))), bindings };
        return;
      default:
        throw new Unprovable('an expression of this kind');
    }
  }

  #every({ domain, key, value, body }: EveryExpr, bindings: Bindings): Formula {
    const { formulas: f } = this.#settings;
    const parts: Formula[] = [];
    for (const { guard, value: collection } of this.#terms.values(domain, bindings)) {
      const all = this.#members.entries(collection).map((entry) => {
        let inner = bindings.with(value.name, entry.value);
        if (key !== undefined) inner = inner.with(key.name, entry.key);
        return f.or(f.not(entry.guard), ...[...this.solutions(body, inner)].map((solution) => solution.guard));
      });
      parts.push(f.and(guard, this.#members.isCollection(collection), ...all));
    }
    return f.or(...parts);
  }
}
