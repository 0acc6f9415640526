/**
 * Inflates short archives without zlib, whose modules take a start four milliseconds to load and
 * to begin. What is damaged or long is left to zlib, so errors are its own.
 */

/** Deflated bytes that take about as long here as loading zlib. */
export const maxDeflated = 8 * 1024;

/** The content may be a thousand times as long. */
const maxContent = 256 * 1024;

interface Inflated {
  readonly content: Uint8Array;
  /** The offset behind the deflated bytes. */
  readonly end: number;
}

/** Codes of a Huffman tree: how many have each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

class Damaged extends Error {}

/** The content of deflated bytes (RFC 1951); undefined where it is damaged or too long. */
export function inflateShort(bytes: Uint8Array, limit: number): Inflated | undefined {
  try {
    return inflated(bytes, Math.min(limit, maxContent));
  } catch (error) {
    if (error instanceof Damaged) return undefined;
    throw error;
  }
}

/** Reads deflated bytes by bits, the lowest of a byte first. */
class BitReader {
  /** The next byte. */
  at = 0;
  readonly #bytes: Uint8Array;
  /** Bits of earlier bytes that were not read. */
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bits(count: number): number {
    for (; this.#count < count; this.#count += 8) this.#held |= this.byte() << this.#count;
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }

  symbol({ counts, symbols }: Codes): number {
    let held = this.#held;
    let left = this.#count;
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= maxLength; length++) {
      if (left === 0) {
        held = this.byte();
        left = 8;
      }
      code |= held & 1;
      held >>>= 1;
      left--;
      const count = counts[length]!;
      if (code - count < first) {
        this.#held = held;
        this.#count = left;
        return symbols[index + code - first]!;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Damaged();
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new Damaged();
    return byte;
  }

  /** Stored bytes, which begin with the next byte. */
  stored(): Uint8Array {
    this.#held = 0;
    this.#count = 0;
    const length = this.byte() | (this.byte() << 8);
    const complement = this.byte() | (this.byte() << 8);
    const start = this.at;
    this.at += length;
    if (complement !== (~length & 0xffff) || this.at > this.#bytes.length) throw new Damaged();
    return this.#bytes.subarray(start, this.at);
  }
}

/** Content that grows up to a limit. */
class Content {
  readonly #limit: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#bytes = new Uint8Array(Math.min(limit, 16 * 1024));
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  #makeRoom(count: number): void {
    const needed = this.#size + count;
    if (needed <= this.#bytes.length) return;
    if (needed > this.#limit) throw new Damaged();
    const larger = new Uint8Array(Math.min(this.#limit, 2 * needed));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  add(byte: number): void {
    if (this.#size === this.#bytes.length) this.#makeRoom(1);
    this.#bytes[this.#size++] = byte;
  }

  addAll(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Repeats earlier bytes. The padding of a tar is runs of zeros. */
  repeat(length: number, distance: number): void {
    if (distance > this.#size) throw new Damaged();
    this.#makeRoom(length);
    const bytes = this.#bytes;
    const start = this.#size;
    const end = start + length;
    if (distance === 1) bytes.fill(bytes[start - 1]!, start, end);
    else if (distance >= length) bytes.copyWithin(start, start - distance, end - distance);
    else for (let i = start; i < end; i++) bytes[i] = bytes[i - distance]!;
    this.#size = end;
  }
}

function inflated(bytes: Uint8Array, limit: number): Inflated {
  const reader = new BitReader(bytes);
  const content = new Content(limit);
  for (let isLast = false; !isLast; ) {
    isLast = reader.bits(1) === 1;
    const type = reader.bits(2);
    if (type === 0) content.addAll(reader.stored());
    else if (type === 1) readBlock(reader, content, fixedCodes());
    else if (type === 2) readBlock(reader, content, readCodes(reader));
    else throw new Damaged();
  }
  return { content: content.bytes, end: reader.at };
}

function readBlock(reader: BitReader, content: Content, [literals, distances]: readonly [Codes, Codes]): void {
  for (;;) {
    const symbol = reader.symbol(literals);
    if (symbol < endOfBlock) content.add(symbol);
    else if (symbol === endOfBlock) return;
    else {
      const length = extended(reader, lengths, symbol - endOfBlock - 1);
      content.repeat(length, extended(reader, distancesOf, reader.symbol(distances)));
    }
  }
}

/** A length or a distance: the base of a symbol, and bits that are added to it. */
function extended(reader: BitReader, { bases, bits }: typeof lengths, symbol: number): number {
  const base = bases[symbol];
  if (base === undefined) throw new Damaged();
  return base + reader.bits(bits[symbol]!);
}

/** The codes of literals and of distances, whose lengths are coded themselves. */
function readCodes(reader: BitReader): readonly [Codes, Codes] {
  const literals = reader.bits(5) + 257;
  const distances = reader.bits(5) + 1;
  const count = reader.bits(4) + 4;
  if (literals > 286 || distances > 30) throw new Damaged();
  const ofLengths = new Uint8Array(lengthOrder.length);
  for (let i = 0; i < count; i++) ofLengths[lengthOrder[i]!] = reader.bits(3);
  const codes = codesOf(ofLengths);
  if (!isComplete(codes)) throw new Damaged();
  const all = readLengths(reader, codes, literals + distances);
  if (all[endOfBlock] === 0) throw new Damaged();
  const both = [codesOf(all.subarray(0, literals)), codesOf(all.subarray(literals))] as const;
  if (!both.every((each) => isComplete(each) || hasOneBit(each))) throw new Damaged();
  return both;
}

function readLengths(reader: BitReader, codes: Codes, count: number): Uint8Array {
  const found = new Uint8Array(count);
  for (let i = 0; i < count; ) {
    const symbol = reader.symbol(codes);
    if (symbol < 16) {
      found[i++] = symbol;
      continue;
    }
    if (symbol === 16 && i === 0) throw new Damaged();
    const length = symbol === 16 ? found[i - 1]! : 0;
    const end = i + (symbol === 16 ? 3 + reader.bits(2) : symbol === 17 ? 3 + reader.bits(3) : 11 + reader.bits(7));
    if (end > count) throw new Damaged();
    found.fill(length, i, end);
    i = end;
  }
  return found;
}

const maxLength = 15;
const endOfBlock = 256;
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const lengths = {
  bases: [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258],
  bits: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
};
const distancesOf = {
  bases: [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
    24577,
  ],
  bits: [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13],
};

/** The codes of symbols with these lengths. Throws where there are more codes than bits allow. */
function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(maxLength + 1);
  for (const length of lengths) if (length > 0) counts[length]!++;
  if (codesLeft(counts) < 0) throw new Damaged();
  const next = new Uint16Array(maxLength + 2);
  for (let length = 1; length <= maxLength; length++) next[length + 1] = next[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length > 0) symbols[next[length]!++] = symbol;
  }
  return { counts, symbols };
}

function codesLeft(counts: Uint16Array): number {
  let left = 1;
  for (let length = 1; length <= maxLength && left >= 0; length++) left = 2 * left - counts[length]!;
  return left;
}

function isComplete({ counts }: Codes): boolean {
  return codesLeft(counts) === 0;
}

/** Whether there is at most one code, of one bit: then the other may be unused. */
function hasOneBit({ counts }: Codes): boolean {
  return counts.every((count, length) => length === 1 || count === 0);
}

function fixedCodes(): [Codes, Codes] {
  const literals = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  return [codesOf(literals), codesOf(new Uint8Array(30).fill(5))];
}

let table: Int32Array | undefined;

/** The CRC-32 of bytes. */
export function checksumOf(bytes: Uint8Array): number {
  table ??= checksumTable();
  let sum = -1;
  for (let i = 0; i < bytes.length; i++) sum = table[(sum ^ bytes[i]!) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}

function checksumTable(): Int32Array {
  const made = new Int32Array(256);
  for (let i = 0; i < made.length; i++) {
    let sum = i;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    made[i] = sum;
  }
  return made;
}
