/** Generated functions, as they are called. */
import type { DispatchConstant } from '../operations/dispatch-key.js';
import { pathKey } from '../values/path-key.js';
import type { Value } from '../values/value.js';
import type { Activation } from './activation.js';
import type { goOn } from './support.js';

type Register = Value | undefined;

/** A generated function: undefined is its result where it has none. */
export type Generated = (activation: Activation, ...args: Register[]) => Register;

/** The functions of a program by number: an array, or a compiler of each at its first use. */
export interface GeneratedFunctions {
  readonly length: number;
  at(index: number): Generated | undefined;
  /** The function that returns a plan's value of `result`, if there is one. */
  decision?(plan: number): Generated | undefined;
}

/**
 * A part of a function that was split. Its operands are the shared registers (see `parts.ts`),
 * and as the last one the values of its form.
 */
export type Part = (activation: Activation, ...operands: unknown[]) => Register | typeof goOn;

/** A rule of a dispatch, and the next rule with the same constant. */
export interface DispatchedRule {
  /** Undefined until the rule is compiled. */
  part: Part | undefined;
  /** The rule's own constants and places: rules of one form share a part. */
  values: readonly unknown[];
  readonly next: DispatchedRule | undefined;
}

/** The rules of a dispatch by their constants. */
export class RuleTable {
  readonly #rules = new Map<DispatchConstant, DispatchedRule>();
  readonly #compile: (rule: DispatchedRule) => void;

  /** @param rules constants with the compilers of their rules, in order */
  constructor(rules: readonly (readonly [DispatchConstant, () => Omit<DispatchedRule, 'next'>])[]) {
    const makers = new Map<DispatchedRule, () => Omit<DispatchedRule, 'next'>>();
    for (const [constant, make] of rules.toReversed()) {
      const rule: DispatchedRule = { part: undefined, values: [], next: this.#rules.get(constant) };
      makers.set(rule, make);
      this.#rules.set(constant, rule);
    }
    this.#compile = (rule) => {
      Object.assign(rule, makers.get(rule)!());
      makers.delete(rule);
    };
  }

  /** The first rule of a key (see `dispatchKey`), ready to run. */
  get(value: DispatchConstant): DispatchedRule | undefined {
    const first = this.#rules.get(value);
    return first === undefined || first.part !== undefined ? first : this.#ready(first);
  }

  #ready(first: DispatchedRule): DispatchedRule {
    for (let rule: DispatchedRule | undefined = first; rule !== undefined; rule = rule.next) this.#compile(rule);
    return first;
  }
}

/** A call of a rule by its path in `data`. */
export type DynamicCall = (x: Activation, path: readonly Register[], args: readonly Register[]) => Register;

/**
 * @param paths functions by path, see `pathKey`
 * @param params the number of each function's parameters
 */
export function dynamicCall(functions: GeneratedFunctions, paths: ReadonlyMap<string, number>, params: readonly number[]): DynamicCall {
  return (x, path, args) => {
    if (!path.every((key) => typeof key === 'string')) return undefined;
    const index = paths.get(pathKey(path as string[]));
    return index === undefined || params[index] !== args.length ? undefined : functions.at(index)!(x, ...args);
  };
}
