/** UUIDs; their parts are named as in RFC 4122. */
import { keyText } from '../../../hash.js';
import { numberFromInteger } from '../../../numbers/number.js';
import type { ObjectValue, Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { hexByte, randomUuid } from './random-uuid.js';

/** A random version 4 UUID, the same for the same operand throughout an evaluation. */
export function rfc4122(operand: Value, context: BuiltinContext): string {
  const key = `uuid.rfc4122 ${keyText(operand)}`;
  let id = context.memory.get(key) as string | undefined;
  if (id === undefined) context.memory.set(key, (id = randomUuid(() => Math.floor(context.random() * 256))));
  return id;
}

/**
 * The 32 hex digits of a UUID: plain, with dashes, after `urn:uuid:`, or between any two characters
 * (braces, as a rule).
 */
function hexOf(text: string): string | undefined {
  if (text.length === 32) return /^[0-9a-f]{32}$/i.test(text) ? text : undefined;
  let dashed = text;
  if (text.length === 45 && /^urn:uuid:/i.test(text)) dashed = text.slice(9);
  else if (text.length === 38) dashed = text.slice(1, 37);
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(dashed) ? dashed.replaceAll('-', '') : undefined;
}

/** Between 1582-10-15, when versions 1 and 2 begin to count, and 1970, in steps of 100 ns. */
const stepsBefore1970 = 122_192_928_000_000_000n;

const domains = ['Person', 'Group', 'Org'];

/**
 * Version and variant, for versions 1 and 2 also time, node and clock; undefined where the text is
 * no UUID.
 */
export function parseUuid(text: string): ObjectValue | undefined {
  const hex = hexOf(text);
  if (hex === undefined) return undefined;
  const byteAt = (i: number): number => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  const version = byteAt(6) >> 4;
  const parts: { [key: string]: Value } = { version, variant: variantOf(byteAt(8)) };
  if (version !== 1 && version !== 2) return parts;
  const steps = BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
  parts.time = numberFromInteger(BigInt.asIntN(64, (steps - stepsBefore1970) * 100n));
  parts.nodeid = Array.from({ length: 6 }, (_, i) => hexByte(byteAt(10 + i))).join('-');
  const first = byteAt(10);
  parts.macvariables = `${(first & 2) === 0 ? 'global' : 'local'}:${(first & 1) === 0 ? 'unicast' : 'multicast'}`;
  parts.clocksequence = ((byteAt(8) << 8) | byteAt(9)) & 0x3fff;
  if (version === 2) {
    parts.id = Number.parseInt(hex.slice(0, 8), 16);
    parts.domain = domains[byteAt(9)] ?? `Domain${byteAt(9)}`;
  }
  return parts;
}

function variantOf(byte: number): string {
  if ((byte & 0xc0) === 0x80) return 'RFC4122';
  if ((byte & 0xe0) === 0xc0) return 'Microsoft';
  return (byte & 0xe0) === 0xe0 ? 'Future' : 'Reserved';
}
