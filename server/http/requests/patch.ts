/** Patches of documents in requests, as operations of the store. */

import { type DataOperation, pointerSegments } from '../../../runtime/index.js';
import type { Steps } from '../../../values/index.js';
import { isArray, isObject, type PlainObject, unescapedSegment, type Value } from '../../../values/index.js';
import { invalidParameter } from '../responses/api-error.js';
import { memberOf } from './input.js';
import { percentDecoded } from './params.js';

/** The operations of a patch, whose paths begin with the request's. Throws an ApiError. */
export function* patchOperations(patch: Value, root: readonly string[], most: number): Steps<readonly DataOperation[]> {
  if (patch === null) return [];
  if (!isArray(patch)) throw invalidParameter('a patch must be an array of operations');
  if (patch.length > most) throw invalidParameter(`patch has ${patch.length} operations; at most ${most} are allowed`);
  const operations: DataOperation[] = [];
  const base = root.map(unescapedSegment);
  for (const row of patch) {
    operations.push(operationOf(row, base));
    if (operations.length % operationsOfStep === 0) yield;
  }
  return operations;
}

/** The operations that one step reads. */
const operationsOfStep = 512;

function operationOf(row: Value, base: readonly string[]): DataOperation {
  if (row !== null && !isObject(row)) throw invalidParameter('a patch operation must be an object');
  const fields = (row ?? {}) as PlainObject;
  const op = text(fields, 'op');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw invalidParameter(`bad patch operation: ${op}`);
  const path = [...base, ...patchPath(text(fields, 'path'))];
  return op === 'remove' ? { op, path } : { op, path, value: memberOf(fields, 'value') ?? null, transferred: true };
}

function text(fields: PlainObject, name: string): string {
  const value = memberOf(fields, name) ?? '';
  if (typeof value !== 'string') throw invalidParameter(`a patch operation's ${name} must be a string`);
  return value;
}

/** As in the reference, percent escapes of a pointer are decoded first. Throws an ApiError. */
function patchPath(pointer: string): readonly string[] {
  return pointerSegments(pointer).map((segment) => {
    const decoded = percentDecoded(segment);
    if (decoded === undefined) throw invalidParameter(`bad patch path: ${pointer}`);
    return unescapedSegment(decoded);
  });
}
