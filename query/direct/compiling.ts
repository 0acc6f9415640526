/** Interfaces between the parts that compile rules for direct evaluation. */

import type { Body, Comprehension, Term } from '../../compiler/ast/nodes.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import type { Program } from '../search.js';
import type { DirectFrame, DirectRun } from './run.js';
import type { Scope } from './scope.js';

/**
 * An expression with the expressions behind it: visits the solutions, and returns whether
 * the visit is to end early.
 */
export type Step = (frame: DirectFrame) => boolean;
export type Get = (frame: DirectFrame) => Value;
/** Undefined where the term is. */
export type GetDefined = (frame: DirectFrame) => Value | undefined;
/** Makes a term equal to a value. */
export type Match = (frame: DirectFrame, value: Value) => boolean;

/** Rules that are evaluated directly. */
export interface DirectRules {
  /** The value of the whole document. */
  whole(run: DirectRun, caller: Frame | DirectFrame): Value | undefined;
  /** The value of a function. */
  call(run: DirectRun, args: readonly Value[], caller: Frame | DirectFrame): Value | undefined;
  /** The value of the whole document if it is known already. */
  known(run: DirectRun): Value | undefined;
}

export interface Compiling {
  readonly program: Program;
  rules(document: VirtualDocument): DirectRules;
  /** @param end gets each solution */
  body(body: Body, scope: Scope, end: () => Step): Step;
  comprehension(term: Comprehension, scope: Scope): Get;
  /** A term with one value or none; undefined if it may have several. */
  single(term: Term, scope: Scope): GetDefined | undefined;
  /** Any operand. `then` compiles the continuation, when the variables of the operand are bound. */
  operand(term: Term, scope: Scope, then: (value: Get) => Step): Step;
}
