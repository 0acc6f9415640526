/**
 * Reads DER, the strict encoding of ASN.1: definite lengths, written as short as they can be, and
 * tag numbers below 31.
 */

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of a context-specific element, `[n]`. */
export function context(number: number, constructed = false): number {
  return 0x80 | (constructed ? 0x20 : 0) | number;
}

export interface DerElement {
  readonly tag: number;
  /** The content. */
  readonly content: DerReader;
  /** The whole of it, tag and length included. */
  readonly raw: Uint8Array;
}

/**
 * Reads one element after the other; where the next element is another one, a method answers
 * undefined and stays at its place.
 */
export class DerReader {
  readonly bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get empty(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** The bytes that were not read yet. */
  get rest(): Uint8Array {
    return this.bytes.subarray(this.#at);
  }

  /** The tag of the next element. */
  peek(): number | undefined {
    return this.bytes[this.#at];
  }

  any(): DerElement | undefined {
    const { bytes } = this;
    const start = this.#at;
    const tag = bytes[start];
    const first = bytes[start + 1];
    if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
    let length = first;
    let at = start + 2;
    if (first >= 0x80) {
      const size = first & 0x7f;
      if (size === 0 || size > 4 || at + size > bytes.length) return undefined;
      length = 0;
      for (const byte of bytes.subarray(at, at + size)) length = length * 256 + byte;
      at += size;
      if (length < 0x80 || length < 256 ** (size - 1)) return undefined;
    }
    if (at + length > bytes.length) return undefined;
    this.#at = at + length;
    return { tag, content: new DerReader(bytes.subarray(at, at + length)), raw: bytes.subarray(start, at + length) };
  }

  element(tag: number): DerElement | undefined {
    return this.peek() === tag ? this.any() : undefined;
  }

  read(tag: number): DerReader | undefined {
    return this.element(tag)?.content;
  }

  octets(tag: number = tags.octetString): Uint8Array | undefined {
    return this.element(tag)?.content.bytes;
  }

  boolean(): boolean | undefined {
    const bytes = this.octets(tags.boolean);
    if (bytes?.length !== 1) return undefined;
    return bytes[0] === 0xff ? true : bytes[0] === 0 ? false : undefined;
  }

  integer(tag: number = tags.integer): bigint | undefined {
    const bytes = this.octets(tag);
    if (bytes === undefined || bytes.length === 0) return undefined;
    const [first, second] = bytes;
    const isLong = second !== undefined && (second < 0x80 ? first === 0 : first === 0xff);
    if (isLong) return undefined;
    let hex = '';
    for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
    return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
  }

  /** The components of an object identifier. */
  oid(): readonly number[] | undefined {
    const bytes = this.octets(tags.oid);
    return bytes === undefined ? undefined : oidOf(bytes);
  }

  bitString(): BitString | undefined {
    const bytes = this.octets(tags.bitString);
    const unused = bytes?.[0];
    const last = bytes?.at(-1);
    if (bytes === undefined || unused === undefined || last === undefined) return undefined;
    if (unused > 7 || (bytes.length === 1 && unused > 0) || (last & ((1 << unused) - 1)) !== 0) return undefined;
    return { bytes: bytes.subarray(1), unused };
  }
}

interface BitString {
  readonly bytes: Uint8Array;
  /** How many bits of the last byte do not count. */
  readonly unused: number;
}

/** The bits as a number's bytes, without the unused ones. */
export function rightAligned({ bytes, unused }: BitString): Uint8Array {
  if (unused === 0) return bytes;
  return bytes.map((byte, i) => (byte >> unused) | ((bytes[i - 1] ?? 0) << (8 - unused)));
}

/**
 * The components of an encoded object identifier, undefined where one is not written in its
 * shortest form or is 2^31 or more.
 */
export function oidOf(bytes: Uint8Array): readonly number[] | undefined {
  if (bytes.length === 0) return undefined;
  const parts: number[] = [];
  let value = 0;
  let inside = false;
  for (const byte of bytes) {
    if (!inside && byte === 0x80) return undefined;
    if (value >= 2 ** 24) return undefined;
    value = value * 128 + (byte & 0x7f);
    inside = byte >= 0x80;
    if (inside) continue;
    if (parts.length === 0) {
      const first = value < 80 ? Math.floor(value / 40) : 2;
      parts.push(first, value - first * 40);
    } else parts.push(value);
    value = 0;
  }
  return inside ? undefined : parts;
}
