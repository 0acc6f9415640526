/**
 * The events of a partial evaluation. Known expressions are evaluated by the search of other
 * traces, on the same machine; saved ones are shown with the variables of their rule.
 */

import type { CompiledRule, Expr, Span, Term, VarTerm, VirtualDocument } from '../../../compiler/index.js';
import { callExpr, operatorRef, termExpr, varTerm } from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { tracedExpression } from '../trace/expression-events.js';
import { matchedRules } from '../trace/matched-rules.js';
import type { TracedSearch } from '../trace/traced-search.js';
import { reportUnify } from '../trace/unification-events.js';
import type { TracedQuery } from '../tracer.js';
import type { ResidualNames } from './residual/names.js';
import { Substitution } from './residual/substitute.js';
import { isOpen, type Symbolic } from './symbolic.js';
import type { Unknowns } from './unknowns.js';

interface RuleSteps {
  readonly isBound: () => boolean;
  readonly evaluate: (then: Step) => Next;
  readonly leave: Step;
}

export class PartialTrace {
  readonly known: TracedSearch;
  readonly #unknowns: Unknowns;

  constructor(known: TracedSearch, unknowns: Unknowns) {
    this.known = known;
    this.#unknowns = unknowns;
  }

  /** The query whose body is evaluated. */
  get query(): TracedQuery {
    return this.known.machine.place.query;
  }

  /** The body that the evaluation was made for. */
  solve(evaluate: (found: Step) => Next, then: Step): Next {
    const { known } = this;
    known.report('enter');
    return evaluate(this.#exits(then));
  }

  /** A body inside an expression is a query of its own. */
  enterInner(): void {
    const { machine } = this.known;
    machine.place = { ...machine.place, query: this.known.newQuery(machine.place.query) };
  }

  /** An expression of which nothing is open. */
  knownExpression(expr: Expr, index: number, query: TracedQuery, frame: Frame, then: Step): Next {
    return tracedExpression(this.known, expr, { query, index }, frame, then);
  }

  /** @param evaluate evaluates the expression partially */
  openExpression(
    expr: Expr,
    { query, index }: { readonly query: TracedQuery; readonly index: number },
    frame: Frame,
    evaluate: (found: Step) => Next,
    then: Step,
  ): Next {
    const { known } = this;
    const { machine } = known;
    const place = { query, node: { type: 'expr', expr, index } as const, frame, at: expr.loc };
    machine.place = place;
    known.report('eval');
    let holds = false;
    machine.onBacktrack('expr', () => {
      if (!holds) known.report('fail');
    });
    const isNegation = expr.negated || expr.kind === 'not';
    const isSavedTerm = expr.kind === 'term' && expr.term.type === 'ref' && this.#unknowns.includes(expr.term.terms);
    return evaluate(() => {
      holds = true;
      machine.place = place;
      if (!isNegation) machine.onBacktrack('expr', () => known.report(isSavedTerm ? 'fail' : 'redo'));
      return then;
    });
  }

  /** A rule in its search: it fails where its head cannot have what is asked for. */
  rule(compiled: CompiledRule, document: VirtualDocument, frame: Frame, { isBound, evaluate, leave }: RuleSteps): Next {
    const { known } = this;
    const { machine } = known;
    const called = machine.place;
    const { rule } = compiled;
    const node = { type: 'rule', rule, compiled, document } as const;
    machine.place = { query: known.newQuery(called.query), node, frame, at: rule.loc };
    known.report('enter');
    if (!isBound()) {
      known.report('fail');
      return machine.fail();
    }
    return evaluate(
      this.#exits(() => {
        machine.place = called;
        return leave();
      }),
    );
  }

  /** At the place of now. */
  #exits(then: Step): Step {
    const { known } = this;
    const { machine } = known;
    const { place } = machine;
    return () => {
      machine.place = place;
      known.report('exit');
      machine.onBacktrack('query', () => known.report('redo'));
      return then;
    };
  }

  /** The rules of a document that the rule index finds, and its default. */
  rulesOf(document: VirtualDocument, args: readonly Symbolic[]): readonly CompiledRule[] {
    const given = args.map((arg): Value | undefined => (isOpen(arg) ? undefined : arg));
    const { rules } = matchedRules(this.known, document, given, this.#unknowns);
    const defaults = this.known.program.index.rulesOf(document).filter(({ rule }) => rule.default);
    return [...rules.map(({ compiled }) => compiled), ...defaults];
  }

  /** Two operands of an expression are made equal. */
  unify(a: Term, b: Term, frame: Frame): void {
    if (this.known.tracer.wantsUnify) reportUnify(this.known, { term: a, frame }, { term: b, frame });
  }

  /** The value that rules have for an operand is made equal to the other one. */
  unifyValue(value: Value, term: Term, frame: Frame): void {
    if (this.known.tracer.wantsUnify) reportUnify(this.known, { value }, { term, frame });
  }

  /** The value of a term has a variable of its own, which no author can write. */
  termVariable(loc: Span): VarTerm {
    const { query, node } = this.known.machine.place;
    return varTerm(loc, `$_term_${query.id}_${node.type === 'expr' ? node.index : 0}`);
  }

  /** A term has a value. */
  bindTerm(variable: VarTerm, value: Value, frame: Frame): void {
    this.unifyValue(value, variable, frame);
    this.known.machine.bind(frame, variable.name, value);
  }

  /** An expression was saved: a term with a variable for its value, as in the reference. */
  save(expr: Expr, index: number, names: ResidualNames): void {
    const shown = new Substitution((name) => names.written(name)).expr({ ...expr, generated: false });
    if (shown.kind !== 'term' || shown.negated) return this.#reportSave(shown, index);
    const variable = this.termVariable(shown.loc);
    this.#reportSave(callExpr(shown.loc, operatorRef(shown.loc, 'eq'), [shown.term, variable]), 0);
    this.#reportSave(termExpr(shown.loc, variable), 0);
  }

  #reportSave(expr: Expr, index: number): void {
    const { machine } = this.known;
    const { place } = machine;
    machine.place = { ...place, node: { type: 'expr', expr, index } };
    this.known.report('save');
    machine.place = place;
  }
}
