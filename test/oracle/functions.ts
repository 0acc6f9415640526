/** Calls of built-ins, of functions of policies, and of their replacements. */

import type { Term } from '../../compiler/ast/nodes.js';
import type { Builtin } from '../../values/builtins/builtin.js';
import type { BuiltinContext } from '../../values/builtins/builtin-context.js';
import { BuiltinError } from '../../values/builtins/builtin-errors.js';
import { readersOf, readOperands } from '../../values/builtins/read-operands.js';
import type { Value } from '../../values/value.js';
import type { Documents } from './documents.js';
import type { Environment } from './evaluation.js';
import { operatorName } from './names.js';

export class Functions {
  readonly #documents: Documents;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #context: BuiltinContext;

  constructor(documents: Documents, builtins: ReadonlyMap<string, Builtin>, context: BuiltinContext) {
    this.#documents = documents;
    this.#builtins = builtins;
    this.#context = context;
  }

  arity(operator: readonly Term[]): number {
    const rules = this.#rulesOf(operator);
    return rules ? rules[0]!.args!.length : this.#builtin(operator).args.length;
  }

  #rulesOf(operator: readonly Term[]) {
    const [head, ...path] = operator;
    return head?.type === 'var' && head.name === 'data' ? this.#documents.functionAt(path) : undefined;
  }

  /** Whether a path names a function. */
  isFunction(operator: readonly Term[]): boolean {
    return this.#rulesOf(operator) !== undefined || this.#builtins.has(operatorName(operator));
  }

  apply(operator: readonly Term[], operands: readonly Value[], environment: Environment): readonly Value[] {
    const mock = environment.mocks.get(operatorName(operator));
    if (mock === undefined) return this.#applyFunction(operator, operands, environment);
    if ('value' in mock) return [mock.value];
    // A replacement may call the function that it replaces.
    const inside = { ...environment, mocks: new Map() };
    if (this.isFunction(mock.path)) return this.#applyFunction(mock.path, operands, inside);
    const [, ...path] = mock.path;
    return this.#documents.values(path, inside, new Map()).map(({ value }) => value);
  }

  #applyFunction(operator: readonly Term[], operands: readonly Value[], environment: Environment): readonly Value[] {
    const rules = this.#rulesOf(operator);
    if (!rules) return this.#call(this.#builtin(operator), operands);
    const value = this.#documents.complete(rules, operands, environment);
    return value === undefined ? [] : [value];
  }

  #builtin(operator: readonly Term[]): Builtin {
    const found = this.#builtins.get(operatorName(operator));
    if (!found) throw new Error(`there is no function ${operatorName(operator)}`);
    return found;
  }

  /** Errors of built-ins are undefined. */
  #call({ args, body, relation, result: type }: Builtin, operands: readonly Value[]): readonly Value[] {
    try {
      const result = body(...readOperands(readersOf(args), operands, this.#context), this.#context);
      if (type === undefined) return [true];
      if (result === undefined) return [];
      return relation ? (result as readonly Value[]) : [result];
    } catch (error) {
      if (error instanceof BuiltinError) return [];
      throw error;
    }
  }
}
