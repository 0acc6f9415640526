/**
 * The public entry of the compiler and of the linter: `import { compile, lint } from
 * 'writ/compiler'`. Nothing in it depends on Node.
 */
import type { CompileCapabilities } from '../../../compiler/resolve/compile-options.js';
import type { LintReport, RuleFlags } from '../../../views/lint/index.js';

export { moduleToJson } from '../../../compiler/ast/ast-json.js';
export type { Body, Module, Rule, Term } from '../../../compiler/ast/nodes.js';
export { printModule } from '../../../compiler/ast/print.js';
export { CompileErrors, type Diagnostic } from '../../../compiler/diagnostics/diagnostics.js';
export { FormatError, type FormatOptions, formatText } from '../../../compiler/format/format.js';
export { compileModules, compileOrThrow, compileQuery } from '../../../compiler/pipeline.js';
export { plan } from '../../../compiler/plan/planner.js';
export { recompile } from '../../../compiler/recompile.js';
export type { CompileOptions } from '../../../compiler/resolve/compile-options.js';
export type { Compiled } from '../../../compiler/resolve/compiled.js';
export { parseModule } from '../../../compiler/syntax/parse.js';
export type { ParseOptions } from '../../../compiler/syntax/parse-options.js';
export { parseQuery } from '../../../compiler/syntax/query.js';

export { compile, CompileOptionError, type CompileRequest } from '../../../compiler/compile.js';
export type { Finding, LintReport, Notice } from '../../../views/lint/index.js';

export interface LintRequest extends RuleFlags {
  /** The configuration, as `.regal/config.yaml` has it. */
  readonly config?: unknown;
  /** Default: all that this release knows. */
  readonly capabilities?: CompileCapabilities | undefined;
  /** Patterns of files to leave out, in place of those of the configuration. */
  readonly ignoreFiles?: readonly string[] | undefined;
  /** How to read texts that are valid in both versions. Default: `v1`. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
}

/**
 * Lints policies with the rules of `writ lint`.
 * @param sources texts by the paths that findings show; directories belong to the package
 * @example await lint({ 'authz/authz.rego': text }, { disable: ['opa-fmt'] })
 * @throws CompileErrors for a text that is no policy, and an error with the code
 * `invalid_lint_config` for a configuration with names that there are not
 */
export async function lint(sources: Readonly<Record<string, string>>, request: LintRequest = {}): Promise<LintReport> {
  const { config, capabilities, ignoreFiles, regoVersion, ...flags } = request;
  const linter = await import('../../../views/lint/index.js');
  const files = Object.entries(sources).map(([file, text]) => ({ file, text, regoVersion }));
  return linter.lint(files, { config: linter.readLintConfig(config), flags, capabilities, ignoreFiles });
}
