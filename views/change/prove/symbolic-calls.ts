/** Calls over an unknown input: of built-ins, and of functions by their rules. */

import type { CallExpr, Compiled, CompiledRule, RefTerm, Rule, RuleTree, Term } from '../../../compiler/index.js';
import { elseChain, functionName, isRoot, keyOfTerm } from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import { Bindings, type Solution } from './bindings.js';
import { aggregate } from './builtins/aggregates.js';
import { arrayOperation, setOperation } from './builtins/collection-operations.js';
import { relationResults } from './builtins/free-calls.js';
import { objectOperation } from './builtins/object-operations.js';
import { builtinResult, builtinTest } from './builtins/symbolic-builtins.js';
import type { Formula } from './formulas.js';
import type { KnownCalls } from './known-calls.js';
import type { SymbolicMembers } from './symbolic-members.js';
import type { SymbolicTerms } from './symbolic-terms.js';
import { type Guarded, known, type SymbolicSettings, type SymbolicValue } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** The most calls of functions: rules that take more are not proved. */
const mostCalls = 20_000;

export interface RulesSettings extends SymbolicSettings {
  readonly calls: KnownCalls;
}

/** The solutions of parameters with which each body of a function starts. */
export type Starts = ReadonlyMap<CompiledRule, ReadonlyMap<Rule, readonly Solution[]>>;

/** Gives the values of a function's rules. */
export type ApplyRules = (rules: readonly CompiledRule[], starts: Starts, reached: Formula) => readonly Guarded[];

/** In the place of a function: another one, or the result of all calls. */
export type FunctionReplacement = RefTerm | { readonly constant: SymbolicValue };

export class SymbolicCalls {
  readonly #compiled: Compiled;
  readonly #settings: RulesSettings;
  readonly #members: SymbolicMembers;
  readonly #terms: SymbolicTerms;
  /** Functions and values in the place of functions. */
  readonly #replaced: ReadonlyMap<string, FunctionReplacement>;
  readonly #apply: ApplyRules;
  #calls = 0;

  constructor(
    compiled: Compiled,
    settings: RulesSettings,
    { members, terms }: { readonly members: SymbolicMembers; readonly terms: SymbolicTerms },
    replaced: ReadonlyMap<string, FunctionReplacement>,
    apply: ApplyRules,
  ) {
    this.#compiled = compiled;
    this.#settings = settings;
    this.#members = members;
    this.#terms = terms;
    this.#replaced = replaced;
    this.#apply = apply;
  }

