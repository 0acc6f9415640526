/**
 * Whether the names of the certificates of a chain are within the constraints of the authorities
 * above them.
 */

import { sameBytes } from '../go/octets.js';
import { parseIp } from '../ip/ip-text.js';
import type { GoUrl } from '../url/url.js';
import { type AlternativeNames, isDomainName } from './alternative-names.js';
import type { Certificate } from './certificate.js';
import { type Mailbox, parseMailbox } from './mailbox.js';
import type { IpRange, NameConstraints, NameSubtrees } from './name-constraints.js';

/** The most comparisons for one certificate: more are taken for an attack. */
const maxComparisons = 5_000_000;

/**
 * The chain goes from the leaf to the root. A name that cannot be compared with the constraints
 * above it makes it false, and so do more names and constraints than anyone needs.
 */
export function namesArePermitted(chain: readonly Certificate[], tick: (units: number) => void): boolean {
  return chain.every((certificate, i) => {
    const above = chain.slice(i + 1).flatMap((authority) => authority.fields.constraints ?? []);
    if (above.length === 0 || !certificate.extensions.some(({ oid }) => oid === '2.5.29.17')) return true;
    const names = comparable(certificate.fields.names);
    if (names === undefined) return false;
    const comparisons = above.reduce((sum, constraints) => sum + sizeOf(constraints), 0) * countOf(names);
    if (comparisons > maxComparisons) return false;
    tick(comparisons);
    return above.every((constraints) => isPermitted(names, constraints));
  });
}

interface ComparableNames {
  readonly dns: readonly string[];
  readonly hosts: readonly string[];
  readonly mailboxes: readonly Mailbox[];
  readonly ips: readonly Uint8Array[];
}

function sizeOf({ permitted, excluded }: NameConstraints): number {
  return [permitted, excluded].reduce(
    (sum, { dns, ips, emails, uris }) => sum + dns.length + ips.length + emails.length + uris.length,
    0,
  );
}

function countOf({ dns, hosts, mailboxes, ips }: ComparableNames): number {
  return dns.length + hosts.length + mailboxes.length + ips.length;
}

function comparable({ dns, uris, emails, ips }: AlternativeNames): ComparableNames | undefined {
  const hosts = uris.map(hostOf);
  const mailboxes = emails.map(parseMailbox);
  if (hosts.includes(undefined) || mailboxes.includes(undefined) || !dns.every((name) => isDomainName(name)))
    return undefined;
  return {
    dns,
    hosts: hosts as string[],
    mailboxes: (mailboxes as Mailbox[]).map(({ local, domain }) => ({ local, domain: domain.toLowerCase() })),
    ips,
  };
}

/** The host name of a URI without its port. Undefined if there is no host, or an address. */
function hostOf(uri: GoUrl): string | undefined {
  const host = uri.host.toLowerCase();
  if (host === '' || host.endsWith(']')) return undefined;
  const name = host.replace(/:[^:]*$/, '');
  return name === '' || name.includes(':') || parseIp(name) !== undefined || !isDomainName(name) ? undefined : name;
}

function isPermitted(names: ComparableNames, { permitted, excluded }: NameConstraints): boolean {
  const within = <T, C>(
    name: T,
    of: (subtrees: NameSubtrees) => readonly C[],
    matches: (constraint: C, name: T) => boolean,
    hits = matches,
  ): boolean => {
    const allowed = of(permitted);
    if (allowed.length > 0 && !allowed.some((constraint) => matches(constraint, name))) return false;
    return !of(excluded).some((constraint) => hits(constraint, name));
  };
  return (
    names.ips.every((ip) => within(ip, ({ ips }) => ips, isInRange)) &&
    names.dns.every((name) => within(name, ({ dns }) => dns, isInDomain, touchesDomain)) &&
    names.hosts.every((host) => within(host, ({ uris }) => uris, isInDomain, touchesDomain)) &&
    names.mailboxes.every((mailbox) => within(mailbox, ({ emails }) => emails, isMailbox))
  );
}

function isInRange({ ip: network, mask }: IpRange, ip: Uint8Array): boolean {
  const masked = (address: Uint8Array): Uint8Array => address.map((byte, i) => byte & (mask[i] ?? 0));
  return network.length === ip.length && sameBytes(masked(network), masked(ip));
}

/** `.example.com` matches names below it, `example.com` also itself, the empty text all names. */
function isInDomain(constraint: string, name: string): boolean {
  const [domain, host] = [constraint.toLowerCase(), name.toLowerCase()];
  if (domain === '') return true;
  if (domain.startsWith('.')) return host.endsWith(domain);
  return host === domain || host.endsWith(`.${domain}`);
}

/** A wildcard is excluded too where one of the names that it matches is. */
function touchesDomain(constraint: string, name: string): boolean {
  if (isInDomain(constraint, name)) return true;
  const dot = constraint.indexOf('.');
  return name.startsWith('*.') && dot >= 0 && constraint.slice(dot).toLowerCase() === name.slice(1).toLowerCase();
}

function isMailbox(constraint: string, mailbox: Mailbox): boolean {
  if (!constraint.includes('@')) return isInDomain(constraint, mailbox.domain);
  const wanted = parseMailbox(constraint);
  return wanted?.local === mailbox.local && wanted.domain.toLowerCase() === mailbox.domain;
}
