/** Private keys as values of policies. */
import { numberFromInteger } from '../../../numbers/number.js';
import type { ObjectValue } from '../../../value.js';
import { encodeBase64, encodeBase64Url } from '../go/base64.js';
import { bytesOfInteger } from '../go/octets.js';
import type { PrivateKey } from './private-key.js';
import { X509Error } from './x509-error.js';

/** A key as Go's JSON shows it. */
export function privateKeyValue(key: PrivateKey): ObjectValue | string {
  switch (key.type) {
    case 'rsa':
      return {
        N: numberFromInteger(key.n),
        E: numberFromInteger(key.e),
        D: numberFromInteger(key.d),
        Primes: key.primes.map(numberFromInteger),
        Precomputed: {
          Dp: numberFromInteger(key.dp),
          Dq: numberFromInteger(key.dq),
          Qinv: numberFromInteger(key.qInverse),
          CRTValues: [],
        },
      };
    case 'ec':
      return { Curve: {}, X: numberFromInteger(key.x), Y: numberFromInteger(key.y), D: numberFromInteger(key.d) };
    case 'ed25519':
      return encodeBase64(new Uint8Array([...key.seed, ...key.publicKey]));
    case 'x25519':
      return {};
  }
}

/** A key as a JSON Web Key. Throws an X509Error for a curve that has no name there. */
export function privateJwk(key: PrivateKey): ObjectValue {
  switch (key.type) {
    case 'rsa': {
      const [p, q] = key.primes as [bigint, bigint];
      const members = { n: key.n, e: key.e, d: key.d, p, q, dp: key.dp, dq: key.dq, qi: key.qInverse };
      return {
        kty: 'RSA',
        ...Object.fromEntries(
          Object.entries(members).map(([name, value]) => [name, encodeBase64Url(bytesOfInteger(value))]),
        ),
      };
    }
    case 'ec': {
      if (key.curve.name === 'P-224') throw new X509Error('failed to create a JWK: unsupported curve P-224');
      const padded = (value: bigint) => {
        const bytes = new Uint8Array(key.curve.bytes);
        const digits = bytesOfInteger(value);
        bytes.set(digits, bytes.length - digits.length);
        return encodeBase64Url(bytes);
      };
      return { kty: 'EC', crv: key.curve.name, x: padded(key.x), y: padded(key.y), d: padded(key.d) };
    }
    default:
      return {
        kty: 'OKP',
        crv: key.type === 'ed25519' ? 'Ed25519' : 'X25519',
        x: encodeBase64Url(key.publicKey),
        d: encodeBase64Url(key.seed),
      };
  }
}
