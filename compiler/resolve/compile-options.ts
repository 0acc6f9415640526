/** The options of a compilation. */

import type { Builtin } from '../../values/index.js';
import type { Module, Rule } from '../ast/nodes.js';
import type { SyntaxCapabilities } from '../syntax/parse-options.js';

/** The parts of a capabilities file that the stages use, besides the parser's. */
export interface CompileCapabilities extends SyntaxCapabilities {
  /** Names are enough for built-ins of the registry; `decl` is for a host's own. */
  readonly builtins?: readonly {
    readonly name: string;
    readonly decl?: object | undefined;
    readonly relation?: boolean | undefined;
    readonly deprecated?: boolean | undefined;
  }[];
  readonly allow_net?: readonly string[] | undefined;
}

export interface CompileOptions {
  /** Default: the language's own; a host's own built-ins come with them. */
  readonly builtins?: ReadonlyMap<string, Builtin> | undefined;
  /** Default: everything that this release knows. */
  readonly capabilities?: CompileCapabilities | undefined;
  /** Unused imports and variables, shadowed roots and deprecated built-ins are errors. */
  readonly strict?: boolean | undefined;
  /** Bind the operands of tests' comparisons to variables, so that a trace can show the values. */
  readonly captureTestValues?: boolean | undefined;
  /**
   * Adds calls to rules after all checks. It may call built-ins that need no check, and must not
   * change the meaning of a rule.
   */
  readonly instrument?: ((rule: Rule) => Rule) | undefined;
  /** Keep `print` calls; otherwise they are erased. */
  readonly print?: boolean | undefined;
  /** Built-ins that policies may not call, such as `http.send`. */
  readonly unsafeBuiltins?: ReadonlySet<string> | undefined;
  /** Calls of unknown functions are no errors. */
  readonly allowUndefinedFunctions?: boolean | undefined;
  /** How many errors to report; 0 is all. Default: 10. */
  readonly errorLimit?: number | undefined;
  /** JSON Schemas by ref (`schema`, `schema.input`): for the type checker. */
  readonly schemas?: ReadonlyMap<string, unknown> | undefined;
  /** Let schema annotations take part in type checking. */
  readonly schemaAnnotations?: boolean | undefined;
  /**
   * Whether a base document exists at a path, to find rules that conflict with data. If one does,
   * so do those above it.
   */
  readonly dataExists?: ((path: readonly string[]) => boolean) | undefined;
  /** Paths (`a/b`) that the check of conflicts with data is limited to, such as bundle roots. */
  readonly dataRoots?: readonly string[] | undefined;
  /**
   * Gets the nanoseconds of each stage under the names of the reference
   * (`timer_compile_stage_resolve_refs_ns`).
   */
  readonly onTimer?: ((name: string, nanoseconds: number) => void) | undefined;
}

/** Parsed modules by name. Names order modules and messages. */
export interface CompileInput {
  readonly modules: ReadonlyMap<string, Module>;
  readonly options?: CompileOptions | undefined;
}
