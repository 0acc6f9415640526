/** Hashes, message authentication codes, certificates and keys: `crypto.*`. */
import { objectGet, objectKeys, sortedMembers } from '../../values/compare.js';
import { fromBytes } from '../../values/text/utf8.js';
import { any, array, boolean, loosely, object, string, tuple } from '../../values/type.js';
import { isArray, isNumber, isSet, isString, type ObjectValue, type Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { linear } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { missingHost } from '../host.js';
import type { HashName, HostCrypto } from '../host-crypto.js';
import { Base64Error, decodeBase64 } from '../lib/go/base64.js';
import { int64Of } from '../lib/go/int64.js';
import { toHex } from '../lib/go/octets.js';
import { trimCharacters } from '../lib/go/trim.js';
import { type Certificate, parseCertificates } from '../lib/x509/certificate.js';
import { X509Error } from '../lib/x509/error.js';
import { keyPairValue } from '../lib/x509/key-pair.js';
import { nextPem, type PemBlock, pemBlocks } from '../lib/x509/pem.js';
import { type PrivateKey, parsePkcs1, parsePkcs8, parseSec1, privateJwk, privateKeyValue } from '../lib/x509/private-key.js';
import { certificateRequestValue } from '../lib/x509/request.js';
import { certificateValue, certificateWithUriStrings } from '../lib/x509/values.js';
import { type VerifyOptions, verifyChain } from '../lib/x509/verify.js';

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
    builtin(`crypto.${name}`, text, string, hasher(name), { cost: linear(1), description: `The ${name} hash of a text, in hexadecimal.` })),
  ...(['md5', 'sha1', 'sha256', 'sha512'] as const).map((name) =>
    builtin(`crypto.hmac.${name}`, message, string, authenticator(name), { cost: linear(1), description: `The HMAC-${name} of a text, in hexadecimal.` })),
  builtin('crypto.hmac.equal', [arg('mac1', string), arg('mac2', string)], boolean, (a, b, ctx) => cryptoOf(ctx).equal(a, b),
    { cost: linear(1), description: 'Whether two codes are the same, in a time that does not tell where they differ.' }),
  builtin('crypto.parse_private_keys', [arg('keys', string)], loosely(array(anyMembers)), parsePrivateKeys,
    { cost: linear(unitsOfDer), description: 'The private keys of PEM blocks.' }),
  builtin('crypto.x509.parse_certificates', certificates, array(anyMembers), parse,
    { cost: linear(unitsOfDer), description: 'The certificates of PEM blocks or base64 DER.' }),
  builtin('crypto.x509.parse_and_verify_certificates', certificates, verified, parseAndVerify,
    { cost: linear(unitsOfDer), description: 'Whether the last certificate leads to the first by those between, and the chain that does.' }),
  builtin('crypto.x509.parse_and_verify_certificates_with_options', [...certificates, arg('options', anyMembers)], verified, parseAndVerifyWithOptions,
    { cost: linear(unitsOfDer), description: 'The same for a host, a time, or usages of the key.' }),
  builtin('crypto.x509.parse_certificate_request', [arg('csr', string)], anyMembers, parseRequest,
    { cost: linear(unitsOfDer), description: 'The certificate signing request of a PEM block or base64 DER.' }),
  builtin('crypto.x509.parse_keypair', [arg('cert', string), arg('pem', string)], anyMembers, parseKeyPair,
    { cost: linear(unitsOfDer), description: 'A certificate with its private key.' }),
  builtin('crypto.x509.parse_rsa_private_key', [arg('pem', string)], loosely(anyMembers), parseRsaPrivateKey,
    { cost: linear(unitsOfDer), description: 'A private key as a JSON Web Key.' }),
];

function cryptoOf(ctx: BuiltinContext): HostCrypto {
  if (ctx.host.crypto === undefined) throw missingHost('crypto');
  return ctx.host.crypto;
}

function hasher(name: HashName) {
  return (data: string, ctx: BuiltinContext): string => cryptoOf(ctx).hashHex(name, data);
}

