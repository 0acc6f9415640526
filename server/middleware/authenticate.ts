/** Who sends a request: a token's text, or what a client certificate says. */
import type { X509Certificate } from 'node:crypto';
import type { Value } from '../../runtime/values/value.js';
import type { Exchange } from '../exchange.js';
import type { Settings } from '../services.js';

export interface Identity {
  readonly identity?: string;
  readonly client_certificates?: Value;
}

const bearer = /^Bearer[ \t]+(\S+)$/;

export function identify(exchange: Exchange, { authentication }: Settings): Identity {
  if (authentication === 'token') {
    const token = bearer.exec(exchange.header('authorization')?.trim() ?? '')?.[1];
    return token === undefined ? {} : { identity: token };
  }
  if (authentication !== 'tls') return {};
  const certificates = clientCertificates(exchange);
  const [first] = certificates;
  if (first === undefined) return {};
  return { identity: subjectText(first.subject), client_certificates: certificates.map(certificateValue) };
}

/** The certificates that a client has shown, its own first. They were verified when the connection was made. */
function clientCertificates({ tls }: Exchange): readonly X509Certificate[] {
  const found: X509Certificate[] = [];
  let next = tls?.getPeerX509Certificate();
  while (next !== undefined && found.length < 20) {
    found.push(next);
    next = next.issuerCertificate;
  }
  return found;
}

/** The order in which Go writes the attributes that it knows. */
const shownAttributes: readonly (readonly [attribute: string, shown: string])[] = [
  ['serialNumber', 'SERIALNUMBER'],
  ['CN', 'CN'],
  ['postalCode', 'POSTALCODE'],
  ['street', 'STREET'],
  ['ST', 'ST'],
  ['L', 'L'],
  ['OU', 'OU'],
  ['O', 'O'],
  ['C', 'C'],
];

/** A subject as Go prints it: `CN=al,OU=a+OU=b,O=acme`. */
export function subjectText(subject: string): string {
  const attributes = attributesOf(subject);
  return shownAttributes
    .flatMap(([name, shown]) => {
      const values = attributes.filter(([attribute]) => attribute === name).map(([, value]) => `${shown}=${escaped(value)}`);
      return values.length === 0 ? [] : [values.join('+')];
    })
    .join(',');
}

function escaped(value: string): string {
  return value.replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&');
}

/** Names and values in a subject as Node writes it, a line each. */
function attributesOf(subject: string): readonly (readonly [name: string, value: string])[] {
  return subject
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 1)] as const;
    });
}

function certificateValue(certificate: X509Certificate): Value {
  return {
    Raw: certificate.raw.toString('base64'),
    SerialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
    Subject: subjectValue(certificate.subject),
    Issuer: subjectValue(certificate.issuer),
    NotBefore: new Date(certificate.validFrom).toISOString().replace('.000Z', 'Z'),
    NotAfter: new Date(certificate.validTo).toISOString().replace('.000Z', 'Z'),
    DNSNames: alternativeNames(certificate, 'DNS'),
    EmailAddresses: alternativeNames(certificate, 'email'),
    IPAddresses: alternativeNames(certificate, 'IP Address'),
    URIStrings: alternativeNames(certificate, 'URI'),
    IsCA: certificate.ca,
  };
}

const attributeNames: Readonly<Record<string, string>> = {
  C: 'Country',
  O: 'Organization',
  OU: 'OrganizationalUnit',
  L: 'Locality',
  ST: 'Province',
  street: 'StreetAddress',
  postalCode: 'PostalCode',
};

/** A name with the fields that Go's certificates have; all but the common name may stand several times. */
function subjectValue(subject: string): Value {
  const fields: Record<string, Value> = Object.fromEntries(Object.values(attributeNames).map((name) => [name, null]));
  fields.CommonName = '';
  fields.SerialNumber = '';
  for (const [key, value] of attributesOf(subject)) {
    if (key === 'CN') fields.CommonName = value;
    else if (key === 'serialNumber') fields.SerialNumber = value;
    else if (attributeNames[key] !== undefined) fields[attributeNames[key]] = [...((fields[attributeNames[key]] ?? []) as string[]), value];
  }
  return fields;
}

function alternativeNames({ subjectAltName }: X509Certificate, kind: string): Value {
  const names = (subjectAltName ?? '').split(', ').flatMap((entry) => (entry.startsWith(`${kind}:`) ? [entry.slice(kind.length + 1)] : []));
  return names.length === 0 ? null : names;
}
