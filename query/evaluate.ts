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

import type { Body, Module, Term, With } from '../compiler/ast/nodes.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import type { BuiltinContext } from '../runtime/builtins/context.js';
import { HaltError } from '../runtime/builtins/errors.js';
import { makeObject } from '../runtime/values/compare.js';
import { RegoSet } from '../runtime/values/set.js';
import type { Value } from '../runtime/values/value.js';
import { noteCaptures } from './captures.js';
import { Documents } from './documents.js';
import {
  type Bindings,
  type Combination,
  Conflict,
  type Evaluation,
  OutOfSteps,
  Unbound,
  unbound,
  type Valued,
  type World,
} from './evaluation.js';
import { Expressions } from './expressions.js';
import { Functions } from './functions.js';
import { resolveBody } from './names.js';
import { type Program, resolveModules } from './rules.js';
import { FreshNames, Scope, writtenName } from './scope.js';
import { Terms } from './terms.js';
import { Unifier } from './unify.js';
import { worldsOf } from './worlds.js';

interface QueryInput {
  readonly input: Value | undefined;
  readonly data: Value;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: BuiltinContext;
  /** The maximum number of steps. */
  readonly steps?: number;
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
  noteCaptures(body, [], new Set(), program.captures);
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
  #steps: number;
  #mixed = false;

  constructor(program: Program, { builtins, context, steps = 200_000 }: QueryInput) {
    this.program = program;
    this.#steps = steps;
    this.#terms = new Terms(this, this.#documents);
    this.#expressions = new Expressions(this, this.#unifier);
    this.#functions = new Functions(this.#documents, builtins, context);
  }

  step(): void {
    if (--this.#steps < 0) throw new OutOfSteps();
  }

  solutions(body: Body, world: World, bindings: Bindings): readonly Bindings[] {
    return this.#expressions.solutions(body, world, bindings);
  }

  values(term: Term, world: World, bindings: Bindings): readonly Valued[] {
    if (term.type !== 'arraycomprehension') return this.#terms.values(term, world, bindings);
    const around = this.#mixed;
    this.#mixed = false;
    const found = this.#terms.values(term, world, bindings);
    if (this.#mixed && found.some(({ value }) => (value as readonly Value[]).length > 1)) this.isOrdered = false;
    this.#mixed = around;
    return found;
  }

  worlds(modifiers: readonly With[], world: World, bindings: Bindings): readonly { readonly world: World; readonly bindings: Bindings }[] {
    return worldsOf(modifiers, world, bindings, this, this.#functions);
  }

  combinations(terms: readonly Term[], world: World, bindings: Bindings): readonly Combination[] {
    const values = new Array<Value>(terms.length);
    const rest = terms.map((term, i) => ({ term, i }));
    return this.#combine(rest, values, world, bindings, 0);
  }

  /** Takes the first term that can be evaluated; other terms may need its bindings. */
  #combine(
    rest: readonly { readonly term: Term; readonly i: number }[],
    values: readonly Value[],
    world: World,
    bindings: Bindings,
    loops: number,
  ): readonly Combination[] {
    if (rest.length === 0) return [{ values, bindings }];
    for (const [at, { term, i }] of rest.entries()) {
      let found: readonly Valued[];
      try {
        found = this.values(term, world, bindings);
      } catch (error) {
        if (error instanceof Unbound) continue;
        throw error;
      }
      const more = loops + (found.length > 1 ? 1 : 0);
      if (more > 1) this.noteMixed();
      return found.flatMap((each) => this.#combine(rest.toSpliced(at, 1), values.with(i, each.value), world, each.bindings, more));
    }
    throw unbound;
  }

  match(term: Term, value: Value, world: World, bindings: Bindings): readonly Bindings[] {
    return this.#unifier.match(term, value, world, bindings);
  }

  apply(operator: readonly Term[], operands: readonly Value[], world: World): readonly Value[] {
    return this.#functions.apply(operator, operands, world);
  }

  arity(operator: readonly Term[]): number {
    return this.#functions.arity(operator);
  }

  noteMixed(): void {
    this.#mixed = true;
  }
}
