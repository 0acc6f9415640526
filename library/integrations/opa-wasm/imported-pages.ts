/** The pages of memory with which a WebAssembly module wants to begin, by its imports. */

/** The number of the section of imports, and those of kinds of imports. */
const importSection = 2;
const kinds = { function: 0, table: 1, memory: 2, global: 3 } as const;

const headerSize = 8;

/** 0 for a module that imports no memory, or bytes that are no module. */
export function importedPages(wasm: Uint8Array): number {
  const reader = new Reader(wasm, headerSize);
  while (!reader.isAtEnd) {
    const section = reader.byte();
    const end = reader.number() + reader.at;
    if (section === importSection) return pagesOfImports(reader);
    reader.at = end;
  }
  return 0;
}

function pagesOfImports(reader: Reader): number {
  for (let left = reader.number(); left > 0 && !reader.isAtEnd; left--) {
    reader.skipName();
    reader.skipName();
    switch (reader.byte()) {
      case kinds.function:
        reader.number();
        break;
      case kinds.table:
        reader.byte();
        reader.limits();
        break;
      case kinds.memory:
        return reader.limits();
      case kinds.global:
        reader.byte();
        reader.byte();
        break;
      default:
        return 0;
    }
  }
  return 0;
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  /** An unsigned number in LEB128. */
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipName(): void {
    const length = this.number();
    this.at += length;
  }

  /** The least size; the greatest follows where the flags say so. */
  limits(): number {
    const flags = this.byte();
    const least = this.number();
    if ((flags & 1) !== 0) this.number();
    return least;
  }
}
