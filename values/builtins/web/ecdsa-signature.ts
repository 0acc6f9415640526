/** The two forms of an ECDSA signature. */

const [integer, sequence, longForm] = [0x02, 0x30, 0x81];

/** The ASN.1 sequence of `r` and `s`, which are given side by side, each at most 127 bytes long. */
export function derOfRaw(signature: Uint8Array): Uint8Array {
  const half = signature.length / 2;
  const numbers = [...derInteger(signature.subarray(0, half)), ...derInteger(signature.subarray(half))];
  const length = numbers.length < 128 ? [numbers.length] : [longForm, numbers.length];
  return Uint8Array.from([sequence, ...length, ...numbers]);
}

/** An unsigned number without needless zeros; a zero keeps its first bit from being a sign. */
function derInteger(bytes: Uint8Array): readonly number[] {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  return digits[0]! < 128 ? [integer, digits.length, ...digits] : [integer, digits.length + 1, 0, ...digits];
}
