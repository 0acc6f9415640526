/** JSON Web Tokens: `io.jwt.*`. */
import { any, boolean, object, string, tuple } from '../../type.js';
import type { ObjectValue } from '../../value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { type BuiltinContext, cryptoOf } from '../builtin-context.js';
import { linear } from '../cost.js';
import { toEscapedJson } from '../lib/go/escaped-json.js';
import { decode, decodeVerify } from '../lib/jwt/decode.js';
import { signToken } from '../lib/jwt/sign.js';
import { tokenOperand } from '../lib/jwt/token.js';
import { secretVerifier, verifier } from '../lib/jwt/verify-signature.js';
import { unchecked } from '../read-operands.js';

const anyObject = object(any, any);

const options = object(string, any);

const tokenAndKey = (key: string) => [arg('jwt', string, tokenOperand), arg(key, string)] as const;

// The constraints are read before the token's type is looked at.
const tokenAfterConstraints = arg('jwt', string, unchecked);

// biome-ignore format: a table
export const tokens: readonly Builtin[] = [
  builtin('io.jwt.decode', [arg('jwt', string)], tuple(anyObject, anyObject, string), decode,
    { cost: linear(5) }),
  builtin('io.jwt.decode_verify', [tokenAfterConstraints, arg('constraints', options)], tuple(boolean, anyObject, anyObject), decodeVerify,
    { cost: linear(5), nondeterministic: true }),
  builtin('io.jwt.encode_sign', [arg('headers', options), arg('payload', options), arg('key', options)], string, encodeSign,
    { nondeterministic: true, cost: linear(5) }),
  builtin('io.jwt.encode_sign_raw', [arg('headers', string), arg('payload', string), arg('key', string)], string, encodeSignRaw,
    { nondeterministic: true, cost: linear(5) }),
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'].map((name) =>
    builtin(`io.jwt.verify_${name.toLowerCase()}`, tokenAndKey('certificate'), boolean, verifier(name),
      { cost: linear(5) })),
  ...(['sha256', 'sha384', 'sha512'] as const).map((hash) =>
    builtin(`io.jwt.verify_hs${hash.slice(3)}`, tokenAndKey('secret'), boolean, secretVerifier(hash),
      { cost: linear(5) })),
];

function encodeSign(header: ObjectValue, payload: ObjectValue, key: ObjectValue, ctx: BuiltinContext): string {
  return signToken(toEscapedJson(header), toEscapedJson(payload), toEscapedJson(key), cryptoOf(ctx), ctx);
}

function encodeSignRaw(header: string, payload: string, key: string, ctx: BuiltinContext): string {
  return signToken(header, payload, key, cryptoOf(ctx), ctx);
}
