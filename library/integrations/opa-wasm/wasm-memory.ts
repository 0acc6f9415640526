/** The memory that a policy's WebAssembly shares with its host. */
import { OpaWasmError } from './opa-wasm-error.js';

const pageSize = 65_536;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class WasmMemory {
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** The text up to the next NUL. */
  textAt(address: number): string {
    // The buffer is another one after the memory has grown.
    const bytes = new Uint8Array(this.#memory.buffer);
    return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  /**
   * Writes bytes to an address, and returns the next one. Throws an OpaWasmError where the memory
   * cannot grow.
   */
  write(bytes: Uint8Array, address: number): number {
    const end = address + bytes.length;
    const missing = end - this.#memory.buffer.byteLength;
    if (missing > 0) this.#grow(Math.ceil(missing / pageSize));
    new Uint8Array(this.#memory.buffer).set(bytes, address);
    return end;
  }

  #grow(pages: number): void {
    try {
      this.#memory.grow(pages);
    } catch (error) {
      throw new OpaWasmError('memory_exceeded', (error as Error).message, { cause: error });
    }
  }
}
