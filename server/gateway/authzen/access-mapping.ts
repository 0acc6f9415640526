/** Requests to the decisions that answer them. */
import type { PlainObject } from '../../../values/index.js';
import type { AccessRequest } from './access-request.js';
import type { AuthzenConfig, MappedPath } from './authzen-config.js';

/** The path of the decision about a request. */
export function mappedPath(
  { path, paths }: AuthzenConfig,
  { subject, action, resource }: AccessRequest,
): readonly string[] {
  return (
    paths.find(
      (row) =>
        fits(row.subjectType, subject, 'type') && fits(row.action, action, 'name') && fitsResource(row, resource),
    )?.path ?? path
  );
}

/** The decisions about a subject and a resource for all actions, and the actions that rows name. */
export function pathsOfActions(
  { path, paths }: AuthzenConfig,
  { subject, resource }: Pick<AccessRequest, 'subject' | 'resource'>,
): { readonly paths: readonly (readonly string[])[]; readonly actions: readonly string[] } {
  const rows = paths.filter((row) => fits(row.subjectType, subject, 'type') && fitsResource(row, resource));
  const byText = new Map([...rows.map((row) => row.path), path].map((each) => [each.join('/'), each]));
  return { paths: [...byText.values()], actions: rows.flatMap(({ action }) => action ?? []) };
}

function fitsResource({ resourceType }: MappedPath, resource: PlainObject): boolean {
  return fits(resourceType, resource, 'type');
}

function fits(wanted: string | undefined, entity: PlainObject, name: 'type' | 'name'): boolean {
  return wanted === undefined || entity[name] === wanted;
}
