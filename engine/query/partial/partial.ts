/**
 * Partial evaluation: the residual of a query when a part of the input or of the data is unknown.
 * The result is the alternatives under which the query holds, and rules that they refer to.
 */

import type { Body, CompiledQuery, Module, RefTerm, Term, VirtualDocument } from '../../../compiler/index.js';
import { bodyToJson, equalityExpr, moduleToJson, nowhere, varsOf, varTerm } from '../../../compiler/index.js';
import type { Evaluation } from '../../../runtime/index.js';
import type { Steps, Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { QueryEnvironment } from '../environment.js';
import type { Next, Step } from '../machine.js';
import { timedPlug } from '../plug-timer.js';
import { locatedInQuery } from '../query-errors.js';
import type { SearchProgram } from '../search.js';
import { partialRules } from './document-rules.js';
import { partialFunction } from './functions.js';
import { partialBody } from './partial-expressions.js';
import type { ResidualOptions } from './partial-options.js';
import type { Following, OpenCall, PartialAsked, WithSymbolic } from './partial-search.js';
import { PartialSearch } from './partial-search.js';
import { plug } from './plug.js';
import { partialRef } from './refs.js';
import { savedOf } from './residual/partial-context.js';
import { shortened } from './residual/shortened.js';
import { isOpen, Open, resolve, type Symbolic, symbolicOf, termOfSymbolic } from './symbolic.js';

export interface PartialResult {
  /** The alternatives: none if the query never holds, an empty one if it always does. */
  readonly queries: readonly Body[];
  /** Modules below `data.partial`. */
  readonly support: readonly Module[];
  /** Paths of the documents whose rules are in these modules. */
  readonly supported: readonly (readonly string[])[];
}

/** A result as JSON: its queries and its modules, where there are any. */
export function partialDocument({ queries, support }: PartialResult): Value {
  return {
    ...(queries.length > 0 && { queries: queries.map((body) => bodyToJson(body)) }),
    ...(support.length > 0 && { support: support.map((module) => moduleToJson(module)) }),
  } as Value;
}

/**
 * Evaluates a query partially, in steps. The program must have been made for the query.
 *
 * @example
 * const program = await programFor(compiled, [query.body]);
 * const options = { unknowns: [parseTerm('input')] };
 * const steps = partialSteps(program, query, { input, data }, evaluation, options);
 * const { queries, support } = allAtOnce(steps);
 */
export function* partialSteps(
  program: SearchProgram,
  { body }: CompiledQuery,
  documents: { readonly input: Value | undefined; readonly data: Value | undefined },
  evaluation: Evaluation,
  options: ResidualOptions,
): Steps<PartialResult> {
  const search = new ResidualSearch(program, evaluation, new QueryEnvironment(documents), options, body);
  const queries: Body[] = [];
  const { machine, queryFrame, trace } = search;
  const evaluate = (then: Step): Next => partialBody(search, body, queryFrame, then);
  const note = (): Next => {
    const found = timedPlug(options.plugged, () => residualOf(search));
    if (found !== undefined) queries.push(found);
    return machine.fail();
  };
  const first = trace === undefined ? evaluate(note) : trace.solve(evaluate, note);
  try {
    yield* machine.runInSteps(first);
  } catch (error) {
    throw locatedInQuery(error, search.frame);
  }
  return { queries, support: search.support.modules(options.supportVersion ?? 'v1'), supported: search.support.added };
}

class ResidualSearch extends PartialSearch {
  conjunction(body: Body, frame: Frame, then: Step): Next {
    return partialBody(this, body, frame, then);
  }

  symbolic(term: Term, frame: Frame, asked: PartialAsked, then: WithSymbolic): Next {
    return symbolicOperand(this, term, frame, asked, then);
  }

  rules(document: VirtualDocument, following: Following, isEnumerated: boolean, then: WithSymbolic): Next {
    return partialRules(this, document, following, isEnumerated, then);
  }

  applied(document: VirtualDocument, call: OpenCall): Next {
    return partialFunction(this, document, call);
  }
}

/** The saved expressions of a solution, and the values of the query's variables. */
function residualOf(search: PartialSearch): Body | undefined {
  const isShallow = search.options.shallowInlining === true;
  const names = [...search.queryFrame.values.keys()].sort();
  const bindings = names.flatMap((name) => {
    const value = search.queryFrame.values.get(name) as Symbolic;
    if (isOpen(value) && value.term.type === 'var' && value.term.name === name) return [];
    if (isShallow && isGenerated(name)) return [];
    return [equalityExpr([varTerm(nowhere, name), termOfSymbolic(value)])];
  });
  const body = [...savedOf(search.context), ...bindings];
  return shortened(search, body, new Set(names.filter((name) => !isGenerated(name))));
}

function isGenerated(name: string): boolean {
  return name.startsWith('__local') || name.startsWith('$_term');
}

/** The value of a term whose variables have values; a ref's may be unbound. */
function symbolicOperand(
  search: PartialSearch,
  term: Term,
  frame: Frame,
  asked: PartialAsked,
  then: WithSymbolic,
): Next {
  switch (term.type) {
    case 'ref':
      return partialRef(search, term as RefTerm, frame, asked, then);
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension': {
      const isOpenInside = [...varsOf(term)].some((name) => isOpen(symbolicOf(frame, name)));
      const isKnown = !isOpenInside && !search.reach.node(term) && search.context.modifiers.length === 0;
      if (isKnown) return search.comprehension(term, frame, (value) => then(value, 'term'));
      return then(new Open(plug(search, term, frame)), 'term');
    }
    default: {
      const value = resolve(term, frame);
      if (value === undefined) throw new Error('an operand has no value');
      return then(value, 'term');
    }
  }
}
