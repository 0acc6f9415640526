/** Extensions of certificates and requests, decoded where Go knows them. */

import { fromBytes } from '../../../text/utf8.js';
import { type AlternativeNames, noNames, readAlternativeNames } from './alternative-names.js';
import { context, DerReader, oidOf, tags } from './der.js';
import { type NameConstraints, readNameConstraints } from './name-constraints.js';
import { must, X509Error } from './x509-error.js';

export interface Extension {
  readonly id: readonly number[];
  /** The identifier with dots. */
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

/** Reads the content of an extension's sequence. Throws an X509Error. */
export function readExtension(reader: DerReader): Extension {
  const id = must(reader.oid(), 'x509: malformed extension OID field');
  const critical =
    reader.peek() === tags.boolean ? must(reader.boolean(), 'x509: malformed extension critical field') : false;
  const value = must(reader.octets(), 'x509: malformed extension value field');
  return { id, oid: id.join('.'), critical, value };
}

interface PolicyMapping {
  readonly issuer: string;
  readonly subject: string;
}

/** Absent lists are undefined, absent limits are -1. Identifiers have dots. */
export interface ExtensionFields {
  keyUsage: number;
  hasBasicConstraints: boolean;
  isCa: boolean;
  maxPathLength: number;
  names: AlternativeNames;
  constraints: NameConstraints | undefined;
  crlDistributionPoints: string[];
  authorityKeyId: Uint8Array | undefined;
  subjectKeyId: Uint8Array | undefined;
  requireExplicitPolicy: number;
  inhibitPolicyMapping: number;
  inhibitAnyPolicy: number;
  /** Go's numbers of usages. */
  usages: number[];
  unknownUsages: (readonly number[])[];
  /** Undefined where there is no such extension. */
  policies: string[] | undefined;
  policyMappings: PolicyMapping[];
  ocspServers: string[];
  issuerUrls: string[];
  unhandledCritical: (readonly number[])[];
}

/** The extensions of a certificate, decoded. Throws an X509Error where a known one is malformed. */
export function readExtensionFields(extensions: readonly Extension[]): ExtensionFields {
  const fields: ExtensionFields = {
    keyUsage: 0,
    hasBasicConstraints: false,
    isCa: false,
    maxPathLength: 0,
    names: noNames,
    constraints: undefined,
    crlDistributionPoints: [],
    authorityKeyId: undefined,
    subjectKeyId: undefined,
    requireExplicitPolicy: -1,
    inhibitPolicyMapping: -1,
    inhibitAnyPolicy: -1,
    usages: [],
    unknownUsages: [],
    policies: undefined,
    policyMappings: [],
    ocspServers: [],
    issuerUrls: [],
    unhandledCritical: [],
  };
  for (const extension of extensions) {
    const handled = readers.get(extension.oid)?.(new DerReader(extension.value), fields, extension) ?? false;
    if (!handled && extension.critical) fields.unhandledCritical.push(extension.id);
  }
  return fields;
}

/** Decodes an extension into the fields. Answers whether all of it is known. */
type Reader = (value: DerReader, fields: ExtensionFields, extension: Extension) => boolean;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['2.5.29.14', readSubjectKeyId],
  ['2.5.29.15', readKeyUsage],
  ['2.5.29.17', readSubjectNames],
  ['2.5.29.19', readBasicConstraints],
  ['2.5.29.30', readConstraints],
  ['2.5.29.31', readDistributionPoints],
  ['2.5.29.32', readPolicies],
  ['2.5.29.33', readPolicyMappings],
  ['2.5.29.35', readAuthorityKeyId],
  ['2.5.29.36', readPolicyConstraints],
  ['2.5.29.37', readUsages],
  ['2.5.29.54', readInhibitAnyPolicy],
  ['1.3.6.1.5.5.7.1.1', readAuthorityAccess],
]);

function readSubjectKeyId(value: DerReader, fields: ExtensionFields, { critical }: Extension): boolean {
  if (critical) throw new X509Error('x509: subject key identifier incorrectly marked critical');
  fields.subjectKeyId = must(value.octets(), 'x509: invalid subject key identifier');
  return true;
}

