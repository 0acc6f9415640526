import { objectGet } from '../compare.js';
import { isArray, isObject, type Value } from '../value.js';

/** Decodes a segment of a JSON pointer: `~1` is a slash, `~0` a tilde (RFC 6901, section 4). */
export function unescapedSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

/** Decodes a segment in a URI, where it may have percent escapes (RFC 6901, section 6). */
export function fragmentSegment(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // A percent sign that begins no escape.
  }
  return unescapedSegment(text);
}

/**
 * The segments of a reference into the same document; undefined for one into another document, and
 * for one that is no pointer.
 *
 * @example fragmentSegments('#/$defs/user') // ['$defs', 'user']
 */
export function fragmentSegments(reference: string): readonly string[] | undefined {
  if (reference === '#' || reference === '') return [];
  return reference.startsWith('#/') ? reference.slice(2).split('/').map(fragmentSegment) : undefined;
}

/** The value behind segments of a pointer; undefined where there is none. */
export function valueBehind(root: Value, segments: readonly string[]): Value | undefined {
  let value: Value | undefined = root;
  for (const segment of segments) {
    if (value === undefined) return undefined;
    if (isArray(value)) value = /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    else value = isObject(value) ? objectGet(value, segment) : undefined;
  }
  return value;
}
