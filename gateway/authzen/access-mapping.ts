/** Requests to the decisions that answer them. */
import type { PlainObject } from '../../values/value.js';
import type { AccessRequest } from './access-request.js';
import type { AuthzenConfig, MappedPath } from './authzen-config.js';

/** The path of the decision about a request. */
export function pathOf({ path, paths }: AuthzenConfig, { subject, action, resource }: AccessRequest): readonly string[] {
  return (
    paths.find((row) => fits(row.subjectType, subject, 'type') && fits(row.action, action, 'name') && fitsResource(row, resource))?.path ??
    path
  );
}

function fitsResource({ resourceType }: MappedPath, resource: PlainObject): boolean {
  return fits(resourceType, resource, 'type');
}

function fits(wanted: string | undefined, entity: PlainObject, name: 'type' | 'name'): boolean {
  return wanted === undefined || entity[name] === wanted;
}
