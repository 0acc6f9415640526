/** Explanations of decisions, as JSON: `docs/why.schema.json` is their schema. */

import type { Json } from '../../../values/index.js';

/** Why a path or a query was answered as it was. */
export interface Explanation {
  /** `data.authz.allow`, or the text of a query. */
  readonly question: string;
  readonly outcome: Outcome;
  /** One sentence: the answer and its cause. */
  readonly summary: string;
  /**
   * Why there is no explanation: a plan without policy source answers, a limit was reached, or the
   * mask decision failed.
   */
  readonly missing?: 'source' | 'limit' | 'mask';
  /** Present for the outcome `error`. */
  readonly error?: ExplainedError;
  /** The rules at the path; for a package, those of each document below it. */
  readonly documents: readonly DocumentWhy[];
  /** Documents that are not shown, because there are too many. */
  readonly omitted?: number;
}

type Outcome = 'value' | 'undefined' | 'error';

export interface ExplainedError {
  readonly code: string;
  readonly message: string;
  readonly location?: SourceLocation;
}

export interface SourceLocation {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}

/** The rules of one name, or the body of a query. */
export interface DocumentWhy {
  /** `data.authz.allow`, `data.authz.roles["bob"]`, `data.authz.f("x", 1)`. */
  readonly name: string;
  readonly kind: 'complete' | 'set' | 'object' | 'function' | 'base' | 'none' | 'query';
  readonly outcome: Outcome;
  readonly summary: string;
  /** Present for the outcome `value`. */
  readonly value?: ShownValue;
  readonly error?: ExplainedError;
  /** Rules that hold first; then the rules of which most expressions hold. */
  readonly rules: readonly RuleWhy[];
  /** Rules that are not shown, because there are too many. */
  readonly omitted?: number;
}

/** One rule, or one `else` of it. */
export interface RuleWhy {
  readonly name: string;
  readonly location: SourceLocation;
  readonly kind: 'rule' | 'else' | 'default' | 'query';
  /**
   * `holds`: its body is true. `fails`: an expression of its body is not. `no match`: its head has
   * other arguments or keys. `default`: it gives the value, since no rule holds. `unused`: a
   * default that is not needed, or an `else` after a rule that holds. `error`: it ended with an
   * error.
   */
  readonly outcome: 'holds' | 'fails' | 'no match' | 'default' | 'unused' | 'error';
  /** Why it does not match, or why it is not used. */
  readonly message?: string;
  /** The values that it gives, the first few of them. */
  readonly values?: readonly ShownValue[];
  /** The number of solutions of its body, if there are more than values shown. */
  readonly solutions?: number;
  /** The first expression that failed. */
  readonly failed?: ExpressionWhy;
  /** In a set, the member that `held` gives. */
  readonly member?: ShownValue;
  /** The expressions of a body that holds, with the values that they read. */
  readonly held?: readonly HeldExpression[];
  /** In a set, the next few members, and why each is there. */
  readonly others?: readonly MemberWhy[];
}

/** Why a rule gives a member of a set. */
export interface MemberWhy {
  readonly member: ShownValue;
  readonly held?: readonly HeldExpression[];
}

export interface HeldExpression {
  readonly excerpt: SourceExcerpt;
  readonly reads: readonly Read[];
  /** Rules that the expression read. */
  readonly documents?: readonly DocumentWhy[];
}

/** A line of source with the part that counts. */
export interface SourceExcerpt extends SourceLocation {
  /** The text of the row. */
  readonly line: string;
  /** How many characters from `col` on are marked. */
  readonly length: number;
}

/**
 * Why an expression fails. `undefined`: a part of it has no value. `differs`: two sides of an
 * equation have different values. `false`: its value is false. `empty`: it iterates over nothing.
 * `holds`: it holds under `not`. `counterexample`: `every` does not hold for one element.
 * `error`: it ended with an error.
 */
export type FailureReason = 'undefined' | 'differs' | 'false' | 'empty' | 'holds' | 'counterexample' | 'error';

export interface ExpressionWhy {
  readonly excerpt: SourceExcerpt;
  /** The whole expression. */
  readonly text: string;
  readonly reason: FailureReason;
  readonly message: string;
  readonly reads: readonly Read[];
  /** How often it was evaluated, each time with other values; left out if once. */
  readonly tried?: number;
  /** The first few of those times. */
  readonly candidates?: readonly Candidate[];
  /** Where two long collections differ: the first few places. */
  readonly differences?: readonly Difference[];
  /** Its `with` modifiers; those of the first time, if it was evaluated several times. */
  readonly with?: readonly Replacement[];
  /** Expressions that failed in bodies inside: of `every`, a comprehension, `and`, `or`. */
  readonly inner?: readonly ExpressionWhy[];
  /** The expressions of a body that holds under `not`. */
  readonly held?: readonly HeldExpression[];
  /** The rules that it read. */
  readonly documents?: readonly DocumentWhy[];
}

export interface Candidate {
  readonly message: string;
  readonly reads: readonly Read[];
  /** The `with` modifiers, where their values are other ones each time. */
  readonly with?: readonly Replacement[];
}

/** A place in two collections, and what each has there; nothing if it lacks it. */
export interface Difference {
  /** `.roles[0]`; empty for members of a set. */
  readonly at: string;
  readonly left?: ShownValue;
  readonly right?: ShownValue;
}

export interface Replacement {
  readonly target: string;
  readonly value: ShownValue;
}

/** A part of an expression and its value; none if it is undefined. */
export interface Read {
  readonly text: string;
  readonly value?: ShownValue;
  /** The name of the rules that it comes from: `data.authz.roles["bob"]`. */
  readonly document?: string;
  /**
   * The part of the input that it is, or was computed from: `input.users[1].name`; left out where
   * there are none or several. It is there for a part that the input lacks, too.
   */
  readonly path?: string;
}

export interface ShownValue {
  /** In Rego's notation; a long one is cut and ends in `…`. */
  readonly text: string;
  /** The value itself; left out if it is cut or masked. */
  readonly value?: Json;
  /** Whether it is, or has parts, that the mask policy hides. */
  readonly masked?: true;
}
