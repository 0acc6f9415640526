/** Generated functions, as they are called. */

import type { Value } from '../../values/index.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';
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
 * A part of a function that was split. Its operands are the shared registers (`part-sharing.ts`),
 * and as the last one the values of its form.
 */
export type GeneratedPart = (activation: Activation, ...operands: unknown[]) => Register | typeof goOn;

/** A rule of a dispatch, and the next rule with the same constant. */
export interface DispatchedRule {
  /** Undefined until the rule is compiled. */
  part: GeneratedPart | undefined;
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

/**
 * A rule that a dynamic call can find: its path in `data`, its function or its constant as in
 * `Program.paths`, the number of its parameters.
 */
export type RulePath = readonly [path: readonly string[], found: number, params: number];

/** The rules at a path in `data` and below it. */
class RulePaths {
  readonly #below = new Map<unknown, RulePaths>();
  /** The number of parameters of the rule here; -1 where there is none. */
  params = -1;
  /** The value of a rule that only returns a constant; null is the result of `call`. */
  constant: Value | undefined = undefined;
  call: Generated = () => undefined;

  /** The paths one segment below; only strings have some. */
  at(key: Register): RulePaths | undefined {
    return this.#below.get(key);
  }

  /** The rules below a path, which are added if there are none. */
  under(path: readonly string[]): RulePaths {
    let end: RulePaths = this;
    for (const key of path) {
      let next = end.#below.get(key);
      if (next === undefined) end.#below.set(key, (next = new RulePaths()));
      end = next;
    }
    return end;
  }
}

/** The rules at a path of constants and below it, for a dynamic call. */
export type DynamicCalls = (path: readonly string[]) => RulePaths;

/** @param rules are read when a function with a dynamic call is compiled */
export function dynamicCalls(
  functions: GeneratedFunctions,
  constants: readonly Value[],
  rules: () => readonly RulePath[],
): DynamicCalls {
  let root: RulePaths | undefined;
  const read = (): RulePaths => {
    const paths = new RulePaths();
    for (const [path, found, params] of rules()) {
      const rule = paths.under(path);
      rule.params = params;
      if (found < 0) {
        const value = constants[-1 - found]!;
        rule.constant = value;
        rule.call = () => value;
      } else rule.call = (x, ...args) => (rule.call = functions.at(found)!)(x, ...args);
    }
    return paths;
  };
  return (above) => (root ??= read()).under(above);
}
