/** Rules of one document, compiled when they are first evaluated. */

import type { Rule, Term } from '../../compiler/ast/nodes.js';
import type { Span } from '../../compiler/source/location.js';
import type { Value } from '../../values/value.js';
import type { Compiling, Match, Step } from './compiling.js';
import type { DirectFrame } from './run.js';
import { Scope } from './scope.js';
import { match } from './terms.js';

/** A rule, or an `else` of it. */
interface Link {
  readonly loc: Span;
  readonly parameters: readonly { readonly position: number; readonly match: Match }[];
  readonly step: Step;
}

/** A rule with its `else` chain. */
export class Chain {
  readonly #first: Rule;
  readonly #compile: (rule: Rule, scope: Scope) => Step;
  readonly #links: Link[] = [];

  /** @param compile compiles the body of a link, and the use of its solutions */
  constructor(first: Rule, compile: (rule: Rule, scope: Scope) => Step) {
    this.#first = first;
    this.#compile = compile;
  }

  /** Evaluates the links up to the first one with a solution. */
  evaluate(frame: DirectFrame, args: readonly Value[]): void {
    frame.hasSolution = false;
    let i = 0;
    for (let rule: Rule | undefined = this.#first; rule !== undefined && !frame.hasSolution; rule = rule.else) {
      frame.run.count();
      frame.at = rule.loc;
      // Each link numbers its slots from 0.
      frame.memory.length = 0;
      const { parameters, step } = (this.#links[i++] ??= this.#link(rule));
      if (parameters.every(({ position, match: matches }) => matches(frame, args[position]!))) step(frame);
    }
  }

  /** Variables are bound first: a pattern may name one of them. A default has variables only. */
  #link(rule: Rule): Link {
    const scope = new Scope();
    const terms = (this.#first.head.args ?? []).map((term, position) => ({ term, position }));
    const isVariable = ({ term }: { readonly term: Term }) => term.type === 'var';
    const patterns = rule.default ? [] : terms.filter((one) => !isVariable(one));
    const ordered = [...terms.filter(isVariable), ...patterns];
    const parameters = ordered.map(({ term, position }) => ({ position, match: match(term, scope) }));
    return { loc: rule.loc, parameters, step: this.#compile(rule, scope) };
  }
}

/** The body of a rule with its guards first, and the use of its solutions. */
export function linkBody(compiling: Compiling, rule: Rule, known: readonly Term[], scope: Scope, end: () => Step): Step {
  const body = rule.default ? rule.body : compiling.program.index.bodyOf(rule.body, known, 0, undefined);
  return compiling.body(body, scope, end);
}
