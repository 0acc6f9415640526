/** Patches of base documents that a host makes. */
import type { Change } from '../../engine/index.js';
import { type DataOperation, pointerSegments } from '../../runtime/index.js';
import { unescapedSegment, type Value } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';
import { checkedDocument } from '../sources/sources.js';
import { segmentsOf } from './document-path.js';

/** An operation of a JSON Patch (RFC 6902); those that only test or move are not among them. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The change that the operations are, below a path. Throws an EngineError for what is no patch, a
 * StoreError for a pointer deeper than documents.
 */
export function documentPatch(path: string, operations: readonly PatchOperation[], transferred: boolean): Change {
  const base = segmentsOf(path);
  if (!Array.isArray(operations)) throw refused('a patch is an array of operations');
  return { data: operations.map((operation: unknown, i) => dataOperation(operation, i, base, transferred)) };
}

function dataOperation(operation: unknown, i: number, base: readonly string[], transferred: boolean): DataOperation {
  if (typeof operation !== 'object' || operation === null) throw refused(`operation ${i} of the patch is no object`);
  const { op, path: pointer, value } = operation as { readonly [member: string]: unknown };
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw refused(`operation ${i} of the patch: op is "add", "replace" or "remove", not ${JSON.stringify(op)}`);
  if (typeof pointer !== 'string')
    throw refused(
      `operation ${i} of the patch: path is a JSON pointer such as "/users/0", not ${JSON.stringify(pointer)}`,
    );
  const path = [...base, ...pointerSegments(pointer).map(unescapedSegment)];
  if (op === 'remove') return { op, path };
  if (value === undefined) throw refused(`operation ${i} of the patch has no value`);
  return { op, path, value: checkedDocument(value, path) as Value, transferred };
}

function refused(message: string): EngineError {
  return new EngineError('invalid_data', message);
}
