/** Interfaces between the parts of the evaluator, which `query-search.ts` connects. */

import type { Body, Comprehension, RefTerm, Term, Types, VirtualDocument } from '../../compiler/index.js';
import type { Evaluation, LinkedBuiltin } from '../../runtime/index.js';
import type { Builtin, Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { Machine, Next, Step, WithValue } from './machine.js';
import type { RuleIndex } from './rule-index.js';

/** A built-in as it is called, and its declaration. */
export interface CallableBuiltin {
  readonly row: Builtin;
  readonly linked: LinkedBuiltin;
}

/** The function of the policy, or the built-in, that the operator of a call names. */
export interface CallTarget {
  readonly name: string;
  readonly operator: RefTerm;
  readonly document: VirtualDocument | undefined;
  readonly builtin: CallableBuiltin | undefined;
  /** The number of arguments; a call with one more has an output. */
  readonly arity: number;
}

/** The document to which the strings at the start of a ref into data lead, if none is replaced. */
export interface StaticPlace {
  /** Undefined if there are no rules. */
  readonly document: VirtualDocument | undefined;
  /** The position of the term after those strings. */
  readonly next: number;
}

/** The part that all evaluations of a policy share. */
export interface SearchProgram {
  readonly root: VirtualDocument;
  readonly index: RuleIndex;
  /** The built-ins that the policy and its queries name. */
  readonly builtins: ReadonlyMap<string, CallableBuiltin>;
  /** Targets by operator; `calls.ts` fills it. */
  readonly targets: WeakMap<RefTerm, CallTarget>;
  /** Places by ref into data; `data-refs.ts` fills it. */
  readonly places: WeakMap<RefTerm, StaticPlace>;
  /** The types of the rules; absent where they were not checked. */
  readonly types: Types | undefined;
  /** Whether a built-in that sends requests is among them. */
  readonly sendsRequests: boolean;
}

/** One evaluation. */
export interface Search {
  readonly machine: Machine;
  readonly evaluation: Evaluation;
  readonly program: SearchProgram;
  /** The frame of the latest expression, for errors. */
  frame: Frame;
  body(body: Body, frame: Frame, then: Step): Next;
  ref(ref: RefTerm, frame: Frame, then: WithValue): Next;
  comprehension(term: Comprehension, frame: Frame, then: WithValue): Next;
  /** The value of any operand. */
  operand(term: Term, frame: Frame, then: WithValue): Next;
  /** The value of rules or of a package. */
  document(document: VirtualDocument, frame: Frame, then: WithValue): Next;
  /** The value at some keys of rules that define a set or an object. */
  documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next;
  /** Makes a key of a ref, or the output of a call, equal to a value; binds its variables. */
  matches(part: 'key' | 'output', term: Term, value: Value, frame: Frame): boolean;
  /** The value of a function for arguments. */
  call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next;
}