function readKeyUsage(value: DerReader, fields: ExtensionFields): boolean {
  const { bytes, unused } = must(value.bitString(), 'x509: invalid key usage');
  const length = bytes.length * 8 - unused;
  for (let i = 0; i < 9 && i < length; i++) if (((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) fields.keyUsage |= 1 << i;
  return true;
}

function readSubjectNames(value: DerReader, fields: ExtensionFields): boolean {
  fields.names = readAlternativeNames(value);
  const { dns, emails, ips, uris } = fields.names;
  return dns.length + emails.length + ips.length + uris.length > 0;
}

function readBasicConstraints(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid basic constraints';
  const sequence = must(value.read(tags.sequence), message);
  fields.hasBasicConstraints = true;
  if (sequence.peek() === tags.boolean) fields.isCa = must(sequence.boolean(), message);
  fields.maxPathLength = sequence.peek() === tags.integer ? smallInteger(sequence.integer(), message) : -1;
  return true;
}

function readConstraints(value: DerReader, fields: ExtensionFields, { critical }: Extension): boolean {
  fields.constraints = readNameConstraints(value, critical);
  return fields.constraints.isComplete;
}

function readDistributionPoints(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid CRL distribution point';
  const points = must(value.read(tags.sequence), 'x509: invalid CRL distribution points');
  while (!points.empty) {
    const point = must(points.read(tags.sequence), message);
    if (point.peek() !== context(0, true)) continue;
    const names = must(must(point.read(context(0, true)), message).read(context(0, true)), message);
    while (names.peek() === context(6))
      fields.crlDistributionPoints.push(fromBytes(must(names.octets(context(6)), message)));
  }
  return true;
}

function readPolicies(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid certificate policies';
  const sequence = must(value.read(tags.sequence), message);
  const policies = new Set<string>();
  while (!sequence.empty) {
    const policy = must(sequence.read(tags.sequence)?.octets(tags.oid), message);
    const oid = must(dottedOid(policy), message);
    if (policies.has(oid)) throw new X509Error(message);
    policies.add(oid);
  }
  fields.policies = [...policies];
  return true;
}

function readPolicyMappings(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid policy mappings extension';
  const sequence = must(value.read(tags.sequence), message);
  while (!sequence.empty) {
    const mapping = must(sequence.read(tags.sequence), message);
    const issuer = must(dottedOid(must(mapping.octets(tags.oid), message)), message);
    const subject = must(dottedOid(must(mapping.octets(tags.oid), message)), message);
    fields.policyMappings.push({ issuer, subject });
  }
  return true;
}

function readAuthorityKeyId(value: DerReader, fields: ExtensionFields, { critical }: Extension): boolean {
  if (critical) throw new X509Error('x509: authority key identifier incorrectly marked critical');
  const message = 'x509: invalid authority key identifier';
  const sequence = must(value.read(tags.sequence), message);
  if (sequence.peek() === context(0)) fields.authorityKeyId = must(sequence.octets(context(0)), message);
  return true;
}

function readPolicyConstraints(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid policy constraints extension';
  const sequence = must(value.read(tags.sequence), message);
  if (sequence.peek() === context(0))
    fields.requireExplicitPolicy = smallInteger(sequence.integer(context(0)), message);
  if (sequence.peek() === context(1)) fields.inhibitPolicyMapping = smallInteger(sequence.integer(context(1)), message);
  return true;
}

function readInhibitAnyPolicy(value: DerReader, fields: ExtensionFields): boolean {
  fields.inhibitAnyPolicy = smallInteger(value.integer(), 'x509: invalid inhibit any policy extension');
  return true;
}

function smallInteger(value: bigint | undefined, message: string): number {
  if (value === undefined || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new X509Error(message);
  return Number(value);
}

const usageNumbers = new Map([
  ['2.5.29.37.0', 0],
  ['1.3.6.1.5.5.7.3.1', 1],
  ['1.3.6.1.5.5.7.3.2', 2],
  ['1.3.6.1.5.5.7.3.3', 3],
  ['1.3.6.1.5.5.7.3.4', 4],
  ['1.3.6.1.5.5.7.3.5', 5],
  ['1.3.6.1.5.5.7.3.6', 6],
  ['1.3.6.1.5.5.7.3.7', 7],
  ['1.3.6.1.5.5.7.3.8', 8],
  ['1.3.6.1.5.5.7.3.9', 9],
  ['1.3.6.1.4.1.311.10.3.3', 10],
  ['2.16.840.1.113730.4.1', 11],
  ['1.3.6.1.4.1.311.2.1.22', 12],
  ['1.3.6.1.4.1.311.61.1.1', 13],
]);

function readUsages(value: DerReader, fields: ExtensionFields): boolean {
  const message = 'x509: invalid extended key usages';
  const sequence = must(value.read(tags.sequence), message);
  while (!sequence.empty) {
    const usage = must(sequence.oid(), message);
    const known = usageNumbers.get(usage.join('.'));
    if (known === undefined) fields.unknownUsages.push(usage);
    else fields.usages.push(known);
  }
  return true;
}

function readAuthorityAccess(value: DerReader, fields: ExtensionFields, { critical }: Extension): boolean {
  if (critical) throw new X509Error('x509: authority info access incorrectly marked critical');
  const message = 'x509: invalid authority info access';
  const sequence = must(value.read(tags.sequence), message);
  while (!sequence.empty) {
    const access = must(sequence.read(tags.sequence), message);
    const method = must(access.oid(), message).join('.');
    if (access.peek() !== context(6)) continue;
    const url = fromBytes(must(access.octets(context(6)), message));
    if (method === '1.3.6.1.5.5.7.48.1') fields.ocspServers.push(url);
    else if (method === '1.3.6.1.5.5.7.48.2') fields.issuerUrls.push(url);
  }
  return true;
}

/** An identifier with dots; unlike elsewhere its components may be of any size, within reason. */
function dottedOid(bytes: Uint8Array): string | undefined {
  const small = oidOf(bytes);
  if (small !== undefined) return small.join('.');
  if (bytes.length > 256 || (bytes.at(-1) ?? 0x80) >= 0x80) return undefined;
  const parts: bigint[] = [];
  let value = 0n;
  let inside = false;
  for (const byte of bytes) {
    if (!inside && byte === 0x80) return undefined;
    value = value * 128n + BigInt(byte & 0x7f);
    inside = byte >= 0x80;
    if (inside) continue;
    if (parts.length === 0) {
      const first = value < 80n ? value / 40n : 2n;
      parts.push(first, value - first * 40n);
    } else parts.push(value);
    value = 0n;
  }
  return parts.join('.');
}
