/**
 * The elliptic curves that certificates may use (FIPS 186), all of the form y² = x³ - 3x + b over a
 * prime field.
 */

export interface Curve {
  readonly name: string;
  /** The bytes of a coordinate. */
  readonly bytes: number;
  readonly p: bigint;
  readonly b: bigint;
  /** The order of the group. */
  readonly n: bigint;
}

const curves: ReadonlyMap<string, Curve> = new Map([
  [
    '1.3.132.0.33',
    {
      name: 'P-224',
      bytes: 28,
      p: 2n ** 224n - 2n ** 96n + 1n,
      b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
      n: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
    },
  ],
  [
    '1.2.840.10045.3.1.7',
    {
      name: 'P-256',
      bytes: 32,
      p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
      n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    },
  ],
  [
    '1.3.132.0.34',
    {
      name: 'P-384',
      bytes: 48,
      p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
      n: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    },
  ],
  [
    '1.3.132.0.35',
    {
      name: 'P-521',
      bytes: 66,
      p: 2n ** 521n - 1n,
      b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
      n: 0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    },
  ],
]);

/** The curve of an object identifier, undefined for a curve that Go does not know. */
export function curveOf(oid: readonly number[]): Curve | undefined {
  return curves.get(oid.join('.'));
}

/** The curve of a name such as `P-256`, undefined for another name. */
export function curveNamed(name: string): Curve | undefined {
  return [...curves.values()].find((curve) => curve.name === name);
}

export function isOnCurve({ p, b }: Curve, x: bigint, y: bigint): boolean {
  return x < p && y < p && (y * y - (x * x - 3n) * x - b) % p === 0n;
}
