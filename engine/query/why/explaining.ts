/** Interfaces between the parts of an explanation, which `why.ts` connects. */

import type { Body, Expr, Span, Term, VirtualDocument } from '../../../compiler/index.js';
import type { EvaluationError } from '../../../runtime/index.js';
import type { Steps, Value } from '../../../values/index.js';
import type { QueryEnvironment } from '../environment.js';
import type { Search, SearchProgram } from '../search.js';
import type { DocumentWhy, ExpressionWhy, HeldExpression, ShownValue } from './explanation.js';
import type { InputPath } from './input-path.js';

/** How much an explanation shows. */
export interface ExplainLimits {
  /** How many levels of rules below the rules that were asked for are explained. */
  readonly depth: number;
  /** Characters of a value. */
  readonly valueSize: number;
  /** Rules of one document, and documents of a package. */
  readonly rules: number;
}

export const whyLimits: ExplainLimits = { depth: 1, valueSize: 100, rules: 50 };

/** The most values of an iteration, and solutions of a rule, that are shown. */
export const fewSamples = 3;

/** A state of a body: the values of its variables, and input and data. */
export interface Sample {
  readonly values: ReadonlyMap<string, Value>;
  readonly environment: QueryEnvironment;
  /** The paths behind the parameters of the body's rule. */
  readonly given?: GivenPaths | undefined;
}

/** The paths of the input behind variables that a body does not bind itself: parameters. */
export type GivenPaths = ReadonlyMap<string, readonly InputPath[]>;

/** The paths behind each of the arguments of a call. */
export type ArgumentPaths = readonly (readonly InputPath[])[];

/** A body at one of its solutions, or where it failed. */
export interface BodyState {
  readonly body: Body;
  readonly sample: Sample;
  readonly given: GivenPaths;
}

/** One expression of a body, in all of its evaluations. */
export interface Attempts {
  readonly expr: Expr;
  /** How often it was evaluated. */
  count: number;
  /** The states before the first few of them. */
  readonly samples: Sample[];
}

/** A body, evaluated expression by expression. */
export interface WhyProbe {
  readonly body: Body;
  /** The attempts at each expression. */
  readonly attempts: readonly Attempts[];
  readonly solutions: number;
  /** The states at the first few ends. */
  readonly ends: readonly Sample[];
  readonly error: EvaluationError | undefined;
  /** The expression that was evaluated last; the one of the error if there is one. */
  readonly last: number;
}

/** How the question was answered. */
export interface GivenAnswer {
  readonly value: Value | undefined;
  readonly error?: EvaluationError | undefined;
}

/** A document to explain, as an expression reads it. */
export interface ExplainedDocument {
  readonly document: VirtualDocument;
  /** The keys below it, or the arguments of a function. */
  readonly keys: readonly Value[];
  /** The arguments of a function as its caller writes them. */
  readonly args?: readonly Term[];
  readonly paths?: ArgumentPaths;
}

/** The program and the search by which parts of a policy are evaluated again. */
export type Searching = Pick<Explaining, 'program' | 'search'>;

/** One explanation. It is made in steps: other work goes on between them. */
export interface Explaining {
  readonly program: SearchProgram;
  readonly limits: ExplainLimits;
  /** The message of the last error of a built-in that became undefined; each read clears it. */
  takeBuiltinError(): string | undefined;
  search(environment: QueryEnvironment): Search;
  shown(value: Value, path?: readonly Value[]): ShownValue;
  /** A value in a sentence. */
  short(value: Value, path?: readonly Value[]): string;
  /** The one path of the input behind a term's value, as a text; undefined where it has none. */
  pathOf(term: Term, state: BodyState): Steps<string | undefined>;
  argumentPaths(args: readonly Term[], caller: BodyState): Steps<ArgumentPaths>;
  /** The message of an error, unless it tells a masked value. */
  told(message: string): string;
  /**
   * Explains a document, once; undefined where that is too deep, or too many are explained.
   * @param answer its value, if it is known
   */
  document(
    asked: ExplainedDocument,
    environment: QueryEnvironment,
    depth: number,
    answer?: GivenAnswer,
  ): Steps<DocumentWhy | undefined>;
  /**
   * The expression that a body fails at.
   * @param written the expressions of the body as the author wrote them
   */
  failure(probe: WhyProbe, written: readonly Span[], depth: number): Steps<ExpressionWhy>;
  /** The expressions of a body that holds. */
  held(probe: WhyProbe, written: readonly Span[], depth: number): Steps<readonly HeldExpression[]>;
}