function authenticator(name: HashName) {
  return (data: string, key: string, ctx: BuiltinContext): string => toHex(cryptoOf(ctx).hmac(name, key, data));
}

/** Problems of what was read become errors of the built-in. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof X509Error || error instanceof Base64Error) throw new BuiltinError(error.message);
    throw error;
  }
}

const beginsPem = '-----BEGIN';

/** Certificates of PEM, of base64 of PEM, or of base64 of DER. */
function readCertificates(input: string): readonly Certificate[] {
  if (input.startsWith(beginsPem)) return pemCertificates(input);
  const bytes = decodeBase64(input);
  const inner = fromBytes(bytes.subarray(0, beginsPem.length));
  return inner === beginsPem ? pemCertificates(fromBytes(bytes)) : parseCertificates(bytes);
}

function pemCertificates(pem: string): readonly Certificate[] {
  const found: Uint8Array[] = [];
  for (const { type, bytes } of pemBlocks(pem)) {
    if (type !== 'CERTIFICATE') throw new X509Error(`PEM block type is '${type}', expected CERTIFICATE`);
    found.push(bytes);
  }
  const all = new Uint8Array(found.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const bytes of found) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return parseCertificates(all);
}

function parse(input: string): readonly ObjectValue[] {
  return reading(() => readCertificates(input)).map(certificateWithUriStrings);
}

type Verified = readonly [boolean, readonly ObjectValue[]];

const notVerified: Verified = [false, []];

/** Undefined where there are no certificates to be read: that is no error of the verifying functions. */
function certificatesOf(input: string): readonly Certificate[] | undefined {
  try {
    return readCertificates(input);
  } catch (error) {
    if (error instanceof X509Error || error instanceof Base64Error) return undefined;
    throw error;
  }
}

function chainOf(found: readonly Certificate[], options: VerifyOptions, ctx: BuiltinContext): readonly Certificate[] | undefined {
  if (found.length < 2) return undefined;
  return verifyChain(found[0]!, found.slice(1, -1), found[found.length - 1]!, options, cryptoOf(ctx));
}

function parseAndVerify(input: string, ctx: BuiltinContext): Verified {
  const found = certificatesOf(input);
  const chain = found && chainOf(found, defaults(ctx), ctx);
  return chain === undefined ? notVerified : [true, chain.map(certificateWithUriStrings)];
}

function parseAndVerifyWithOptions(input: string, options: ObjectValue, ctx: BuiltinContext): Verified {
  const found = certificatesOf(input);
  if (found === undefined) return notVerified;
  const chain = chainOf(found, readOptions(options, ctx), ctx);
  return chain === undefined ? notVerified : [true, chain.map(certificateValue)];
}

function defaults(ctx: BuiltinContext): VerifyOptions {
  return { dnsName: '', time: Number(ctx.timeNs) / 1e6, usages: [], tick: ctx.tick.bind(ctx) };
}

const usageNames = [
  'KeyUsageAny',
  'KeyUsageServerAuth',
  'KeyUsageClientAuth',
  'KeyUsageCodeSigning',
  'KeyUsageEmailProtection',
  'KeyUsageIPSECEndSystem',
  'KeyUsageIPSECTunnel',
  'KeyUsageIPSECUser',
  'KeyUsageTimeStamping',
  'KeyUsageOCSPSigning',
  'KeyUsageMicrosoftServerGatedCrypto',
  'KeyUsageNetscapeServerGatedCrypto',
  'KeyUsageMicrosoftCommercialCodeSigning',
  'KeyUsageMicrosoftKernelCodeSigning',
];

function readOptions(options: ObjectValue, ctx: BuiltinContext): VerifyOptions {
  const { tick } = defaults(ctx);
  let { dnsName, time, usages } = defaults(ctx);
  for (const key of objectKeys(options)) {
    if (!isString(key)) continue;
    const value = objectGet(options, key)!;
    switch (key) {
      case 'DNSName':
        if (!isString(value)) throw new BuiltinError("'DNSName' should be a string");
        dnsName = unquoted(value);
        break;
      case 'CurrentTime':
        time = Number(integerOption(value, 'CurrentTime', 'int64 number')) / 1e6;
        break;
      case 'MaxConstraintComparisons':
        // The reference's verifier no longer uses the limit; ours has its own.
        integerOption(value, 'MaxConstraintComparisons', 'number');
        break;
      case 'KeyUsages':
        usages = readUsages(value);
        break;
      default:
        throw new BuiltinError('invalid key option');
    }
  }
  return { dnsName, time, usages, tick };
}

