/**
 * Built-ins that a capabilities file declares but nothing implements. Policies may name and replace
 * them; a call ends the evaluation.
 */

import type { Type } from '../type.js';
import { arg, type Builtin } from './builtin.js';
import { HaltError } from './builtin-errors.js';
import { RowTable } from './families/row-table.js';
import { unchecked } from './read-operands.js';

/** A row of a capabilities file. */
export interface CapabilityRow {
  readonly name: string;
  readonly decl?: { readonly args?: readonly Type[]; readonly result?: Type; readonly variadic?: Type };
  readonly relation?: boolean;
  readonly deprecated?: boolean;
}

export function declaredBuiltin({ name, decl = {}, relation, deprecated }: CapabilityRow): Builtin {
  const { args = [], result, variadic } = decl;
  return {
    name,
    // Nothing is known of its operands.
    args: args.map((type) => arg('', type, unchecked)),
    result,
    body: unsupported,
    // Nor is it known that two calls are alike.
    nondeterministic: true,
    ...(variadic && { variadic }),
    ...(relation === true && { relation }),
    ...(deprecated === true && { deprecated }),
  };
}

function unsupported(): never {
  throw new HaltError('eval_internal_error', 'unsupported built-in');
}

/** The rows of capabilities that are not among the available built-ins. */
export function declaredOnly(
  capabilities: { readonly builtins?: readonly { readonly name: string }[] } | undefined,
  available: ReadonlyMap<string, Builtin>,
): readonly Builtin[] {
  const rows = (capabilities?.builtins ?? []) as readonly CapabilityRow[];
  return rows.filter(({ name }) => !available.has(name)).map(declaredBuiltin);
}

/** The available built-ins, and the built-ins that only the capabilities declare. */
export function withDeclared(
  available: ReadonlyMap<string, Builtin>,
  capabilities: { readonly builtins?: readonly { readonly name: string }[] } | undefined,
): ReadonlyMap<string, Builtin> {
  return withRows(available, declaredOnly(capabilities, available));
}

/** The available built-ins and some more. */
export function withRows(
  available: ReadonlyMap<string, Builtin>,
  rows: readonly Builtin[],
): ReadonlyMap<string, Builtin> {
  if (rows.length === 0) return available;
  if (available instanceof RowTable) return available.with(rows);
  return new Map([...available, ...rows.map((row) => [row.name, row] as const)]);
}
