/** Early exit: rules that could only repeat a constant that the document has already. */
import { isLiteral } from '../../ast/names.js';
import type { Rule } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import { elseChain } from '../../resolve/links.js';
import { local } from '../emit/emit.js';
import type { FunctionPlanner } from '../function-planner.js';

/** Rules that need no evaluation, since they could only repeat the value of earlier ones. */
export class Settled {
  readonly #p: FunctionPlanner;
  readonly #result: number;
  /** The one constant that a rule and its `else` branches have for a value, as text. */
  readonly #constants: ReadonlyMap<Rule, string | undefined>;
  /** Whether all rules have the same one. */
  readonly #isOne: boolean;
  readonly #before = new Set<string>();

  constructor(p: FunctionPlanner, rules: readonly Rule[], result: number) {
    this.#p = p;
    this.#result = result;
    this.#constants = new Map(rules.map((rule) => [rule, p.functions.earlyExit ? constantOf(rule) : undefined]));
    this.#isOne = new Set(this.#constants.values()).size === 1;
  }

  /**
   * At the start of a rule's block: leaves it where the rules before have the one value that there
   * is.
   */
  start(rule: Rule): void {
    const constant = this.#constants.get(rule);
    if (this.#isOne && constant !== undefined && this.#before.size > 0)
      this.#p.e.emit('IsUndefinedStmt', rule.loc, { source: this.#result });
  }

  /**
   * After the guards: leaves it where a rule before has had the same
   * value.
   */
  check(rule: Rule): void {
    const { e } = this.#p;
    const constant = this.#constants.get(rule);
    if (!this.#isOne && constant !== undefined && this.#before.has(constant))
      e.unless(rule.loc, () =>
        e.emit('EqualStmt', rule.loc, { a: local(this.#result), b: this.#p.term(rule.head.value!) }),
      );
  }

  /** Behind a rule and its `else` branches. */
  end(rule: Rule): void {
    const constant = this.#constants.get(rule);
    if (constant !== undefined) this.#before.add(constant);
  }
}

function constantOf(first: Rule): string | undefined {
  let constant: string | undefined;
  for (const { head } of elseChain(first)) {
    const text = head.value && isLiteral(head.value) ? printTerm(head.value) : undefined;
    if (text === undefined || (constant !== undefined && text !== constant)) return undefined;
    constant = text;
  }
  return constant;
}