function unquoted(value: string): string {
  return trimCharacters(value, '"');
}

function integerOption(value: Value, name: string, type: string): bigint {
  if (!isNumber(value)) throw new BuiltinError(`'${name}' should be a number`);
  const integer = int64Of(value);
  if (integer === undefined) throw new BuiltinError(`'${name}' should be a valid ${type}`);
  return integer;
}

function readUsages(value: Value): readonly number[] {
  if (!isArray(value) && !isSet(value)) throw new BuiltinError("'KeyUsages' should be an Array or Set");
  const names = (isArray(value) ? value : sortedMembers(value)).filter(isString).map(unquoted);
  const unknown = names.filter((name) => !usageNames.includes(name));
  if (unknown.length > 0) throw new BuiltinError(`invalid entries for 'KeyUsages' found: [${unknown.join(' ')}]`);
  return names.map((name) => usageNames.indexOf(name));
}

function parseRequest(input: string): ObjectValue {
  return reading(() => {
    const isPem = input.startsWith('-----BEGIN CERTIFICATE REQUEST-----');
    const bytes = isPem ? undefined : decodeBase64(input);
    const block = nextPem(bytes === undefined ? input : fromBytes(bytes));
    if (block !== undefined && block.type !== 'CERTIFICATE REQUEST') {
      throw new X509Error('invalid PEM-encoded certificate signing request');
    }
    const der = block?.bytes ?? bytes;
    if (der === undefined) throw new X509Error("asn1: structure error: tags don't match");
    return certificateRequestValue(der);
  });
}

function parseKeyPair(certificate: string, key: string, ctx: BuiltinContext): ObjectValue {
  return reading(() => keyPairValue(blocksOf(certificate, 'CERTIFICATE'), blocksOf(key, 'PRIVATE KEY'), cryptoOf(ctx)));
}

/** The blocks of PEM or base64 of PEM; base64 of DER makes one of the given type. */
function blocksOf(input: string, type: string): readonly Pick<PemBlock, 'type' | 'bytes'>[] {
  const begin = '-----BEGIN ';
  if (input.startsWith(begin)) return [...pemBlocks(input)];
  const bytes = decodeBase64(input);
  const inner = fromBytes(bytes);
  return inner.startsWith(begin) ? [...pemBlocks(inner)] : [{ type, bytes }];
}

function parsePrivateKeys(input: string, ctx: BuiltinContext): Value {
  if (input === '') return null;
  return reading(() => readPrivateKeys(input, cryptoOf(ctx))).map(privateKeyValue);
}

function parseRsaPrivateKey(input: string, ctx: BuiltinContext): Value {
  if (input === '') throw new BuiltinError('input PEM data was empty');
  return reading(() => {
    const keys = readPrivateKeys(input.startsWith(beginsPem) ? input : fromBytes(decodeBase64(input)), cryptoOf(ctx));
    return keys.length === 0 ? null : privateJwk(keys[0]!);
  });
}

/** The private keys of PEM or base64 of it; blocks of other kinds are skipped. */
function readPrivateKeys(input: string, host: HostCrypto): readonly PrivateKey[] {
  const keys: PrivateKey[] = [];
  for (const { type, bytes } of pemBlocks(unwrapped(input))) {
    if (type === 'RSA PRIVATE KEY') keys.push(parsePkcs1(bytes));
    else if (type === 'PRIVATE KEY') keys.push(parsePkcs8(bytes, host));
    else if (type === 'EC PRIVATE KEY') keys.push(parseSec1(bytes, host));
  }
  return keys;
}

function unwrapped(input: string): string {
  try {
    return fromBytes(decodeBase64(input));
  } catch (error) {
    if (error instanceof Base64Error) return input;
    throw error;
  }
}
