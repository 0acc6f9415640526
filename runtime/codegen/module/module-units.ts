/**
 * The runtime of modules in parts: minified declarations of one scope, which the build makes
 * (`scripts/build/module-units.ts`) and a module contains as far as it needs them.
 */

/** A text and the numbers of the declarations that it uses. */
export interface ModulePart {
  readonly text: string;
  readonly uses: readonly number[];
  /** The package that it is part of, unless it is ours. */
  readonly package?: string | undefined;
}

export interface ModuleDeclaration extends ModulePart {
  /** None for a statement that changes a variable of another declaration, which uses it. */
  readonly names: readonly string[];
}

export interface ModuleUnits {
  /** In the order in which they must run. */
  readonly declarations: readonly ModuleDeclaration[];
  /** The licences of the packages, which must be in a module that has parts of them. */
  readonly licences: { readonly [name: string]: string };
  /** Expressions by name: see `moduleTables` in `runtime.ts`. */
  readonly library: { readonly [name: string]: ModulePart };
  readonly support: { readonly [name: string]: ModulePart };
  /** Elements of an array of built-ins: one row, or several that are spread. */
  readonly rows: readonly ModulePart[];
  /** The row of each built-in. */
  readonly builtins: { readonly [name: string]: number };
  /** The declaration that all built-ins use which need the host's cryptography. */
  readonly cryptography: number;
  /** The function that loads RE2, which is larger than all else together. */
  readonly re2: number;
}

/** Units as `dist/` has them: a text in the shared runtime is its start and end there. */
export interface StoredUnits extends Omit<ModuleUnits, 'declarations'> {
  readonly declarations: readonly (Omit<ModuleDeclaration, 'text'> & {
    readonly text: string | readonly [number, number];
  })[];
}

/** Units without RE2: the function that loads it does nothing. */
export function withoutRe2(units: ModuleUnits): ModuleUnits {
  // The build writes the number of a declaration.
  const { text, names } = units.declarations[units.re2]!;
  const idle = { text: `${text.slice(0, text.indexOf('{'))}{}`, uses: [], names };
  return { ...units, declarations: units.declarations.with(units.re2, idle) };
}

/** The name of RE2's class, which the function that loads it assigns. */
export function re2Of({ declarations, re2 }: ModuleUnits): string {
  const [, name] = /\?\?=(\$\w+)/.exec(declarations[re2]?.text ?? '') ?? [];
  if (name === undefined) throw new Error('the runtime of modules does not load RE2');
  return name;
}

/** The export of the shared runtime that takes RE2 of policies that need it. */
export const giveRe2 = '$$giveRe2';

/** The row of a built-in. */
export function rowOf({ builtins, rows }: ModuleUnits, name: string): ModulePart {
  const row = rows[builtins[name] ?? -1];
  if (row === undefined) throw new Error(`the runtime of modules has no built-in ${name}`);
  return row;
}

/** All declarations that some parts use, directly or not, by their numbers and in their order. */
export function usedDeclarations(
  parts: Iterable<ModulePart>,
  { declarations }: ModuleUnits,
): ReadonlyMap<number, ModuleDeclaration> {
  const found = new Set<number>();
  for (const { uses } of parts) for (const use of uses) found.add(use);
  // A set is iterated over numbers that are added meanwhile.
  for (const number of found) for (const use of declarations[number]?.uses ?? []) found.add(use);
  return new Map([...declarations.entries()].filter(([number]) => found.has(number)));
}
