/** Bodies of PATCH requests: JSON Patch as the Data API takes it. */
import { objectGet } from '../values/compare.js';
import { isArray, isObject, isString, typeName, type Value } from '../values/value.js';
import type { Path } from './path.js';
import type { DataOperation } from './store.js';

/** A body that is no list of operations, or an operation that the API does not take. The message is the reference's where it has one. */
export class PatchError extends Error {
  readonly code = 'invalid_parameter';

  constructor(message: string) {
    super(message);
    this.name = 'PatchError';
  }
}

/**
 * The operations of a JSON Patch, each below `root`. Slashes around a path do not count, so that `x`, `/x` and `x/` are the same; `~0` and `~1`
 * stand for `~` and `/`, and percent signs escape. `null` is an empty patch, and a missing value is null. Throws a PatchError.
 */
export function patchOperations(root: Path, body: Value): DataOperation[] {
  if (body === null) return [];
  if (!isArray(body)) throw new PatchError(`json: cannot unmarshal ${typeName(body)} into a list of patch operations`);
  return body.map((row) => {
    if (row !== null && !isObject(row)) throw new PatchError(`json: cannot unmarshal ${typeName(row)} into a patch operation`);
    const op = textOf(row, 'op');
    const path = [...root, ...patchPath(textOf(row, 'path'))];
    if (op === 'remove') return { op, path };
    if (op !== 'add' && op !== 'replace') throw new PatchError(`bad patch operation: ${op}`);
    return { op, path, value: (row === null ? undefined : objectGet(row, 'value')) ?? null };
  });
}

function textOf(row: Value, name: string): string {
  const value = row === null || !isObject(row) ? null : (objectGet(row, name) ?? null);
  if (value === null) return '';
  if (!isString(value))
    throw new PatchError(`json: cannot unmarshal ${typeName(value)} into the field ${name} of a patch operation, a string`);
  return value;
}

/** The segments of an operation's path. */
export function patchPath(text: string): Path {
  const trimmed = text.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split('/').map(unescapeSegment);
}

function unescapeSegment(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // What is no escape stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
