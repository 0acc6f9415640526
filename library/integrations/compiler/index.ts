/**
 * The public entry of the compiler and of the linter: `import { compile, lint } from
 * 'writ/compiler'`. Nothing in it depends on Node.
 */
import type { CompileCapabilities } from '../../../compiler/index.js';
import type { LintReport, RuleFlags } from '../../../views/index.js';

export type { Body, Compiled, CompileOptions, Module, ParseOptions, Rule, Term } from '../../../compiler/index.js';
export {
  CompileErrors,
  CompileOptionError,
  type CompileRequest,
  compile,
  compileModules,
  compileOrThrow,
  compileQuery,
  type Diagnostic,
  FormatError,
  type FormatOptions,
  formatText,
  moduleToJson,
  parseModule,
  parseQuery,
  plan,
  printModule,
  recompile,
} from '../../../compiler/index.js';
export type { Finding, LintReport, Notice } from '../../../views/index.js';

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
 * `invalid_lint_config` for a configuration with unknown names
 */
export async function lint(sources: Readonly<Record<string, string>>, request: LintRequest = {}): Promise<LintReport> {
  const { config, capabilities, ignoreFiles, regoVersion, ...flags } = request;
  const linter = await import('../../../views/lint/index.js');
  const files = Object.entries(sources).map(([file, text]) => ({ file, text, regoVersion }));
  return linter.lint(files, { config: linter.readLintConfig(config), flags, capabilities, ignoreFiles });
}
