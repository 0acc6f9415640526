/** A plan in the place of a bundle. */
import { inSlices, isObject, lenientTextOfFile, parseJson, type Value } from '../../values/index.js';
import { isGzip } from './archive/archive.js';
import { type Bundle, emptyBundle } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { cleanPath } from './bundle-paths.js';
import { largeDocument } from './data-files.js';
import type { ReadOptions } from './read.js';

/** Whether bytes begin as a JSON object does. */
export function isPlanText(bytes: Uint8Array): boolean {
  return !isGzip(bytes) && /^\s*\{/.test(lenientTextOfFile(bytes.subarray(0, 100)));
}

/** The bundle of a plan's file. Rejects with a BundleError. */
export async function planAlone(
  path: string,
  bytes: Uint8Array,
  { inSlices: isSliced, take }: ReadOptions,
): Promise<Bundle> {
  const read = isSliced === true && take !== undefined ? await inSlices(largeDocument(bytes, take)) : undefined;
  let policy: Value;
  try {
    policy = read ?? parseJson(lenientTextOfFile(bytes));
  } catch (error) {
    throw new BundleError('syntax', `plan load failed: ${(error as Error).message}`, path);
  }
  if (!isObject(policy) || !Object.hasOwn(policy, 'plans')) {
    throw new BundleError(
      'syntax',
      'expected a bundle archive, a directory, or a plan (a JSON object with "plans")',
      path,
    );
  }
  const plan = { path: cleanPath(path), url: cleanPath(path), bundlePath: '/plan.json', policy, bytes };
  return { ...emptyBundle, plans: [plan], files: new Map([[plan.bundlePath, bytes]]) };
}
