/** JSON Web Tokens: `io.jwt.*`. */
import { objectGet } from '../../values/compare.js';
import { any, boolean, object, string, tuple } from '../../values/type.js';
import type { ObjectValue, Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { linear } from '../cost.js';
import { missingHost } from '../host.js';
import type { HashName, HostCrypto } from '../host-crypto.js';
import { toEscapedJson } from '../lib/go/json.js';
import { textOf, toHex } from '../lib/go/octets.js';
import { trimCharacters } from '../lib/go/trim.js';
import { type Algorithm, algorithms, evenlySplit, isSecret, type TokenKey, verifySignature } from '../lib/jwt/algorithms.js';
import { claimsHold, readConstraints } from '../lib/jwt/constraints.js';
import { type KeySet, keySetOf, type VerificationKey } from '../lib/jwt/keys.js';
import { signToken } from '../lib/jwt/sign.js';
import { decodeHeader, decodeSection, jsonObject, readHeader, signedText, splitToken, type TokenHeader } from '../lib/jwt/token.js';
import { stringOperand } from '../string-operands.js';
import { objectOperand } from '../value-operands.js';

const anyObject = object(any, any);
const options = object(string, any);
/** An operand is read whole before the type of the next is looked at. */
const ordered = { checksOperands: true } as const;
const tokenAndKey = (key: string) => [arg('jwt', string), arg(key, string)] as const;

// biome-ignore format: a table
export const tokens: readonly Builtin[] = [
  builtin('io.jwt.decode', [arg('jwt', string)], tuple(anyObject, anyObject, string), decode,
    { cost: linear(5), description: 'Decodes a token without verifying it: header, payload and signature.' }),
  builtin('io.jwt.decode_verify', [arg('jwt', string), arg('constraints', options)], tuple(boolean, anyObject, anyObject), decodeVerify,
    { ...ordered, cost: linear(5), nondeterministic: true, description: 'Verifies a token and its claims: whether it holds, its header and its payload.' }),
  builtin('io.jwt.encode_sign', [arg('headers', options), arg('payload', options), arg('key', options)], string, encodeSign,
    { nondeterministic: true, cost: linear(5), description: 'Makes a signed token of header and payload.' }),
  builtin('io.jwt.encode_sign_raw', [arg('headers', string), arg('payload', string), arg('key', string)], string, encodeSignRaw,
    { nondeterministic: true, cost: linear(5), description: 'Makes a signed token of header and payload as they are written.' }),
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'].map((name) =>
    builtin(`io.jwt.verify_${name.toLowerCase()}`, tokenAndKey('certificate'), boolean, verifier(name),
      { ...ordered, cost: linear(5), description: `Whether the ${name} signature of a token holds.` })),
  ...(['sha256', 'sha384', 'sha512'] as const).map((hash) =>
    builtin(`io.jwt.verify_hs${hash.slice(3)}`, tokenAndKey('secret'), boolean, secretVerifier(hash),
      { ...ordered, cost: linear(5), description: `Whether the HS${hash.slice(3)} signature of a token holds.` })),
];

function cryptoOf(ctx: BuiltinContext): HostCrypto {
  if (ctx.host.crypto === undefined) throw missingHost('crypto');
  return ctx.host.crypto;
}

function decode(text: string): readonly [header: ObjectValue, payload: ObjectValue, signature: string] {
  let jwt = text;
  for (;;) {
    const token = splitToken(jwt);
    const header = decodeHeader(token);
    const payload = textOf(decodeSection(token.payload, 'payload'));
    if (objectGet(header, 'cty') === 'JWT') {
      // Some issuers put the token within in quotes.
      jwt = trimCharacters(payload, '"\'');
      continue;
    }
    const claims = jsonObject(payload);
    return [header, claims, toHex(decodeSection(token.signature, 'signature'))];
  }
}

function secretVerifier(hash: HashName) {
  return (jwt: Value, secret: Value, ctx: BuiltinContext): boolean => {
    const token = splitToken(stringOperand(jwt, 1));
    const key = stringOperand(secret, 2);
    const crypto = cryptoOf(ctx);
    return crypto.equal(decodeSection(token.signature), crypto.hmac(hash, key, signedText(token)));
  };
}

