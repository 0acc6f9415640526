/** Hashes, message authentication codes, certificates and keys: `crypto.*`. */
import { answering, any, array, boolean, object, string, tuple } from '../../type.js';
import type { ObjectValue } from '../../value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { type BuiltinContext, cryptoOf } from '../builtin-context.js';
import { linear } from '../cost.js';
import type { HashName } from '../host-crypto.js';
import { toHex } from '../lib/go/octets.js';
import {
  parseCertificateList,
  parseKeyPair,
  parsePrivateKeys,
  parseRequest,
  parseRsaPrivateKey,
} from '../lib/x509/read.js';
import { parseAndVerify, parseAndVerifyWithOptions } from '../lib/x509/verified.js';

const anyMembers = object(string, any);

const verified = tuple(boolean, array(anyMembers));

const text = [arg('x', string)] as const;

const message = [arg('x', string), arg('key', string)] as const;

const certificates = [arg('certs', string)] as const;

/** Units for a character of PEM or base64 of certificates or keys, which are read part by part. */
const unitsOfDer = 10;

// biome-ignore format: a table
export const crypto: readonly Builtin[] = [
  ...(['md5', 'sha1', 'sha256'] as const).map((name) =>
    builtin(`crypto.${name}`, text, string, hasher(name), { cost: linear(1) })),
  ...(['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) =>
    builtin(`crypto.hmac.${name}`, message, string, authenticator(name), { cost: linear(1) })),
  builtin('crypto.hmac.equal', [arg('mac1', string), arg('mac2', string)], boolean, (a, b, ctx) => cryptoOf(ctx).equal(a, b),
    { cost: linear(1) }),
  builtin('crypto.parse_private_keys', [arg('keys', string)], answering<readonly (ObjectValue | string)[] | null>(array(anyMembers)), parsePrivateKeys,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_certificates', certificates, array(anyMembers), parseCertificateList,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_and_verify_certificates', certificates, verified, parseAndVerify,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_and_verify_certificates_with_options', [...certificates, arg('options', anyMembers)], verified, parseAndVerifyWithOptions,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_certificate_request', [arg('csr', string)], anyMembers, parseRequest,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_keypair', [arg('cert', string), arg('pem', string)], anyMembers, parseKeyPair,
    { cost: linear(unitsOfDer) }),
  builtin('crypto.x509.parse_rsa_private_key', [arg('pem', string)], answering<ObjectValue | null>(anyMembers), parseRsaPrivateKey,
    { cost: linear(unitsOfDer) }),
];

function hasher(name: HashName) {
  return (data: string, ctx: BuiltinContext): string => cryptoOf(ctx).hashHex(name, data);
}

function authenticator(name: HashName) {
  return (data: string, key: string, ctx: BuiltinContext): string => toHex(cryptoOf(ctx).hmac(name, key, data));
}
