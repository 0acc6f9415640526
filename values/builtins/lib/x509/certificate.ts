/** X.509 certificates (RFC 5280), read as strictly and as leniently as Go reads them. */

import { sameBytes } from '../go/octets.js';
import { context, DerReader, rightAligned, tags } from './der.js';
import { type Extension, type ExtensionFields, readExtension, readExtensionFields } from './extensions.js';
import { type NameAttribute, readName } from './name.js';
import { type PublicKey, readAlgorithm, readPublicKey } from './public-key.js';
import { signatureAlgorithm } from './signature-algorithm.js';
import { type CertificateTime, readTime } from './time.js';
import { must, X509Error } from './x509-error.js';

export interface Certificate {
  readonly raw: Uint8Array;
  readonly rawTbs: Uint8Array;
  readonly rawSubjectPublicKeyInfo: Uint8Array;
  readonly rawSubject: Uint8Array;
  readonly rawIssuer: Uint8Array;
  readonly signature: Uint8Array;
  /** The algorithm by Go's numbers; 0 is unknown. */
  readonly signatureAlgorithm: number;
  readonly publicKeyAlgorithm: number;
  readonly publicKey: PublicKey | undefined;
  /** 1 to 3. */
  readonly version: number;
  readonly serial: bigint;
  readonly issuer: readonly NameAttribute[];
  readonly subject: readonly NameAttribute[];
  readonly notBefore: CertificateTime;
  readonly notAfter: CertificateTime;
  readonly extensions: readonly Extension[];
  /** The content of the extensions. */
  readonly fields: ExtensionFields;
}

/** The certificates that stand one after the other in DER. Throws an X509Error. */
export function parseCertificates(der: Uint8Array): readonly Certificate[] {
  const certificates: Certificate[] = [];
  for (let rest = der; rest.length > 0; ) {
    const certificate = readCertificate(rest);
    certificates.push(certificate);
    rest = rest.subarray(certificate.raw.length);
  }
  return certificates;
}

/** The one certificate of a DER encoding. Throws an X509Error. */
export function parseCertificate(der: Uint8Array): Certificate {
  const certificate = readCertificate(der);
  if (certificate.raw.length !== der.length) throw new X509Error('x509: trailing data');
  return certificate;
}

function readCertificate(der: Uint8Array): Certificate {
  const whole = must(new DerReader(der).element(tags.sequence), 'x509: malformed certificate');
  const outer = whole.content;
  const tbsElement = must(outer.element(tags.sequence), 'x509: malformed tbs certificate');
  const tbs = tbsElement.content;
  const version = readVersion(tbs);
  const serial = must(tbs.integer(), 'x509: malformed serial number');
  if (serial < 0n) throw new X509Error('x509: negative serial number');
  const inner = must(tbs.read(tags.sequence), 'x509: malformed signature algorithm identifier');
  const repeated = must(outer.read(tags.sequence), 'x509: malformed algorithm identifier');
  if (!sameBytes(inner.bytes, repeated.bytes)) {
    throw new X509Error("x509: inner and outer signature algorithm identifiers don't match");
  }
  const algorithm = signatureAlgorithm(readAlgorithm(inner));
  const rawIssuer = must(tbs.element(tags.sequence), 'x509: malformed issuer').raw;
  const issuer = readName(new DerReader(rawIssuer));
  const validity = must(tbs.read(tags.sequence), 'x509: malformed validity');
  const notBefore = readTime(validity);
  const notAfter = readTime(validity);
  const rawSubject = must(tbs.element(tags.sequence), 'x509: malformed issuer').raw;
  const subject = readName(new DerReader(rawSubject));
  const rawSubjectPublicKeyInfo = must(tbs.element(tags.sequence), 'x509: malformed spki').raw;
  const publicKey = readPublicKey(rawSubjectPublicKeyInfo);
  const extensions = readExtensions(tbs, version);
  const fields = readExtensionFields(extensions);
  const signature = rightAligned(must(outer.bitString(), 'x509: malformed signature'));
  return {
    raw: whole.raw,
    rawTbs: tbsElement.raw,
    rawSubjectPublicKeyInfo,
    rawSubject,
    rawIssuer,
    signature,
    signatureAlgorithm: algorithm,
    publicKeyAlgorithm: publicKey.algorithm,
    publicKey: publicKey.key,
    version,
    serial,
    issuer,
    subject,
    notBefore,
    notAfter,
    extensions,
    fields,
  };
}

/** Versions count from 0 in the encoding. */
function readVersion(tbs: DerReader): number {
  if (tbs.peek() !== context(0, true)) return 1;
  const version = must(tbs.read(context(0, true))?.integer(), 'x509: malformed version');
  if (version < 0n) throw new X509Error('x509: malformed version');
  if (version > 2n) throw new X509Error('x509: invalid version');
  return Number(version) + 1;
}

function readExtensions(tbs: DerReader, version: number): readonly Extension[] {
  if (version === 1) return [];
  skipOptional(tbs, context(1), 'x509: malformed issuerUniqueID');
  skipOptional(tbs, context(2), 'x509: malformed subjectUniqueID');
  if (version !== 3 || tbs.peek() !== context(3, true)) return [];
  const list = must(tbs.read(context(3, true))?.read(tags.sequence), 'x509: malformed extensions');
  const extensions: Extension[] = [];
  const seen = new Set<string>();
  while (!list.empty) {
    const extension = readExtension(must(list.read(tags.sequence), 'x509: malformed extension'));
    if (seen.has(extension.oid))
      throw new X509Error(`x509: certificate contains duplicate extension with OID "${extension.oid}"`);
    seen.add(extension.oid);
    extensions.push(extension);
  }
  return extensions;
}

function skipOptional(reader: DerReader, tag: number, message: string): void {
  if (reader.peek() === tag) must(reader.any(), message);
}
