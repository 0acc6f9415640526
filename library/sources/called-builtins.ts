import type { NamedBundle } from '../../engine/index.js';

/**
 * The names of functions that plans call, and those that they declare; undefined, all, where a
 * bundle has policies without a plan. Plans need not be well formed.
 */
export function calledBy(bundles: readonly NamedBundle[]): ReadonlySet<string> | undefined {
  if (bundles.some(({ bundle }) => bundle.modules.length > 0 && bundle.plans.length === 0)) return undefined;
  const names = new Set<string>();
  const waiting: unknown[] = bundles.flatMap(({ bundle }) => bundle.plans.map(({ policy }) => policy));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const { func, name } = next as { readonly func?: unknown; readonly name?: unknown };
    if (typeof func === 'string') names.add(func);
    if (typeof name === 'string') names.add(name);
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) waiting.push(part);
  }
  return names;
}
