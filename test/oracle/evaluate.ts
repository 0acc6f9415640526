/**
 * Evaluates queries on syntax trees by bindings and backtracking, without plans, caches or
 * shortcuts. It is slow, and simple enough to serve as a reference for plans.
 *
 * A planning engine may differ in these ways. It skips bodies that the rule index excludes, stops
 * at the first value that decides a question, and looks up a single key of an object. So it may not
 * reach a conflict that this evaluator finds. Conversely, it evaluates the calls of an expression
 * before the rest, so it may reach a conflict where this evaluator has already found another part
 * undefined. The order of an array comprehension's elements is defined only if a single expression
 * at a time iterates: see `isOrdered`.
 */

import type { Body, Module, Term, With } from '../../compiler/ast/nodes.js';
import type { Builtin } from '../../values/builtins/builtin.js';
import type { BuiltinContext } from '../../values/builtins/builtin-context.js';
import { HaltError } from '../../values/builtins/builtin-errors.js';
import { makeObject } from '../../values/compare.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { collectCaptures } from './captures.js';
import { Documents } from './documents.js';
import { environmentsOf } from './environments.js';
import {
  BadPath,
  type Bindings,
  type Combination,
  Conflict,
  type Environment,
  type Evaluation,
  OutOfSteps,
  type TermValue,
  Unbound,
  unbound,
} from './evaluation.js';
import { Expressions } from './expressions.js';
import { Functions } from './functions.js';
import { resolveBody } from './names.js';
import { type Program, resolveModules } from './rules.js';
import { FreshNames, Scope, writtenName } from './scope.js';
import { Terms } from './terms.js';
import { Unifier } from './unify.js';

interface QueryInput {
  readonly input: Value | undefined;
  readonly data: Value;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: BuiltinContext;
  /** The maximum number of steps. */
  readonly steps?: number;
  /**
   * Expressions with a `with` where no document can be are undefined, not errors: an evaluation
   * without an error has come to none of them, so that its answer does not depend on what they are.
   */
  readonly passesBadPaths?: boolean;
}

export type QueryAnswer =
  /** Each solution is an object of the query's variables by their source names. */
  | { readonly kind: 'solutions'; readonly solutions: RegoSet; readonly isOrdered: boolean }
  | { readonly kind: 'error'; readonly message: string }
  /** The evaluation exceeds the maximum number of steps. */
  | { readonly kind: 'unknown' };

/**
 * Answers a query over parsed modules.
 *
 * @example evaluateQuery([parseModule('p.rego', 'package p\nq := 1')], parseQuery('x := data.p.q'),
 * options)
 */
export function evaluateQuery(modules: Iterable<Module>, query: Body, given: QueryInput): QueryAnswer {
  const program = resolveModules(modules, given.builtins);
  const { body } = resolveBody(query, new Scope({ paths: new Map(), builtins: given.builtins }, new FreshNames()));
  collectCaptures(body, [], new Set(), program.captures);
  const { input, data } = given;
  const evaluator = new Evaluator(program, given);
  try {
    const found = evaluator.solutions(body, { input, data, replaced: new Set(), mocks: new Map() }, new Map());
    return { kind: 'solutions', solutions: new RegoSet(found.map(written)), isOrdered: evaluator.isOrdered };
  } catch (error) {
    if (error instanceof OutOfSteps) return { kind: 'unknown' };
    if (error instanceof Conflict || error instanceof HaltError) return { kind: 'error', message: error.message };
    throw error;
  }
}

function written(bindings: Bindings): Value {
  return makeObject([...bindings].filter(([name]) => !name.startsWith('$')).map(([name, value]) => [writtenName(name), value] as const));
}

class Evaluator implements Evaluation {
  readonly program: Program;
  isOrdered = true;
  readonly #expressions: Expressions;
  readonly #unifier = new Unifier(this);
  readonly #documents: Documents = new Documents(this, () => this.#terms);
  readonly #terms: Terms;
  readonly #functions: Functions;
  readonly #passesBadPaths: boolean;
  #steps: number;
  #unordered = false;

  constructor(program: Program, { builtins, context, steps = 200_000, passesBadPaths = false }: QueryInput) {
    this.program = program;
    this.#steps = steps;
    this.#passesBadPaths = passesBadPaths;
    this.#terms = new Terms(this, this.#documents);
    this.#expressions = new Expressions(this, this.#unifier);
    this.#functions = new Functions(this.#documents, builtins, context);
  }

  step(): void {
    if (--this.#steps < 0) throw new OutOfSteps();
  }

  solutions(body: Body, environment: Environment, bindings: Bindings): readonly Bindings[] {
    return this.#expressions.solutions(body, environment, bindings);
  }

  values(term: Term, environment: Environment, bindings: Bindings): readonly TermValue[] {
    if (term.type !== 'arraycomprehension') return this.#terms.values(term, environment, bindings);
    const enclosing = this.#unordered;
    this.#unordered = false;
    const found = this.#terms.values(term, environment, bindings);
    if (this.#unordered && found.some(({ value }) => (value as readonly Value[]).length > 1)) this.isOrdered = false;
    this.#unordered = enclosing;
    return found;
  }

  environments(
    modifiers: readonly With[],
    environment: Environment,
    bindings: Bindings,
  ): readonly { readonly environment: Environment; readonly bindings: Bindings }[] {
    try {
      return environmentsOf(modifiers, environment, bindings, this, this.#functions);
    } catch (error) {
      if (this.#passesBadPaths && error instanceof BadPath) return [];
      throw error;
    }
  }

  combinations(terms: readonly Term[], environment: Environment, bindings: Bindings): readonly Combination[] {
    const values = new Array<Value>(terms.length);
    const rest = terms.map((term, i) => ({ term, i }));
    return this.#combine(rest, values, environment, bindings, 0);
  }

  /** Takes the first term that can be evaluated; other terms may need its bindings. */
  #combine(
    rest: readonly { readonly term: Term; readonly i: number }[],
    values: readonly Value[],
    environment: Environment,
    bindings: Bindings,
    loops: number,
  ): readonly Combination[] {
    if (rest.length === 0) return [{ values, bindings }];
    for (const [at, { term, i }] of rest.entries()) {
      let found: readonly TermValue[];
      try {
        found = this.values(term, environment, bindings);
      } catch (error) {
        if (error instanceof Unbound) continue;
        throw error;
      }
      const more = loops + (found.length > 1 ? 1 : 0);
      if (more > 1) this.markUnordered();
      return found.flatMap((each) => this.#combine(rest.toSpliced(at, 1), values.with(i, each.value), environment, each.bindings, more));
    }
    throw unbound;
  }

  match(term: Term, value: Value, environment: Environment, bindings: Bindings): readonly Bindings[] {
    return this.#unifier.match(term, value, environment, bindings);
  }

  apply(operator: readonly Term[], operands: readonly Value[], environment: Environment): readonly Value[] {
    return this.#functions.apply(operator, operands, environment);
  }

  arity(operator: readonly Term[]): number {
    return this.#functions.arity(operator);
  }

  markUnordered(): void {
    this.#unordered = true;
  }
}