function verifier(name: string) {
  const algorithm = loosened(algorithms.get(name)!);
  return (operand: Value, certificate: Value, ctx: BuiltinContext): boolean => {
    const jwt = stringOperand(operand, 1);
    const token = splitToken(jwt);
    const crypto = cryptoOf(ctx);
    const keys = keySetOf(stringOperand(certificate, 2), crypto, ctx);
    const signature = decodeSection(token.signature);
    const header = readHeader(decodeHeader(token));
    return remembered(`${name} ${keys.id} ${jwt}`, ctx, () =>
      anyKey(keys, header, (key) => {
        ctx.tick(verificationWork);
        if (isSecret(key) || key.isPrivate) return false;
        const even = algorithm.type === 'ecdsa' ? evenlySplit(signature, key) : signature;
        return even !== undefined && verifySignature(algorithm, key, signedText(token), even, crypto);
      }),
    );
  };
}

/** The verifying functions take a salt of any length; `decode_verify` wants it as long as the hash, as the standard does. */
function loosened(algorithm: Algorithm): Algorithm {
  return algorithm.type === 'rsa-pss' ? { ...algorithm, salt: 'any-length' } : algorithm;
}

/** Whether a signature holds with the key that the header names, or else with any that is for its algorithm. */
function anyKey({ keys }: KeySet, { alg, kid }: TokenHeader, holds: (key: TokenKey) => boolean): boolean {
  const named: VerificationKey | undefined = kid === '' ? undefined : keys.find((key) => key.kid === kid);
  if (named !== undefined) return holds(named.key);
  return keys.some((key) => (key.alg === '' || key.alg === alg) && holds(key.key));
}

/** Units for verifying one signature. */
const verificationWork = 10_000;

// Tokens longer than this are not worth the memory.
const longestRemembered = 8192;

/** Whether the signature of a token holds, remembered across evaluations. The key names the algorithm, the keys and the token. */
function remembered(key: string, ctx: BuiltinContext, verify: () => boolean): boolean {
  if (key.length > longestRemembered) return verify();
  const cache = ctx.caches.of<{ readonly holds: boolean }>('io.jwt signatures', 1000);
  const known = cache.get(key);
  if (known !== undefined) return known.holds;
  const holds = verify();
  cache.set(key, { holds });
  return holds;
}

type Verified = readonly [holds: boolean, header: ObjectValue, payload: ObjectValue];

const unverified: Verified = [false, {}, {}];

/** The constraints are read before the token is looked at. */
function decodeVerify(text: Value, given: Value, ctx: BuiltinContext): Verified {
  const crypto = cryptoOf(ctx);
  const constraints = readConstraints(objectOperand(given, 2), crypto, ctx);
  let jwt = stringOperand(text, 1);
  for (;;) {
    const token = splitToken(jwt);
    const headerObject = decodeHeader(token);
    const header = readHeader(headerObject);
    if (!header.isValid || (constraints.alg !== '' && constraints.alg !== header.alg)) return unverified;
    const signature = decodeSection(token.signature);
    const algorithm = algorithms.get(header.alg);
    if (algorithm === undefined) return unverified;
    const holds = (key: TokenKey) => {
      ctx.tick(verificationWork);
      return verifySignature(algorithm, key, signedText(token), signature, crypto);
    };
    const { keys } = constraints;
    const verified =
      keys === undefined
        ? holds(constraints.secret)
        : remembered(`decode_verify ${keys.id} ${jwt}`, ctx, () => anyKey(keys, header, holds));
    if (!verified) return unverified;
    const payload = textOf(decodeSection(token.payload, 'payload'));
    if (header.cty.toUpperCase() === 'JWT') {
      jwt = payload;
      continue;
    }
    const claims = jsonObject(payload);
    return claimsHold(claims, constraints) ? [true, headerObject, claims] : unverified;
  }
}

function encodeSign(header: ObjectValue, payload: ObjectValue, key: ObjectValue, ctx: BuiltinContext): string {
  return signToken(toEscapedJson(header), toEscapedJson(payload), toEscapedJson(key), cryptoOf(ctx), ctx);
}

function encodeSignRaw(header: string, payload: string, key: string, ctx: BuiltinContext): string {
  return signToken(header, payload, key, cryptoOf(ctx), ctx);
}
