/** Certificates as the values that Go's JSON of them shows. */
import { numberFromInteger } from '../../../numbers/number.js';
import type { PlainObject, Value } from '../../../value.js';
import { encodeBase64 } from '../go/base64.js';
import { ipText } from '../ip/ip-text.js';
import { type GoUrl, urlText } from '../url/url.js';
import type { AlternativeNames } from './alternative-names.js';
import type { Certificate } from './certificate.js';
import type { Extension } from './extensions.js';
import { nameValue } from './name.js';
import type { IpRange } from './name-constraints.js';
import { publicKeyValue } from './public-key.js';

/** Go writes an empty list that was never made as null. */
export function listValue<T>(list: readonly T[] | undefined, show: (element: T) => Value): Value {
  return list === undefined || list.length === 0 ? null : list.map(show);
}

const same = <T extends Value>(value: T): Value => value;

/** A certificate with all its fields. */
export function certificateValue(certificate: Certificate): PlainObject {
  const { fields } = certificate;
  const limit = (value: number) => Math.max(value, 0);
  return {
    Raw: encodeBase64(certificate.raw),
    RawTBSCertificate: encodeBase64(certificate.rawTbs),
    RawSubjectPublicKeyInfo: encodeBase64(certificate.rawSubjectPublicKeyInfo),
    RawSubject: encodeBase64(certificate.rawSubject),
    RawIssuer: encodeBase64(certificate.rawIssuer),
    Signature: encodeBase64(certificate.signature),
    SignatureAlgorithm: certificate.signatureAlgorithm,
    PublicKeyAlgorithm: certificate.publicKeyAlgorithm,
    PublicKey: publicKeyValue(certificate.publicKey),
    Version: certificate.version,
    SerialNumber: numberFromInteger(certificate.serial),
    Issuer: nameValue(certificate.issuer),
    Subject: nameValue(certificate.subject),
    NotBefore: certificate.notBefore.text,
    NotAfter: certificate.notAfter.text,
    KeyUsage: fields.keyUsage,
    Extensions: extensionsValue(certificate.extensions),
    ExtraExtensions: null,
    UnhandledCriticalExtensions: listValue(fields.unhandledCritical, same),
    ExtKeyUsage: listValue(fields.usages, same),
    UnknownExtKeyUsage: listValue(fields.unknownUsages, same),
    BasicConstraintsValid: fields.hasBasicConstraints,
    IsCA: fields.isCa,
    MaxPathLen: fields.maxPathLength,
    MaxPathLenZero: fields.hasBasicConstraints && fields.maxPathLength === 0,
    SubjectKeyId: bytesValue(fields.subjectKeyId),
    AuthorityKeyId: bytesValue(fields.authorityKeyId),
    OCSPServer: listValue(fields.ocspServers, same),
    IssuingCertificateURL: listValue(fields.issuerUrls, same),
    ...namesValue(fields.names),
    ...constraintsValue(certificate),
    CRLDistributionPoints: listValue(fields.crlDistributionPoints, same),
    PolicyIdentifiers: identifiersValue(fields.policies),
    Policies: listValue(fields.policies, same),
    InhibitAnyPolicy: limit(fields.inhibitAnyPolicy),
    InhibitAnyPolicyZero: fields.inhibitAnyPolicy === 0,
    InhibitPolicyMapping: limit(fields.inhibitPolicyMapping),
    InhibitPolicyMappingZero: fields.inhibitPolicyMapping === 0,
    RequireExplicitPolicy: limit(fields.requireExplicitPolicy),
    RequireExplicitPolicyZero: fields.requireExplicitPolicy === 0,
    PolicyMappings: listValue(fields.policyMappings, ({ issuer, subject }) => ({
      IssuerDomainPolicy: issuer,
      SubjectDomainPolicy: subject,
    })),
  };
}

/** A certificate with its URIs as texts too, which is the reference's addition to Go's fields. */
export function certificateWithUriStrings(certificate: Certificate): PlainObject {
  return { ...certificateValue(certificate), URIStrings: listValue(certificate.fields.names.uris, urlText) };
}

function bytesValue(bytes: Uint8Array | undefined): Value {
  return bytes === undefined ? null : encodeBase64(bytes);
}

/** Only identifiers of numbers below 2^31 fit this older list. */
function identifiersValue(policies: readonly string[] | undefined): Value {
  if (policies === undefined) return null;
  return policies.map((oid) => oid.split('.').map(Number)).filter((oid) => oid.every((part) => part < 2 ** 31));
}

export function extensionsValue(extensions: readonly Extension[]): Value {
  return listValue(extensions, ({ id, critical, value }) => ({
    Id: id,
    Critical: critical,
    Value: encodeBase64(value),
  }));
}

export function namesValue(names: AlternativeNames): PlainObject {
  return {
    DNSNames: listValue(names.dns, same),
    EmailAddresses: listValue(names.emails, same),
    IPAddresses: listValue(names.ips, ipText),
    URIs: listValue(names.uris, urlValue),
  };
}

/** User and password are private fields in Go. */
function urlValue(url: GoUrl): Value {
  return {
    Scheme: url.scheme,
    Opaque: url.opaque,
    User: url.user === undefined ? null : {},
    Host: url.host,
    Path: url.path,
    RawPath: url.rawPath,
    OmitHost: url.omitHost,
    ForceQuery: url.forceQuery,
    RawQuery: url.rawQuery,
    Fragment: url.fragment,
    RawFragment: url.rawFragment,
  };
}

function constraintsValue({ fields: { constraints } }: Certificate): PlainObject {
  const { permitted, excluded } = constraints ?? {};
  return {
    PermittedDNSDomainsCritical: constraints?.critical ?? false,
    PermittedDNSDomains: listValue(permitted?.dns, same),
    ExcludedDNSDomains: listValue(excluded?.dns, same),
    PermittedIPRanges: listValue(permitted?.ips, rangeValue),
    ExcludedIPRanges: listValue(excluded?.ips, rangeValue),
    PermittedEmailAddresses: listValue(permitted?.emails, same),
    ExcludedEmailAddresses: listValue(excluded?.emails, same),
    PermittedURIDomains: listValue(permitted?.uris, same),
    ExcludedURIDomains: listValue(excluded?.uris, same),
  };
}

function rangeValue({ ip, mask }: IpRange): Value {
  return { IP: ipText(ip), Mask: encodeBase64(mask) };
}
