/** One base document that a host writes or removes. */

import type { Change } from '../../engine/index.js';
import { isDocumentObject, type Path } from '../../runtime/index.js';
import { objectGet, type PlainObject, type Value } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';
import { checkedDocument } from '../sources/sources.js';
import { segmentsOf } from './document-path.js';

/**
 * The change that writes a value at a path; undefined removes it, and there may be nothing to do.
 * Throws an EngineError where something that is no object is above the path.
 */
export function documentChange(
  root: PlainObject,
  path: string,
  value: unknown,
  transferred: boolean,
): Change | undefined {
  const segments = segmentsOf(path);
  const given = value === undefined ? undefined : (checkedDocument(value, segments) as Value);
  const place = placeIn(root, segments);
  if (place === 'none') throw new EngineError('invalid_path', `${path}: documents above it must be objects`);
  if (given === undefined && place === 'free') return undefined;
  if (given === undefined && segments.length > 0) return { data: [{ op: 'remove', path: segments }] };
  return { data: [{ op: 'write', path: segments, value: given === undefined ? {} : given, transferred }] };
}

/** Whether a document is at a path; `none` where something that is no object is above it. */
function placeIn(root: PlainObject, path: Path): 'taken' | 'free' | 'none' {
  let node: Value | undefined = root;
  for (const key of path) {
    if (!isDocumentObject(node)) return 'none';
    node = objectGet(node, key);
    if (node === undefined) return 'free';
  }
  return 'taken';
}
