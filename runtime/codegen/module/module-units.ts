/**
 * The runtime of modules in parts: minified declarations of one scope, which the build makes
 * (`scripts/build/module-units.ts`) and a module contains as far as it needs them.
 */

/** A text and the numbers of the declarations that it uses. */
export interface ModulePart {
  readonly text: string;
  readonly uses: readonly number[];
}

export interface ModuleUnits {
  /** In the order in which they must run. */
  readonly declarations: readonly ModulePart[];
  /** By name, an expression: see `moduleTables` in `runtime.ts`. */
  readonly library: { readonly [name: string]: ModulePart };
  readonly support: { readonly [name: string]: ModulePart };
  /** Elements of an array of built-ins: one row, or several that are spread. */
  readonly rows: readonly ModulePart[];
  /** The row of each built-in. */
  readonly builtins: { readonly [name: string]: number };
  /** The declaration that all built-ins use which need the host's cryptography. */
  readonly cryptography: number;
}

/** Numbers of all declarations that some parts use, directly or not, in their order. */
export function declarationsOf(parts: Iterable<ModulePart>, { declarations }: ModuleUnits): readonly number[] {
  const found = new Set<number>();
  for (const { uses } of parts) for (const use of uses) found.add(use);
  // A set is iterated over numbers that are added meanwhile.
  for (const number of found) for (const use of declarations[number]!.uses) found.add(use);
  return [...found].sort((a, b) => a - b);
}
