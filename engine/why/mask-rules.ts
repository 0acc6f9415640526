/** Rules of the mask decision: values to remove from decision log events, or to replace. */
import { isArray, isObject, objectGet, type PlainObject, typeName, type Value } from '../../values/index.js';

/** A malformed mask decision. */
export class MaskError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MaskError';
  }
}

export interface MaskRule {
  readonly op: 'remove' | 'upsert';
  /** The path of the value. Its first segment is a field of the event. */
  readonly path: readonly string[];
  /** The new value of an upsert. */
  readonly value: Value;
}

/** The fields that rules may change. */
const maskable = ['input', 'result', 'nd_builtin_cache'];

/**
 * Reads the result of a mask decision: paths to remove, and objects with `op`, `path` and `value`.
 * Throws a MaskError with the reference's sentence.
 */
export function maskRules(decision: Value): readonly MaskRule[] {
  if (!isArray(decision)) throw new MaskError(`unexpected rule format: ${typeName(decision)}`);
  return decision.map((row) => {
    if (typeof row === 'string') return maskRule('remove', row, null);
    if (!isObject(row)) throw new MaskError(`invalid mask rule format encountered: ${typeName(row)}`);
    return maskRule(text(row as PlainObject, 'op'), text(row as PlainObject, 'path'), objectGet(row, 'value') ?? null);
  });
}

function text(row: PlainObject, name: string): string {
  const value = objectGet(row, name);
  if (value === undefined) return '';
  if (typeof value !== 'string' || value === '') throw new MaskError(`invalid "${name}" value: ${typeName(value)}`);
  return value;
}

function maskRule(op: string, path: string, value: Value): MaskRule {
  if (path === '') throw new MaskError('mask must be non-empty');
  if (!path.startsWith('/')) throw new MaskError('mask must be slash-prefixed');
  const segments = path.slice(1).split('/');
  const [document = ''] = segments;
  if (!maskable.includes(document)) throw new MaskError(`mask prefix not allowed: ${document}`);
  if (op !== 'remove' && op !== 'upsert') throw new MaskError(`mask op is not supported: ${op}`);
  return { op, path: segments.map(unescapeSegment), value };
}

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new MaskError(`invalid URL escape ${JSON.stringify(segment)}`);
  }
}
