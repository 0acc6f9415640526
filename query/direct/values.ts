/** Rules with one value, and functions. */

import { HaltError } from '../../builtins/builtin-errors.js';
import type { Rule } from '../../compiler/ast/nodes.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import { equal } from '../../values/equal.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import { dispatchOf, type RuleDispatch } from '../rule-dispatch.js';
import { conflictText, memoKey, type RuleFacts, valueRulesOf } from '../rules.js';
import type { Compiling, DirectRules, Get } from './compiling.js';
import { Chain, linkBody } from './link.js';
import { DirectFrame, type DirectRun } from './run.js';
import { Scope } from './scope.js';
import { plain } from './terms.js';

interface OneRule {
  readonly facts: RuleFacts;
  readonly chain: Chain;
}

const noArguments: readonly Value[] = [];

export class DirectValue implements DirectRules {
  readonly #document: VirtualDocument;
  readonly #rules: readonly OneRule[];
  readonly #dispatch: RuleDispatch<OneRule> | undefined;
  readonly #fallback: Chain | undefined;
  readonly #isOne: boolean;

  constructor(compiling: Compiling, document: VirtualDocument) {
    const { index } = compiling.program;
    const { rules, fallback, isOne } = valueRulesOf(index, document);
    this.#document = document;
    this.#isOne = isOne;
    this.#rules = rules.map((facts) => ({ facts, chain: this.#chain(compiling, facts.rule, facts.isConstant) }));
    this.#dispatch = dispatchOf(this.#rules, ({ facts: { rule } }) => ({ rule, body: index.guardedBody(rule) }));
    this.#fallback = fallback && this.#chain(compiling, fallback, true);
  }

  #chain(compiling: Compiling, first: Rule, isConstant: boolean): Chain {
    return new Chain(first, (rule, scope) =>
      linkBody(compiling, rule, first.head.args ?? [], scope, () => this.#end(plain(rule.head.value!, scope), rule, isConstant)),
    );
  }

  /** Takes the value of a solution. */
  #end(value: Get, { loc }: Rule, isConstant: boolean) {
    return (frame: DirectFrame): boolean => {
      const found = value(frame);
      frame.hasSolution = true;
      if (frame.value === undefined) frame.value = found;
      else if (!equal(frame.value, found)) {
        frame.at = loc;
        throw new HaltError('eval_conflict_error', conflictText(this.#document));
      }
      return isConstant;
    };
  }

  known({ environment }: DirectRun): Value | undefined {
    return environment.answersOf(this.#document).get('')?.value;
  }

  whole(run: DirectRun, caller: Frame | DirectFrame): Value | undefined {
    return this.call(run, noArguments, caller);
  }

  call(run: DirectRun, args: readonly Value[], caller: Frame | DirectFrame): Value | undefined {
    const key = memoKey(args);
    const answers = run.environment.answersOf(this.#document);
    const answer = key === undefined ? undefined : answers.get(key);
    if (answer !== undefined) return answer.value;
    const value = this.#evaluate(run, args, caller);
    if (key !== undefined) answers.set(key, { value });
    return value;
  }

  #evaluate(run: DirectRun, args: readonly Value[], caller: Frame | DirectFrame): Value | undefined {
    const frame = new DirectFrame(run, this.#document, caller, this.#document.rules[0]!.rule.loc);
    run.enter(this.#document);
    try {
      const rules = this.#dispatch === undefined ? this.#rules : this.#dispatch.candidates(run.environment.input);
      for (const { facts, chain } of rules) {
        if (facts.repeats && frame.value !== undefined && equal(frame.value, constantOf(facts))) continue;
        chain.evaluate(frame, args);
        if (this.#isOne && frame.hasSolution) break;
      }
      if (frame.value === undefined) this.#fallback?.evaluate(frame, args);
    } catch (error) {
      throw run.failed(frame, error);
    }
    run.leave();
    return frame.value;
  }
}

const constants = new WeakMap<RuleFacts, Value>();
const withoutVariables = new Scope();

function constantOf(facts: RuleFacts): Value {
  let value = constants.get(facts);
  if (value === undefined) constants.set(facts, (value = plain(facts.rule.head.value!, withoutVariables)(undefined as never)));
  return value;
}
