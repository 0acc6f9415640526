/**
 * Debug information of a plan: what a plan does not say about its sources. The compiler gives it in
 * memory beside a plan, and `writ build --debug-info` writes it as `debug.json` beside `plan.json`.
 * Engines that do not know it run the plan all the same. docs/debug-info.md specifies the form.
 *
 * A plan may have tens of thousands of statements, so they are not listed one by one: the
 * statements of a plan or function are numbered in preorder, as `walk` visits them, and statements
 * in a row that are alike are one run.
 */
export interface DebugInfo {
  readonly version: 1;
  /** SHA-256 of the bytes of the plan, in hex; absent where both are in memory. */
  readonly plan?: string;
  readonly sources: readonly DebugSource[];
  /** Rules, and the links of their `else`. */
  readonly rules: readonly DebugRule[];
  readonly expressions: readonly DebugExpression[];
  /** Names that authors gave to local variables. */
  readonly names: readonly string[];
  /** The meaning of variables in generated sources. Absent without any. */
  readonly variables?: readonly DebugVariable[];
  /** The terms that stand in the place of such variables. */
  readonly replaced?: readonly DebugReplaced[];
  /** The plans, then the functions, in the order of the plan. */
  readonly owners: readonly DebugOwner[];
}

export interface DebugSource {
  /** The name of the file, as `static.files` has it. */
  readonly file: string;
  /** SHA-256 of the text in UTF-8, in hex: another text has other lines. Absent in memory. */
  readonly sha256?: string;
  /** On request. */
  readonly text?: string;
  /** Whether the compiler wrote it, as for `build -O`. */
  readonly generated?: true;
}

/** A range of a source: rows and columns from 1, columns in code points, the end exclusive. */
export type DebugRange = readonly [row: number, col: number, endRow: number, endCol: number];

/** A rule, or an `else` of one. */
export interface DebugRule {
  /** The path in `data` up to the first variable: `authz/allow`. */
  readonly path: string;
  /** An index into `sources`. */
  readonly source: number;
  /** The number among the rules of the path, in the order of files and lines, from 0. */
  readonly number: number;
  /** 0 for the rule itself, 1 for its first `else`, and so on. */
  readonly link: number;
  readonly isDefault?: true;
  readonly range: DebugRange;
  readonly head: DebugRange;
  /** Absent where the author wrote none. */
  readonly body?: DebugRange;
  /** The index of the rule that a generated one stands for. */
  readonly origin?: number;
}

/** An expression of a body as its author wrote it. An index of -1 means: none. */
export type DebugExpression = readonly [
  /** An index into `sources`. */
  source: number,
  /** An index into `rules`; none for an expression of a query. */
  rule: number,
  /** The expression that it stands in: that of a comprehension, an `every`, a `not`. */
  parent: number,
  /** Its number in its body, from 0. */
  ordinal: number,
  row: number,
  col: number,
  endRow: number,
  endCol: number,
  /** The expression of the author's sources that one of a generated source comes from. */
  origin: number,
];

/** A variable of a generated source, and one of an author that it stands for. */
export type DebugVariable = readonly [
  /** An index into `sources`. */
  source: number,
  variable: string,
  /** The author's name of it. */
  name: string,
  /** The author's rule whose variable it is: an index into `rules`. */
  rule: number,
];

/** A term of a generated source that stands in the place of a variable. */
export type DebugReplaced = readonly [
  /** An index into `sources`. */
  source: number,
  /** The term as it is printed. */
  term: string,
  /** The variable, as `variables` has it. */
  variable: string,
  /** The author's expression that gave it its value: an index into `expressions`, or none. */
  expression: number,
];

/** The reasons why a statement stands where it stands. */
export const debugReasons = [
  /** It is part of an expression, which stands where its author wrote it. */
  'expression',
  /** It makes, tests, assigns or returns the value of a rule. */
  'rule',
  /** It serves a rule that stands elsewhere than written, in the order of the rule index. */
  'index order',
  /** It is part of an expression that is asked first, since it may end the body at once. */
  'guard',
  /** It matches an argument, or a key that is asked for, with the head. */
  'argument',
  /** It skips a rule whose value is already known. */
  'early exit',
  /** It builds a literal in a function of its own, which all rules share. */
  'literal',
  /** It gathers the rules of a package. */
  'package',
  /** It answers a query or an entrypoint. */
  'query',
  /** It stands in a rule that partial evaluation has made. */
  'partial',
  /** It comes from another rule than the one that it stands in. */
  'inlined',
  /** An optimizer pass moved it out of a loop. */
  'hoisted',
  /** An optimizer pass made it in place of a computation that was done before. */
  'shared',
] as const;

export type DebugReason = (typeof debugReasons)[number];

/** Statements in a row that are alike. An index of -1 means: none. */
export type DebugRun = readonly [
  count: number,
  /** The index in `debugReasons` of the reason why they stand here. */
  reason: number,
  /** The rule whose value they serve. */
  rule: number,
  /** The expression that they serve. */
  expression: number,
];

/** The author's name of a local: it holds for the statements from `from` to before `to`. */
export type DebugName = readonly [
  /** An index into `names`. */
  name: number,
  local: number,
  from: number,
  to: number,
];

/** A plan or a function. */
export interface DebugOwner {
  readonly kind: 'plan' | 'func';
  readonly name: string;
  readonly runs: readonly DebugRun[];
  readonly names: readonly DebugName[];
}
