/** Ownership by bundles: clients may not write within or above the roots of an active bundle. */

import { storePathText } from '../../../runtime/index.js';
import { slashPath } from '../../bundle/package-path.js';
import { rootContains, rootsOwn } from '../../bundle/roots.js';
import type { Change } from '../../change.js';
import { PolicyError } from '../../policy-error.js';
import type { ActiveBundle, PolicyRecord } from '../../version.js';

/** The path of a policy's package, without `data`. */
function packageSegments({ package: { path } }: PolicyRecord['module']): readonly string[] {
  return path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
}

/** Whether a policy's package lies within one of the roots of a bundle. */
export function isWithin({ module }: Pick<PolicyRecord, 'module'>, roots: readonly string[]): boolean {
  return rootsOwn(roots, packageSegments(module));
}

/** Throws a PolicyError where the data operations of a change meet a bundle's roots. */
export function checkDataOwnership({ data = [] }: Change, bundles: readonly ActiveBundle[]): void {
  if (bundles.length === 0) return;
  for (const { path } of data) {
    if (path.length === 0)
      throw new PolicyError('owned_by_bundle', "can't write to document root with bundle roots configured");
    checkPath(path, bundles);
  }
}

/** Throws a PolicyError where a policy's package is a bundle's. */
export function checkPolicyOwnership(record: PolicyRecord, bundles: readonly ActiveBundle[]): void {
  if (bundles.length > 0) checkPath(packageSegments(record.module), bundles);
}

function checkPath(path: readonly string[], bundles: readonly ActiveBundle[]): void {
  for (const { name, roots } of bundles) {
    if (roots.includes(''))
      throw new PolicyError('owned_by_bundle', `all paths owned by bundle ${JSON.stringify(name)}`);
    if (rootsOwn(roots, path) || roots.some((root) => leadsTo(path, root)))
      throw new PolicyError(
        'owned_by_bundle',
        `path ${storePathText(path).slice(1)} is owned by bundle ${JSON.stringify(name)}`,
      );
  }
}

/** Whether a root lies below a path. */
function leadsTo(path: readonly string[], root: string): boolean {
  const segments = root.split('/');
  return rootContains(path, segments) || rootContains(slashPath(path).split('/'), segments);
}
