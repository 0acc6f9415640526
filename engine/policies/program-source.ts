/** Where the programs of a set of policies come from: compiled policies, or a snapshot. */
import type { Module, VirtualDocument } from '../../compiler/index.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import type { Metrics } from '../evaluation/metrics.js';
import type { QueryLimits } from './compile-query.js';

/** How to answer a path: run the target, then look up the rest of the path in its result. */
export interface PathProgram {
  readonly target: EvaluationTarget;
  readonly rest: readonly string[];
}

/** The kind of a rule, or for a package its members. */
export type RuleOutline =
  | Exclude<VirtualDocument['kind'], 'package'>
  | readonly (readonly [key: string, outline: RuleOutline])[];

export interface ProgramSource {
  /** Whether a rule is at a path or at the start of it. */
  hasRules(path: readonly string[]): boolean;
  /**
   * Undefined where only a base document can be at the path. Answers without waiting if the
   * program is ready. Throws or rejects with CompileErrors where a function is.
   */
  forPath(path: readonly string[]): PathProgram | Promise<PathProgram | undefined> | undefined;
  /** The plan of a query binds the query's variables. Rejects with CompileErrors. */
  forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
    limits: QueryLimits,
  ): Promise<EvaluationTarget>;
  /** Whether a document at one of the paths may be where a rule is. */
  mayMeetRules(paths: readonly (readonly string[])[]): boolean;
  /** A policy as it was compiled. */
  compiledModule(id: string): Promise<Module | undefined>;
  /** Programs for whole rules and packages, planned now or restored, by their paths. */
  made(): ReadonlyMap<string, EvaluationTarget | Uint8Array>;
  /** Packages and kinds of rules. */
  outline(): RuleOutline;
}
