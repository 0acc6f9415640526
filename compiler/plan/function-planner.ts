/** Plans one function's body with the parts of the planner. */
import type { Operand } from '../../ir-schema/index.js';
import type { Body, RefTerm, Term } from '../ast/nodes.js';
import type { Span } from '../source/location.js';
import { dataLocal, Emitter, inputLocal, local } from './emit/emit.js';
import type { Statics } from './emit/statics.js';
import type { Environment } from './environment.js';
import { planBody, planRuleBody } from './expressions/plan-expressions.js';
import { planTerm } from './expressions/plan-terms.js';
import { planMatch, planUnify } from './expressions/plan-unification.js';
import { planRef } from './expressions/refs.js';
import type { Functions, Planning } from './planning.js';

export class FunctionPlanner implements Planning {
  readonly e: Emitter;
  readonly functions: Functions;
  readonly replacementValues = new Map<number, Operand>();
  /** Input, data, the environment's parameters, then the function's own arguments. */
  readonly params: readonly number[];
  /** The locals of the function's own arguments. */
  readonly args: readonly number[];
  environment: Environment;

  /** A function of `arity` arguments under an environment. */
  constructor(functions: Functions, statics: Statics, environment: Environment, arity: number) {
    this.functions = functions;
    this.environment = environment;
    this.e = new Emitter(statics, functions.localNumbers(), functions.isNoted);
    const replaced = environment.parameters.map(({ id }) => [id, this.e.newLocal()] as const);
    for (const [id, parameter] of replaced) this.replacementValues.set(id, local(parameter));
    this.args = Array.from({ length: arity }, () => this.e.newLocal());
    this.params = [inputLocal, dataLocal, ...replaced.map(([, parameter]) => parameter), ...this.args];
  }

  get isRepeated(): boolean {
    return this.e.isInLoop || this.args.length > 0;
  }

  readonly #numbers = new Map<number, string>();

  term(term: Term): Operand {
    const operand = planTerm(this, term);
    if (term.type === 'number' && operand.type === 'local') this.#numbers.set(operand.value, term.text);
    return operand;
  }

  numberKey(operand: Operand): string | undefined {
    return operand.type === 'local' ? this.#numbers.get(operand.value) : undefined;
  }

  ref(ref: RefTerm): Operand {
    return planRef(this, ref);
  }

  body(body: Body): void {
    planBody(this, body);
  }

  ruleBody(body: Body, args: readonly Term[], afterGuards?: () => void): void {
    planRuleBody(this, body, args, afterGuards);
  }

  unify(a: Term, b: Term, span: Span): void {
    planUnify(this, a, b, span);
  }

  match(term: Term, operand: Operand, span: Span): void {
    planMatch(this, term, operand, span);
  }
}
