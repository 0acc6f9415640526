/** Sources for the linter, and the results of a file that it keeps. */

import type { CompileCapabilities, Compiled, Diagnostic, Directives, Warning } from '../../../compiler/index.js';
import type { LintConfig } from '../config/lint-config.js';
import type { OwnRules } from '../custom/own-rules.js';
import type { Finding } from './finding.js';
import type { LintFile } from './lint-file.js';
import type { LintRule } from './lint-rule.js';
import type { RuleFlags, RuleSetting } from './settings.js';

/** A text to lint. */
export interface LintSource {
  /** The name that findings show. */
  readonly file: string;
  readonly text: string;
  /** The path from the project's root, for patterns of files; the name if there is none. */
  readonly path?: string | undefined;
  /** The whole path on disk; the name if there is none. */
  readonly absolute?: string | undefined;
  /** The version of the language that the project states. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
  readonly isStdin?: boolean;
}

export interface LintOptions {
  readonly config?: LintConfig;
  readonly flags?: RuleFlags;
  /** Default: all that this release knows. */
  readonly capabilities?: CompileCapabilities | undefined;
  /** Patterns of files to leave out, in place of those of the configuration. */
  readonly ignoreFiles?: readonly string[] | undefined;
  /** Rules of the user, in Rego. */
  readonly own?: OwnRules | undefined;
  /** Gives up between two files once this much time has passed, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Files that were linted before. */
  readonly cache?: LintCache | undefined;
  /** The linter answers as Regal: without rules that Regal lacks, unless they are named. */
  readonly isRegal?: boolean | undefined;
  /**
   * The warnings about compiled policies. By default nothing is known of documents, and names that
   * may be theirs are not told.
   */
  readonly findWarnings?: ((compiled: Compiled) => readonly Warning[] | Promise<readonly Warning[]>) | undefined;
  /** JSON schemas of the input and of documents, by ref, for the rules of `writ`. */
  readonly schemas?: ReadonlyMap<string, unknown> | undefined;
  /** Called with the errors for which policies do not compile: no rule of `writ` runs then. */
  readonly onErrors?: ((errors: readonly Diagnostic[]) => void) | undefined;
  /** Runs only rules whose findings can be fixed. */
  readonly onlyFixable?: boolean;
}

/** A rule that runs. */
export interface ActiveRule {
  readonly rule: LintRule;
  readonly setting: RuleSetting;
}

/** The results of a linted file: its findings, and the facts for rules over several files. */
export interface LintedFile {
  readonly source: LintSource;
  readonly file: LintFile;
  readonly directives: Directives;
  readonly findings: readonly Finding[];
  readonly facts: ReadonlyMap<string, unknown>;
  /** Checks that need the library of regular expressions. */
  readonly later: readonly (() => void)[];
}

/** A linted file without its tree. */
export type KeptFile = Pick<LintedFile, 'source' | 'directives' | 'findings' | 'facts'>;

/** A linted file as plain data. */
export interface CachedFile {
  readonly findings: readonly Finding[];
  readonly facts: readonly (readonly [rule: string, facts: unknown])[];
  readonly directives: readonly (readonly [row: number, names: readonly string[]])[];
}

/**
 * Files that were linted before. Their keys must stand for the text and the name of a source, and
 * for the rules with their settings.
 */
export interface LintCache {
  get(source: LintSource): CachedFile | undefined;
  set(source: LintSource, file: CachedFile): void;
  /** Findings of the compiler, which depend on all sources and on the documents beside them. */
  getCompiled?(sources: readonly LintSource[]): readonly Finding[] | undefined;
  setCompiled?(sources: readonly LintSource[], findings: readonly Finding[]): void;
}

/** The path that patterns of files look at. */
export function pathOf({ path, file }: LintSource): string {
  return path ?? file;
}
