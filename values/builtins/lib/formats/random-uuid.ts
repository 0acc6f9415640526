/** A version 4 UUID of random bytes. */
export function randomUuid(randomByte: () => number): string {
  const hex = Array.from({ length: 16 }, (_, i) => hexByte(versioned(randomByte(), i))).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The bits that tell the version and the variant. */
function versioned(byte: number, index: number): number {
  if (index === 6) return (byte & 0x0f) | 0x40;
  return index === 8 ? (byte & 0x3f) | 0x80 : byte;
}

export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
