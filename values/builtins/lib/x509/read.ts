/** Certificates, requests and keys read from PEM or base64. */
import { fromBytes } from '../../../text/utf8.js';
import type { ObjectValue } from '../../../value.js';
import { type BuiltinContext, cryptoOf } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { HostCrypto } from '../../host-crypto.js';
import { decodeBase64 } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';
import { type Certificate, parseCertificates } from './certificate.js';
import { certificateWithUriStrings } from './certificate-values.js';
import { keyPairValue } from './key-pair.js';
import { nextPem, type PemBlock, pemBlocks } from './pem.js';
import { type PrivateKey, parsePkcs1, parsePkcs8, parseSec1 } from './private-key.js';
import { privateJwk, privateKeyValue } from './private-key-values.js';
import { certificateRequestValue } from './request.js';
import { X509Error } from './x509-error.js';

/** Errors of the data become errors of the built-in. */
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
export function readCertificates(input: string): readonly Certificate[] {
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

export function parseCertificateList(input: string): readonly ObjectValue[] {
  return reading(() => readCertificates(input)).map(certificateWithUriStrings);
}

export function parseRequest(input: string): ObjectValue {
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

export function parseKeyPair(certificate: string, key: string, ctx: BuiltinContext): ObjectValue {
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

export function parsePrivateKeys(input: string, ctx: BuiltinContext): readonly (ObjectValue | string)[] | null {
  if (input === '') return null;
  return reading(() => readPrivateKeys(input, cryptoOf(ctx))).map(privateKeyValue);
}

export function parseRsaPrivateKey(input: string, ctx: BuiltinContext): ObjectValue | null {
  if (input === '') throw new BuiltinError('input PEM data was empty');
  return reading(() => {
    const [key] = readPrivateKeys(input.startsWith(beginsPem) ? input : fromBytes(decodeBase64(input)), cryptoOf(ctx));
    return key === undefined ? null : privateJwk(key);
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