  *call(expr: CallExpr, bindings: Bindings): Generator<Solution> {
    const { args } = expr;
    let { operator } = expr;
    let name = functionName(operator) ?? '';
    const other = this.#replaced.get(name);
    if (other !== undefined && 'constant' in other) {
      const arity = this.#arityOf(name, operator.terms);
      const output = args.length > arity ? args.at(-1) : undefined;
      const result = { guard: this.#settings.formulas.yes, value: other.constant };
      for (const operands of this.#terms.operands(args.slice(0, arity), bindings))
        yield* this.#finished(result, operands.guard, output, bindings);
      return;
    }
    if (other !== undefined) {
      operator = other;
      name = functionName(other) ?? '';
    }
    if (name === 'eq' && args.length === 2) {
      yield* this.#terms.unify(args[0]!, args[1]!, bindings);
      return;
    }
    if (name === 'internal.print' || name === 'print') {
      yield { guard: this.#settings.formulas.yes, bindings };
      return;
    }
    const functionRules = this.#functionRules(operator.terms);
    const arity = this.#arityOf(name, operator.terms);
    const output = args.length > arity ? args.at(-1) : undefined;
    for (const operands of this.#terms.operands(args.slice(0, arity), bindings)) {
      const row = functionRules === undefined ? this.#compiled.builtins.get(name) : undefined;
      if (row?.relation === true) {
        for (const result of relationResults(row, operands.values, this.#settings))
          yield* this.#finished(result, operands.guard, output, bindings);
        continue;
      }
      const results =
        functionRules === undefined
          ? this.#builtin(name, operands.values)
          : this.#applied(
              functionRules,
              operands.values,
              this.#settings.formulas.and(bindings.reached, operands.guard),
            );
      for (const { guard, value } of this.#members.once(results))
        yield* this.#finished({ guard, value }, operands.guard, output, bindings);
    }
  }

  *#finished(
    { guard, value }: Guarded,
    given: Formula,
    output: Term | undefined,
    bindings: Bindings,
  ): Generator<Solution> {
    const { formulas: f, comparing } = this.#settings;
    const both = f.and(given, guard);
    if (output === undefined) yield { guard: f.and(both, comparing.holds(value)), bindings };
    else
      for (const one of this.#terms.matched(output, value, bindings))
        yield { guard: f.and(both, comparing.isThere(value), one.guard), bindings: one.bindings };
  }

  #arityOf(name: string, terms: readonly Term[]): number {
    const functionRules = this.#functionRules(terms);
    const arity = functionRules?.[0]?.rule.head.args?.length ?? this.#compiled.builtins.get(name)?.args.length;
    if (arity === undefined) throw new Unprovable(`the function ${name} is not known`);
    return arity;
  }

  #builtin(name: string, operands: readonly SymbolicValue[]): readonly Guarded[] {
    const entriesOf = (value: SymbolicValue) => this.#members.entries(value);
    const row = this.#compiled.builtins.get(name);
    if (row !== undefined && operands.length > 0 && operands.every(({ type }) => type === 'known')) {
      const values = operands.map((operand) => (operand as { readonly value: Value }).value);
      const result = this.#settings.calls.result(row, values);
      if (result !== undefined)
        return result.value === undefined ? [] : [{ guard: this.#settings.formulas.yes, value: known(result.value) }];
    }
    const found = builtinTest(name, operands, this.#settings, entriesOf);
    if (found !== undefined) return [{ guard: this.#settings.formulas.yes, value: { type: 'truth', formula: found } }];
    return (
      setOperation(name, operands, this.#settings, entriesOf) ??
      arrayOperation(name, operands, this.#settings) ??
      objectOperation(name, operands, this.#settings, entriesOf) ??
      aggregate(name, operands, this.#settings, entriesOf) ??
      builtinResult(name, operands, this.#settings, entriesOf, row)
    );
  }

  #functionRules(terms: readonly Term[]): readonly CompiledRule[] | undefined {
    const [head, ...keys] = terms;
    if (!isRoot(head, 'data')) return undefined;
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const key of keys) node = node?.children.get(keyOfTerm(key) ?? '');
    return node === undefined || node.rules.length === 0 ? undefined : node.rules;
  }

  #applied(rules: readonly CompiledRule[], operands: readonly SymbolicValue[], reached: Formula): readonly Guarded[] {
    if (++this.#calls > mostCalls) throw new Unprovable('there are too many calls of functions');
    const starts = new Map(
      rules.map((compiled) => {
        const links = [...elseChain(compiled.rule)].map((link) => [link, this.#parameters(link, operands)] as const);
        return [compiled, new Map(links)] as const;
      }),
    );
    return this.#apply(rules, starts, reached);
  }

  #parameters({ head }: Rule, operands: readonly SymbolicValue[]): readonly Solution[] {
    const { formulas: f } = this.#settings;
    let solutions: readonly Solution[] = [{ guard: f.yes, bindings: Bindings.empty(f.yes) }];
    for (const [i, param] of (head.args ?? []).entries())
      solutions = solutions.flatMap(({ guard, bindings }) =>
        [...this.#terms.matched(param, operands[i]!, bindings)].map((one) => ({
          guard: f.and(guard, one.guard),
          bindings: one.bindings,
        })),
      );
    return solutions;
  }

  /** Whether a term names a function of rules, or a built-in. */
  isCallable(target: Term): target is RefTerm {
    if (target.type !== 'ref') return false;
    return this.isFunction(target) || this.#compiled.builtins.get(functionName(target) ?? '') !== undefined;
  }

  /** Whether a term names a function of rules. */
  isFunction(target: Term): boolean {
    return target.type === 'ref' && this.#functionRules(target.terms)?.[0]?.rule.head.args !== undefined;
  }
}
