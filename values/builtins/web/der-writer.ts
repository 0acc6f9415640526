/** Writes DER, the strict encoding of ASN.1: as much of it as keys need. */
import { joinBytes } from '../../text/join-bytes.js';
import { tags } from '../lib/x509/der.js';

/** An element of a tag over its contents, one behind the other. */
export function derElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = joinBytes(contents);
  const { length } = content;
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const head = length < 128 ? [tag, length] : [tag, 0x80 + digits.length, ...digits];
  return joinBytes([Uint8Array.from(head), content]);
}

/** An integer of the bytes of its two's complement. */
export function derInteger(bytes: Uint8Array): Uint8Array {
  return derElement(tags.integer, bytes);
}

export const derNull: Uint8Array = derElement(tags.null);

/** Identifiers of algorithms of keys (RFC 3279 and RFC 5480), whole elements. */
export const oids = {
  rsa: derElement(tags.oid, Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01)),
  ec: derElement(tags.oid, Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01)),
};
