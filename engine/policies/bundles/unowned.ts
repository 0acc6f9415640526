/** The part of a change that bundles leave to others: outside of their roots. */

import type { DataOperation } from '../../../runtime/index.js';
import { allAtOnce, isObject, objectGet, type PlainObject, type Value } from '../../../values/index.js';
import { rootContains, rootsOwn } from '../../bundle/roots.js';
import type { Change } from '../../change.js';
import type { PolicyRecord, Version } from '../../version.js';
import type { Reading } from '../language.js';
import { isWithin } from './bundle-roots.js';

/**
 * A change without its policies and documents within the roots of active bundles. Its other parts
 * stay as they are.
 * @param dataAt the document at a path, undefined where there is none
 */
export async function unownedPart(
  change: Change,
  { active, records }: Pick<Version, 'active' | 'records'>,
  dataAt: (path: readonly string[]) => Value | undefined,
  reading: Reading,
): Promise<Change> {
  const roots = active.flatMap((bundle) => bundle.roots);
  if (roots.length === 0) return change;
  const policies = new Map<string, string | undefined>();
  for (const [id, raw] of change.policies ?? []) {
    const existing = records.get(id);
    if (existing?.bundle !== undefined) continue;
    if (raw === undefined || !(await isOwned(id, raw, roots, reading))) policies.set(id, raw);
    else if (existing !== undefined) policies.set(id, undefined);
  }
  const data = change.data?.flatMap((operation) => unownedOperations(operation, roots, dataAt(operation.path)));
  return { ...change, ...(change.policies && { policies }), ...(data && { data }) };
}

/** A text with faults is nobody's: the commit reports them. */
async function isOwned(id: string, raw: string, roots: readonly string[], reading: Reading): Promise<boolean> {
  const { parsePolicySteps } = await import('../compile-policies.js');
  let record: PolicyRecord;
  try {
    record = allAtOnce(parsePolicySteps({ id, raw, file: id }, reading));
  } catch {
    return false;
  }
  return isWithin(record, roots);
}

/**
 * The operations that have an operation's effect outside of the roots: where a root lies below its
 * path, those of the other keys.
 */
function unownedOperations(
  operation: DataOperation,
  roots: readonly string[],
  before: Value | undefined,
): readonly DataOperation[] {
  const { path } = operation;
  if (rootsOwn(roots, path)) return [];
  if (!roots.some((root) => rootContains(path, root.split('/')))) return [operation];
  const value = operation.op === 'remove' ? {} : operation.value;
  // Only an object has a place for the bundle's documents.
  if (!isObject(value)) return [];
  const former = before !== undefined && isObject(before) ? (before as PlainObject) : {};
  const keys = new Set([...Object.keys(former), ...Object.keys(value as PlainObject)]);
  const transferred = operation.op !== 'remove' && operation.transferred === true;
  return [...keys].flatMap((key): readonly DataOperation[] => {
    const at = { path: [...path, key] };
    const inner = objectGet(value, key);
    const one: DataOperation =
      inner === undefined ? { op: 'remove', ...at } : { op: 'write', ...at, value: inner, transferred };
    return unownedOperations(one, roots, objectGet(former, key));
  });
}
