/** A version 4 UUID of random bytes. */
export function randomUuid(randomByte: () => number): string {
  const bytes = Array.from({ length: 16 }, randomByte);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.map(hexByte).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
