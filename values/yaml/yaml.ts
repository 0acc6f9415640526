/**
 * YAML in and out, as the reference's library (go-yaml under a JSON conversion) has it. Its reader
 * takes some milliseconds to load: import this file when YAML is needed, not before.
 */
import { YAMLException } from 'js-yaml';
import { SizeError } from '../memory.js';
import { ExactNumber } from '../numbers/number.js';
import type { Value } from '../value.js';
import { complaint } from './complaint.js';
import { mayHaveAliases, mostExpanded } from './merge.js';
import { firstDocument } from './reader.js';
import { YamlWriter } from './writer.js';
import { YamlError } from './yaml-error.js';

/**
 * The value of the first document of a YAML text, null for an empty text. No object is in it twice:
 * aliases become copies. Throws a YamlError.
 */
export function parseYaml(text: string): Value {
  if (!text.isWellFormed()) throw new YamlError(`yaml: ${byteComplaint(text)}`);
  try {
    const value = firstDocument(text);
    // A value that is in it twice came by an alias, and only aliases expand a text.
    if (!mayHaveAliases(text)) return value;
    const isShared = checkSize(value, mostExpanded(text));
    return isShared ? unshared(value) : value;
  } catch (error) {
    if (error instanceof RangeError || isTooDeep(error)) throw YamlError.tooDeep();
    if (error instanceof YAMLException) throw new YamlError(`yaml: ${complaint(error, text)}`);
    throw error;
  }
}

function isTooDeep(error: unknown): boolean {
  return error instanceof YAMLException && /^nesting exceeded maxDepth/.test(error.reason ?? '');
}

/**
 * The complaint about the first bytes that are no UTF-8, which are lone surrogates here (utf8.ts).
 */
function byteComplaint(text: string): string {
  const [bytes] = /(?:(?<![\ud800-\udbff])[\udc80-\udcff])+/.exec(text) ?? [''];
  const first = bytes.charCodeAt(0) - 0xdc00;
  if (!(first >= 0xc2 && first <= 0xf4)) return 'invalid leading UTF-8 octet';
  return text.endsWith(bytes) && bytes.length < (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)
    ? 'incomplete UTF-8 octet sequence'
    : 'invalid trailing UTF-8 octet';
}

/**
 * Counts values as often as they are seen from the root: aliases share them, so a short text may
 * have a great many. Answers whether any are shared.
 */
function checkSize(root: Value, limit: number): boolean {
  let isShared = false;
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const sizeOf = (value: Value): number => {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 1;
    const known = sizes.get(value);
    if (known !== undefined) {
      isShared = true;
      return known;
    }
    if (open.has(value)) throw new YamlError('yaml: anchor value contains itself');
    open.add(value);
    let size = 1;
    for (const member of Array.isArray(value)
      ? (value as readonly Value[])
      : Object.values(value as Record<string, Value>)) {
      size += sizeOf(member);
      if (size > limit) throw new YamlError('yaml: document contains excessive aliasing');
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  sizeOf(root);
  return isShared;
}

function unshared(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return (value as readonly Value[]).map(unshared);
  return Object.fromEntries(
    Object.entries(value as Record<string, Value>).map(([key, member]) => [key, unshared(member)]),
  );
}

/**
 * A value as a YAML text, keys with numbers counting up (see `key-order.ts`). Throws a YamlError
 * where it nests too deeply.
 */
export function toYaml(value: Value): string {
  try {
    return `${new YamlWriter().write(value)}\n`;
  } catch (error) {
    if (error instanceof RangeError && !(error instanceof SizeError)) throw YamlError.tooDeep();
    throw error;
  }
}
