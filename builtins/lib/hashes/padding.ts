/**
 * A message as whole blocks: a one bit, zeros, and the length in bits, in the byte order of the
 * hash. @param lengthBytes the bytes of the length: 8, or 16 for blocks of 128
 */
export function padded(message: Uint8Array, block: number, lengthBytes: number, littleEndian: boolean): DataView {
  const size = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(message.length) * 8n, littleEndian);
  return view;
}

/** 32-bit words as bytes. */
export function bytesOfWords(words: readonly number[], littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, i) => {
    view.setUint32(i * 4, word, littleEndian);
  });
  return new Uint8Array(view.buffer);
}

export function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
