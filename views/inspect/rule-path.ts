import type { AddressedOwner } from '../../ir-schema/index.js';

/**
 * The path of an entrypoint or of a function's rule in `data`. Compilers put a group of their own
 * (`g0`) first, which stands for `data`. Functions for some keys of a rule have its name and `[_]`
 * for the keys, and no path of a rule. Empty for a function of none.
 */
export function rulePath({ kind, name, body }: AddressedOwner): readonly string[] {
  if (kind === 'plan') return name.split('/');
  const [group, ...rest] = ('path' in body && body.path) || [];
  if (group !== undefined && rest.length > 0 && /^g\d+$/.test(group)) return rest;
  return /^g\d+\.data\.(.*)$/s.exec(body.name)?.[1]?.split('.') ?? [];
}
