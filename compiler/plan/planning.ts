/**
 * The interface between the parts of the planner. `FunctionPlanner` is the one implementation;
 * this type keeps the parts from importing one another.
 */

import type { Operand } from '../../ir-schema/index.js';
import type { Builtin } from '../../values/index.js';
import type { Body, RefTerm, Term } from '../ast/nodes.js';
import type { Origins } from '../ast/origins.js';
import type { VirtualDocument } from '../resolve/virtual-document.js';
import type { Span } from '../source/location.js';
import type { Source } from '../source/source.js';
import type { VirtualDocuments } from './documents/virtual-documents.js';
import type { Emitter, LocalNumbers } from './emit/emit.js';
import type { Environment, Mock, WithReplacement } from './environment.js';
import type { Probes } from './probes.js';

/** State shared by all functions of a plan. */
export interface Functions {
  readonly documents: VirtualDocuments;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly probes: Probes | undefined;
  /** Whether statements get notes. */
  readonly isNoted: boolean;
  /** The origins of the parts of texts that the compiler has written. */
  readonly origins: ReadonlyMap<Source, Origins> | undefined;
  /** Numbers for the locals of a function. */
  localNumbers(): LocalNumbers;
  /** Whether bodies that the reference's rule index passes over are passed over. */
  readonly ruleIndex: boolean;
  /** Whether a rule's value is looked for no further once it is settled. */
  readonly earlyExit: boolean;
  /**
   * The name of a document's function, for calls under an environment, and the replacements that it
   * wants as parameters.
   */
  callee(document: VirtualDocument, environment: Environment): Callee;
  /**
   * How a set or an object can be asked for keys; undefined where it can only be asked for as a
   * whole.
   */
  keysOf(document: VirtualDocument): Keys | undefined;
  /** The function that returns a set's or an object's value at the keys given as arguments. */
  keyedCallee(document: VirtualDocument, environment: Environment, keys: number): Callee;
  /** The name of a function without parameters that answers a value without variables. */
  literal(term: Term): string;
  /** The one replacement of a target by a mock; a path of data has none. */
  replacement(target: WithReplacement['target'], mock: Mock | undefined): WithReplacement;
}

/** How a set or an object can be asked for keys. */
export interface Keys {
  /** How many at most, each below the one before. */
  readonly count: number;
  /**
   * Whether each key is asked for on its own, however many there are: asking for one costs no
   * search, or its search sends requests.
   */
  readonly isAlwaysAsked: boolean;
}

export interface Callee {
  readonly name: string;
  /** The environment that it was planned under: the part of the caller's that affects it. */
  readonly environment: Environment;
  /** Where dynamic calls find it: a name for its environment, and the document's path. */
  readonly path: readonly [string, ...string[]];
}

/** A body under way. */
export interface Planning {
  readonly e: Emitter;
  readonly functions: Functions;
  environment: Environment;
  /**
   * Whether the current statement may run several times in an evaluation: it stands in a loop, or
   * in a function with arguments.
   */
  readonly isRepeated: boolean;
  /** The operands of replacements that are parameters. */
  readonly replacementValues: Map<number, Operand>;

  /**
   * Emits a term's value and returns its operand. Unbound variables of refs get bound by loops.
   */
  term(term: Term): Operand;
  ref(ref: RefTerm): Operand;
  /** The literal of an operand that holds a number. */
  numberKey(operand: Operand): string | undefined;
  /** Emits the expressions of a body in order; loops that they open stay open. */
  body(body: Body): void;
  /**
   * As `body`, for the body of a rule or an `else`, whose head has these parameters. The
   * guards come first, then the statements of `afterGuards`.
   */
  ruleBody(body: Body, args: readonly Term[], afterGuards?: () => void): void;
  unify(a: Term, b: Term, span: Span): void;
  /** Unifies a term with an operand. */
  match(term: Term, operand: Operand, span: Span): void;
}

/**
 * The operands that every call of a function passes first: input, data, and the parameters of
 * the callee's environment.
 */
export function leadingArguments(p: Planning, environment: Environment): Operand[] {
  // The caller's environment has all of the callee's parameters.
  const values = environment.parameters.map(({ id }) => p.replacementValues.get(id)!);
  return [{ type: 'local', value: 0 }, { type: 'local', value: 1 }, ...values];
}
