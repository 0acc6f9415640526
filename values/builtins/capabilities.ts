/**
 * The capabilities of this release in the format of a capabilities file. Compilers read from it
 * which built-ins a policy may call.
 */
import type { Type } from '../type.js';
import type { Builtin } from './builtin.js';

/** The release of the reference whose language and built-ins these are. */
export const capabilitiesVersion = 'v1.21.0';

interface BuiltinCapability {
  readonly name: string;
  /** Its fields stand in the order of their names, as the reference writes them. */
  readonly decl: object;
  readonly infix?: string;
  readonly relation?: true;
  readonly nondeterministic?: true;
  readonly deprecated?: true;
}

export interface Capabilities {
  readonly builtins: readonly BuiltinCapability[];
  readonly future_keywords: readonly string[];
  readonly wasm_abi_versions: readonly { readonly version: number; readonly minor_version: number }[];
  readonly features: readonly string[];
  readonly allow_net?: readonly string[];
}

/**
 * The capabilities with these built-ins, for version 1 of the language or, with more that has to be
 * imported, for version 0.
 */
export function capabilitiesOf(builtins: Iterable<Builtin>, regoVersion: 0 | 1 = 1): Capabilities {
  const rows = [...builtins].map(capabilityOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    builtins: rows,
    future_keywords: regoVersion === 0 ? ['and', 'contains', 'every', 'if', 'in', 'not', 'or'] : ['and', 'not', 'or'],
    wasm_abi_versions: [
      { version: 1, minor_version: 1 },
      { version: 1, minor_version: 2 },
    ],
    features:
      regoVersion === 0
        ? [
            'keywords_in_refs',
            'rego_v1',
            'rego_v1_import',
            'rule_head_ref_string_prefixes',
            'rule_head_refs',
            'template_strings',
          ]
        : ['keywords_in_refs', 'rego_v1', 'template_strings'],
  };
}

/** A built-in as a capabilities file lists it. */
export function capabilityOf(row: Builtin): BuiltinCapability {
  const args = row.args.map(({ type }) => sorted(type));
  const decl = {
    ...(args.length > 0 && { args }),
    ...(row.result !== undefined && { result: sorted(row.result) }),
    type: 'function',
    ...(row.variadic !== undefined && { variadic: sorted(row.variadic) }),
  };
  return {
    name: row.name,
    decl,
    ...(row.infix !== undefined && { infix: row.infix }),
    ...(row.relation === true && { relation: true }),
    ...(row.nondeterministic === true && { nondeterministic: true }),
    ...(row.deprecated === true && { deprecated: true }),
  };
}

/** A type with the fields of its objects in the order of their names. */
function sorted(type: Type): object {
  return sortFields(type) as object;
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, sortFields(field)] as const);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
