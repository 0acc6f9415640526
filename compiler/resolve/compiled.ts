/**
 * Compiled modules: the result of the stages, and the input of the planner and the type checker.
 *
 * A compiled module holds the same node types as a parsed one, in fewer forms. After all stages:
 *
 * - Refs are full: a ref's head is the variable `data`, `input` or a local one, never anything
 *   else. Rules and imports stand as `data.…`. The terms after the head are variables, scalars, or
 *   collections of such (`data.a[[1, x]]`); never refs, calls or comprehensions. `input` and `data`
 *   alone are refs of one term.
 * - Operators of calls are refs: `count`, `io.jwt.decode` for built-ins, `data.a.f` for functions
 *   of policies.
 * - Variables of `:=`, `some`, `every` and function arguments are `__localN__`, unique in their
 *   module (`__localqN__` in queries); `names` tells the written ones. Variables that are not
 *   declared keep their names; wildcards are `$N`.
 * - `some` expressions are gone: `some k, v in xs` is `v = xs[k]`, `some v in xs` the same with a
 *   generated key. A call of `internal.member_2` is `x in xs` as a test.
 * - `x := y`, `x = y` and `x == y` at the top of an expression are calls of `eq` with two operands.
 *   In a query `==` stays `equal`; in a rule `equal` is left only with an output (`f(x == y)` is
 *   `equal(x, y, __local0__); f(__local0__)`).
 * - Operands of `eq` are variables, scalars, refs, comprehensions, or arrays, objects and sets of
 *   variables and scalars. Operands of other calls are the same without refs and comprehensions
 *   (those are bound by a generated `__localN__ = …` before the call).
 * - A call whose result is used has its output as one more operand at the end:
 *   `plus(1, x, __local2__)`. With just as many operands as the function has arguments it tests
 *   that the result is defined and not false. Calls moved out of terms have `generated: true`. No
 *   call terms are left.
 * - Heads of comprehensions are variables, scalars and collections of them. Bodies of
 *   comprehensions, `every`, `not`, `and`, `or` obey all of this.
 * - `every`: the domain is a generated variable bound before; key and value are variables, the key
 *   is always there.
 * - `with`: the target is a ref into `input` or `data`, or the ref of a function; the value is a
 *   variable, a scalar, a collection of such, or, to replace a function, the ref of a function (a
 *   ref of one term for a built-in like `count`).
 * - Template strings are calls of `internal.template_string` with an array of strings and sets:
 *   each set has the value of a part or is empty where that is undefined.
 * - `print` is gone, or, when enabled, `internal.print([{…}, …])` with a set for each operand.
 * - Calls of `rego.metadata.chain()` and `rego.metadata.rule()` are gone: variables that the body
 *   binds to constants first stand for them.
 * - Bodies are ordered: the variables of an expression are bound by earlier ones.
 * - Heads: arguments, key and value are variables, scalars and collections of them; anything else
 *   is bound at the end of the body, which for a default rule with a comprehension is the body
 *   `__local0__ = [… | …]` instead of `true`. `ref` terms after the first are variables and
 *   scalars. A head with `key` and `value` (`p[x] := y`) has the key as last term of `ref` as well;
 *   one with `key` alone is a set with any `ref`.
 */

import type { Body } from '../ast/nodes.js';
import type { Dependents } from '../check/dependents.js';
import type { QueryTypes, Types } from '../check/rule-types.js';
import type { Diagnostic } from '../diagnostics/diagnostics.js';
import type { Warning } from '../diagnostics/warnings.js';
import type { AnnotationSet } from './annotation-set.js';
import type { BuiltinTable } from './builtin-table.js';
import type { CompileOptions } from './compile-options.js';
import type { CompiledModule } from './compiled-rule.js';
import type { RuleGraph } from './graph.js';
import type { ModuleTree, RuleTree } from './tree.js';
import type { VersionedMap } from './versioned-map.js';

/** The modules after all stages, or as far as they came where `diagnostics` has errors. */
export interface Compiled {
  /** In order of their names. */
  readonly modules: VersionedMap<CompiledModule>;
  readonly moduleTree: ModuleTree;
  readonly ruleTree: RuleTree;
  readonly graph: RuleGraph;
  readonly annotations: AnnotationSet;
  /** Undefined if the type checker has not run. */
  readonly types: Types | undefined;
  readonly dependents: Dependents;
  readonly diagnostics: readonly Diagnostic[];
  /** The warnings of the stages; `findWarnings` adds those of all modules together. */
  readonly warnings: readonly Warning[];
  /** The built-ins that policies and queries may call. */
  readonly builtins: BuiltinTable;
  readonly options: CompileOptions;
}

/** A query after its stages. Its expressions have the same forms as those of compiled rules. */
export interface CompiledQuery {
  readonly body: Body;
  /** Generated variable → written name, for bindings. */
  readonly names: ReadonlyMap<string, string>;
  readonly types: QueryTypes | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
