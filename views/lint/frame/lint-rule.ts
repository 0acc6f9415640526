/** Rules of the linter: their rows in the table, and what they see and report. */

import type {
  Annotations,
  Body,
  Comment,
  Comprehension,
  EveryExpr,
  Expr,
  Import,
  Package,
  RefTerm,
  Rule,
  SomeExpr,
  Span,
  Term,
  With,
} from '../../../compiler/index.js';
import type { Call, FoundAt } from './found-at.js';
import type { LintFile } from './lint-file.js';
import type { NodePlace } from './place.js';

/** The options of a rule, as the configuration has them. */
export type RuleOptions = Readonly<Record<string, unknown>>;

/** The categories of the table; custom rules may have others. */
type Category = 'bugs' | 'custom' | 'idiomatic' | 'imports' | 'performance' | 'style' | 'testing' | 'writ';

/** The run of a rule over one file. */
interface RuleRun {
  readonly file: LintFile;
  readonly options: RuleOptions;
  /** Reports a finding at a place of the file. `message` replaces the description of the rule. */
  report(at: Span | Term | FoundAt, message?: string): void;
  /** Calls a check once the library of regular expressions is loaded, which takes a moment. */
  later(check: () => void): void;
}

/** The nodes that a rule wants to see; `place` tells where they stand. */
export interface Visitor {
  /** Before all others. */
  readonly file?: () => void;
  readonly package?: (node: Package) => void;
  readonly import?: (node: Import) => void;
  readonly comment?: (node: Comment) => void;
  readonly annotations?: (node: Annotations) => void;
  /** Rules of the file; those of an `else` only in `link`. */
  readonly rule?: (node: Rule, place: NodePlace) => void;
  /** Rules and their `else`. */
  readonly link?: (node: Rule, place: NodePlace) => void;
  /** Bodies of rules, comprehensions, `every` and negations; generated ones excepted. */
  readonly body?: (node: Body, place: NodePlace) => void;
  readonly expr?: (node: Expr, place: NodePlace) => void;
  readonly some?: (node: SomeExpr, place: NodePlace) => void;
  readonly every?: (node: EveryExpr, place: NodePlace) => void;
  readonly call?: (node: Call, place: NodePlace) => void;
  /** Refs, names of functions and of heads excepted. */
  readonly ref?: (node: RefTerm, place: NodePlace) => void;
  readonly comprehension?: (node: Comprehension, place: NodePlace) => void;
  readonly with?: (node: With, place: NodePlace) => void;
  readonly term?: (node: Term, place: NodePlace) => void;
}

/** The facts of a file that a rule over several files keeps: plain data, for a cache. */
export interface FileFacts<Facts = unknown> {
  readonly file: string;
  readonly facts: Facts;
}

/** The end of a rule over several files. */
interface AggregateRun {
  readonly options: RuleOptions;
  /** Reports a finding in a file, or in none. */
  report(file: string | undefined, at: FoundAt | undefined, message?: string): void;
}

/** The version of the language and the input: names that rules may suggest. */
export interface Situation {
  readonly builtins: ReadonlySet<string>;
  readonly features: ReadonlySet<string>;
  readonly keywords: ReadonlySet<string>;
  /** The text comes from standard input: it has no path. */
  readonly isStdin: boolean;
}

/** A row of the table of rules. */
export interface LintRule {
  readonly name: string;
  readonly category: Category;
  /** Whether it runs only where it is enabled. */
  readonly isOff?: true;
  /** The level where nothing else is configured. Default: `error`. */
  readonly level?: 'warning';
  /** The description of a finding. */
  readonly finds: string;
  /** Options and their defaults. */
  readonly options?: RuleOptions;
  readonly isFixable?: true;
  /** Why the rule has no use; undefined if it has one. */
  readonly unless?: (situation: Situation) => string | undefined;
  /** No notice says that the rule is left out, unless the configuration names it. */
  readonly isLeftOutSilently?: true;
  readonly visit?: (run: RuleRun) => Visitor;
  /** The facts of one file, for `conclude`; undefined if there are none. */
  readonly collect?: (file: LintFile, options: RuleOptions) => unknown;
  /** Looks at the facts of all files; not called for a single one. */
  // biome-ignore lint/suspicious/noExplicitAny: the facts are those of `collect` of the same row
  readonly conclude?: (files: readonly FileFacts<any>[], run: AggregateRun) => void;
}
