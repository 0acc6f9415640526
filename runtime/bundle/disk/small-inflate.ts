/**
 * Inflates small archives (RFC 1951) without Node's zlib, whose loading would be a tenth of the
 * time of a command.
 */

/** Lengths of codes and where they begin, by symbol: RFC 1951, 3.2.5. */
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
];
/** The order in which the lengths of the codes for lengths are written: 3.2.7. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const longestCode = 15;

/** Bytes that are not what they should be: zlib says what is wrong with them. */
class Irregular extends Error {}

/** A canonical Huffman code: how many codes each length has, and the symbols in their order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: readonly number[];
}

/**
 * The content of deflated bytes, and the offset of their end. Undefined where the bytes are damaged
 * or the content has another size.
 */
export function inflateSmall(bytes: Uint8Array, size: number): { readonly content: Uint8Array; readonly end: number } | undefined {
  try {
    const inflation = new Inflation(bytes, new Uint8Array(size));
    return { content: inflation.content(), end: inflation.end() };
  } catch (error) {
    if (error instanceof Irregular) return undefined;
    throw error;
  }
}

class Inflation {
  readonly #bytes: Uint8Array;
  readonly #content: Uint8Array;
  /** The next bit to read. */
  #at = 0;
  #size = 0;

  constructor(bytes: Uint8Array, content: Uint8Array) {
    this.#bytes = bytes;
    this.#content = content;
  }

  content(): Uint8Array {
    for (let isLast = false; !isLast; ) {
      isLast = this.#bits(1) === 1;
      const kind = this.#bits(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) this.#compressed(fixed.literals, fixed.distances);
      else if (kind === 2) this.#dynamic();
      else throw new Irregular();
    }
    if (this.#size !== this.#content.length) throw new Irregular();
    return this.#content;
  }

  /** The offset of the byte behind the last bit. */
  end(): number {
    return (this.#at + 7) >> 3;
  }

  #bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value |= this.#bit() << i;
    return value;
  }

  #bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new Irregular();
    return (byte >> (this.#at++ & 7)) & 1;
  }

  #symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= longestCode; length++) {
      code = (code << 1) | this.#bit();
      first <<= 1;
      const count = counts[length]!;
      if (code - first < count) return symbols[index + code - first]!;
      index += count;
      first += count;
    }
    throw new Irregular();
  }

  #stored(): void {
    const start = this.end() + 4;
    const view = this.#bytes;
    const length = view[start - 4]! | (view[start - 3]! << 8);
    const part = view.subarray(start, start + length);
    const isLength = (length ^ 0xffff) === (view[start - 2]! | (view[start - 1]! << 8));
    if (start > view.length || !isLength || part.length < length || this.#size + length > this.#content.length) throw new Irregular();
    this.#content.set(part, this.#size);
    this.#size += length;
    this.#at = (start + length) * 8;
  }

  #dynamic(): void {
    const literals = this.#bits(5) + 257;
    const distances = this.#bits(5) + 1;
    const lengths = new Array<number>(19).fill(0);
    for (let i = this.#bits(4) + 4, at = 0; at < i; at++) lengths[lengthOrder[at]!] = this.#bits(3);
    const all = this.#lengths(codeOf(lengths), literals + distances);
    this.#compressed(codeOf(all.slice(0, literals)), codeOf(all.slice(literals)));
  }

  #lengths(code: Code, count: number): readonly number[] {
    const lengths: number[] = [];
    while (lengths.length < count) {
      const symbol = this.#symbol(code);
      if (symbol < 16) lengths.push(symbol);
      else {
        const repeated = symbol === 16 ? lengths.at(-1) : 0;
        const times = symbol === 18 ? this.#bits(7) + 11 : symbol === 17 ? this.#bits(3) + 3 : this.#bits(2) + 3;
        if (repeated === undefined) throw new Irregular();
        for (let i = 0; i < times; i++) lengths.push(repeated);
      }
    }
    if (lengths.length > count) throw new Irregular();
    return lengths;
  }

  #compressed(literals: Code, distances: Code): void {
    const content = this.#content;
    for (let symbol = this.#symbol(literals); symbol !== 256; symbol = this.#symbol(literals)) {
      if (symbol < 256) {
        if (this.#size === content.length) throw new Irregular();
        content[this.#size++] = symbol;
        continue;
      }
      const row = symbol - 257;
      if (row >= lengthBases.length) throw new Irregular();
      const length = lengthBases[row]! + this.#bits(row < 8 || row === 28 ? 0 : (row >> 2) - 1);
      const away = this.#symbol(distances);
      if (away >= distanceBases.length) throw new Irregular();
      const distance = distanceBases[away]! + this.#bits(away < 4 ? 0 : (away >> 1) - 1);
      if (distance > this.#size || this.#size + length > content.length) throw new Irregular();
      for (let i = 0; i < length; i++, this.#size++) content[this.#size] = content[this.#size - distance]!;
    }
  }
}

/** @param lengths of the codes by symbol; 0: the symbol has none */
function codeOf(lengths: readonly number[]): Code {
  const counts = new Uint16Array(longestCode + 1);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const symbols: number[] = [];
  for (let length = 1; length <= longestCode; length++)
    for (let symbol = 0; counts[length]! > 0 && symbol < lengths.length; symbol++) if (lengths[symbol] === length) symbols.push(symbol);
  return { counts, symbols };
}

/** The codes of 3.2.6. */
const fixed = {
  get literals() {
    return codeOf(Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)));
  },
  get distances() {
    return codeOf(new Array<number>(30).fill(5));
  },
};

let table: Int32Array | undefined;

/** The CRC-32 of a gzip (RFC 1952). */
export function crc32(bytes: Uint8Array): number {
  table ??= Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let i = 0; i < 8; i++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  let rest = -1;
  for (let i = 0; i < bytes.length; i++) rest = table[(rest ^ bytes[i]!) & 255]! ^ (rest >>> 8);
  return ~rest >>> 0;
}
