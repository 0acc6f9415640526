/**
 * Events of a traced evaluation: the source of explanations, `why` and the traces of failing
 * tests. An evaluation without a tracer makes none of them.
 */

import type { Body, CompiledRule, Expr, Rule, Span, VirtualDocument } from '../../compiler/index.js';
import type { Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { OnPlug } from './plug-timer.js';
import type { Remembered } from './trace/remembered.js';

/**
 * - `enter`, `exit`: a query begins, or has a solution. A query is the evaluation of a rule, of a
 *   body inside another one, or of an `every`.
 * - `eval`, `fail`: an expression is evaluated, or has no solution. A rule fails where a requested
 *   key does not match its head.
 * - `redo`: the search comes back to a query or an expression for another solution.
 * - `duplicate`: a solution of a rule that adds nothing to the result.
 * - `index`: the rule index has found the rules of a document that can hold.
 * - `note`: a call of `trace`.
 * - `unify`: two operands are made equal. `save`: an expression is left for later, by partial
 *   evaluation.
 * - `testCase`: a test reports a case.
 */
export type TraceOp =
  | 'enter'
  | 'exit'
  | 'eval'
  | 'fail'
  | 'redo'
  | 'duplicate'
  | 'index'
  | 'note'
  | 'unify'
  | 'save'
  | 'testCase';

/** One evaluation of a query. The first has the id 0 and is its own parent. */
export interface TracedQuery {
  readonly id: number;
  readonly parent: number;
}

/**
 * `index` is the position of an expression in its body. `rule` is a link of the `else` chain that
 * begins with the rule of `compiled`.
 */
export type TracedNode =
  | { readonly type: 'expr'; readonly expr: Expr; readonly index: number }
  | { readonly type: 'body'; readonly body: Body }
  | { readonly type: 'rule'; readonly rule: Rule; readonly compiled: CompiledRule; readonly document: VirtualDocument };

export interface TraceEvent {
  readonly op: TraceOp;
  readonly query: TracedQuery;
  /** Undefined for notes. */
  readonly node: TracedNode | undefined;
  /** Its bindings change later: a tracer that keeps them must copy them. */
  readonly frame: Frame;
  readonly at: Span;
  /** The text of a note; `early` on an exit that ends the query; the count of the index. */
  readonly message?: string | undefined;
  /** The document that the rule index was asked for. */
  readonly document?: VirtualDocument | undefined;
  /** Links of the document's rules that the index excluded. */
  readonly excluded?: readonly Rule[] | undefined;
  /**
   * The value of a rule that has a solution: of a set the member, of an object the value. Of a term
   * that failed, `false` where it has that value.
   */
  readonly value?: Value | undefined;
  /** Values of the refs of an expression or a body, for tracers that want them. */
  readonly remembered?: readonly Remembered[] | undefined;
}

export interface Tracer {
  /** Whether it is told of unifications, of which there are many. */
  readonly wantsUnify: boolean;
  /** Whether it gets calls of `print`. */
  readonly wantsPrints: boolean;
  /** Whether events have the remembered values of refs. */
  readonly wantsRemembered?: boolean;
  trace(event: TraceEvent): void;
  /** Gets the nanoseconds that each value of a rule's head took, if metrics are on. */
  readonly plugged?: OnPlug | undefined;
}
