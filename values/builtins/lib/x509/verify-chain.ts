/** Verifying a chain of certificates from a leaf to a trusted root, as Go does. */
import { type HostCrypto, type HostKey, KeyError } from '../../host-crypto.js';
import { sameBytes } from '../go/octets.js';
import { asV4, parseIp } from '../ip/ip-text.js';
import type { Certificate } from './certificate.js';
import { policiesAllow } from './certificate-policies.js';
import { namesArePermitted } from './constraint-check.js';
import { trustedSchemes } from './signature-algorithm.js';

export interface ChainOptions {
  /** Empty for no particular host. */
  readonly dnsName: string;
  /** When the certificates must be valid, in milliseconds since 1970. */
  readonly time: number;
  /**
   * The chain must allow one of these usages (Go's numbers). An empty list means authenticating a
   * server.
   */
  readonly usages: readonly number[];
  /** Counts work that depends on the certificates. */
  readonly tick: (units: number) => void;
}

const anyUsage = 0;
const serverAuthentication = 1;

/** The most signatures that are verified for one chain. */
const maxSignatureChecks = 100;

interface Search {
  readonly root: Certificate;
  readonly intermediates: readonly Certificate[];
  readonly options: ChainOptions;
  readonly crypto: HostCrypto;
  checks: number;
}

/** The first good chain from the leaf to the root, undefined if there is none. */
export function verifyChain(
  root: Certificate,
  intermediates: readonly Certificate[],
  leaf: Certificate,
  options: ChainOptions,
  crypto: HostCrypto,
): readonly Certificate[] | undefined {
  if (!isAcceptable(leaf, 'leaf', [], options)) return undefined;
  if (options.dnsName !== '' && !isForHost(leaf, options.dnsName)) return undefined;
  const search: Search = { root, intermediates: withoutTwins(intermediates), options, crypto, checks: 0 };
  const chains = sameBytes(root.raw, leaf.raw) ? [[leaf]] : chainsAbove(leaf, [leaf], search);
  const usages = options.usages.length === 0 ? [serverAuthentication] : options.usages;
  return chains.find(
    (chain) =>
      policiesAllow(chain) &&
      (usages.includes(anyUsage) || isGoodFor(chain, usages)) &&
      namesArePermitted(chain, options.tick),
  );
}

function withoutTwins(certificates: readonly Certificate[]): readonly Certificate[] {
  return certificates.filter((one, i) => certificates.findIndex((other) => sameBytes(one.raw, other.raw)) === i);
}

/** All chains that begin so, with the child last, and end at the root. */
function chainsAbove(
  child: Certificate,
  chain: readonly Certificate[],
  search: Search,
): readonly (readonly Certificate[])[] {
  const found: (readonly Certificate[])[] = [];
  if (isParent(search.root, 'root', child, chain, search)) found.push([...chain, search.root]);
  for (const candidate of likelyParents(child, search.intermediates)) {
    if (isParent(candidate, 'intermediate', child, chain, search))
      found.push(...chainsAbove(candidate, [...chain, candidate], search));
  }
  return found;
}

/**
 * First the certificates with the key identifier that the child names, then those without a key
 * identifier.
 */
function likelyParents(child: Certificate, certificates: readonly Certificate[]): readonly Certificate[] {
  const wanted = child.fields.authorityKeyId ?? new Uint8Array(0);
  const rank = ({ fields: { subjectKeyId = new Uint8Array(0) } }: Certificate): number =>
    sameBytes(subjectKeyId, wanted) ? 0 : subjectKeyId.length === 0 || wanted.length === 0 ? 1 : 2;
  return certificates
    .filter(({ rawSubject }) => sameBytes(rawSubject, child.rawIssuer))
    .sort((a, b) => rank(a) - rank(b));
}

function isParent(
  candidate: Certificate,
  kind: 'root' | 'intermediate',
  child: Certificate,
  chain: readonly Certificate[],
  search: Search,
): boolean {
  if (!sameBytes(candidate.rawSubject, child.rawIssuer)) return false;
  if (++search.checks > maxSignatureChecks) return false;
  if (candidate.publicKey === undefined || chain.some((other) => isSameEntity(candidate, other))) return false;
  return hasSigned(candidate, child, search.crypto) && isAcceptable(candidate, kind, chain, search.options);
}

/** Whether two certificates are of one name and key, under the same alternative names. */
function isSameEntity(a: Certificate, b: Certificate): boolean {
  if (!sameBytes(a.rawSubject, b.rawSubject) || !sameBytes(a.rawSubjectPublicKeyInfo, b.rawSubjectPublicKeyInfo))
    return false;
  const namesOf = ({ extensions }: Certificate) => extensions.find(({ oid }) => oid === '2.5.29.17')?.value;
  const names = namesOf(a);
  const others = namesOf(b);
  return names === undefined || others === undefined ? names === others : sameBytes(names, others);
}

const mayCertify = 1 << 5;

function hasSigned(parent: Certificate, child: Certificate, crypto: HostCrypto): boolean {
  const { fields, version } = parent;
  if (version === 3 && !fields.hasBasicConstraints) return false;
  if (fields.hasBasicConstraints && !fields.isCa) return false;
  if (fields.keyUsage !== 0 && (fields.keyUsage & mayCertify) === 0) return false;
  const scheme = trustedSchemes.get(child.signatureAlgorithm);
  if (scheme === undefined) return false;
  const key = keyOf(parent, crypto);
  if (key === undefined || (key.type === 'rsa' && key.bits < 1024)) return false;
  return crypto.verify(scheme, key, child.rawTbs, child.signature);
}

function keyOf(certificate: Certificate, crypto: HostCrypto): HostKey | undefined {
  try {
    return crypto.importKey({ format: 'spki', der: certificate.rawSubjectPublicKeyInfo });
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

/**
 * Whether a certificate may be at its place above a chain: it is valid at the time, its extensions
 * are known, and it may sign.
 */
function isAcceptable(
  { fields, notBefore, notAfter }: Certificate,
  kind: 'leaf' | 'intermediate' | 'root',
  chain: readonly Certificate[],
  { time }: ChainOptions,
): boolean {
  if (fields.unhandledCritical.length > 0) return false;
  if (time < notBefore.ms || time > notAfter.ms) return false;
  if (kind === 'intermediate' && !(fields.hasBasicConstraints && fields.isCa)) return false;
  return !(fields.hasBasicConstraints && fields.maxPathLength >= 0 && chain.length - 1 > fields.maxPathLength);
}

/** Whether one of the usages is allowed by every certificate; one without a list allows all. */
function isGoodFor(chain: readonly Certificate[], usages: readonly number[]): boolean {
  let remaining = usages;
  for (const { fields } of chain) {
    if (fields.usages.length + fields.unknownUsages.length === 0 || fields.usages.includes(anyUsage)) continue;
    remaining = remaining.filter((usage) => fields.usages.includes(usage));
  }
  return remaining.length > 0;
}

/**
 * The host is a name, or an address with or without brackets. The subject's common name does not
 * count.
 */
function isForHost({ fields: { names } }: Certificate, host: string): boolean {
  const ip = parseIp(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
  if (ip !== undefined) return names.ips.some((candidate) => sameBytes(asV4(candidate) ?? candidate, asV4(ip) ?? ip));
  const name = lower(host);
  const isName = isHostName(name.replace(/\.$/, ''), false);
  const labels = name.replace(/\.$/, '').split('.');
  return names.dns.some((pattern) =>
    isName && isHostName(pattern, true) ? matches(lower(pattern), labels) : isSame(pattern, name),
  );
}

function isHostName(text: string, isPattern: boolean): boolean {
  if (text === '' || text === '*') return false;
  return text
    .split('.')
    .every((label, i) => (isPattern && i === 0 && label === '*') || /^[a-zA-Z0-9_][a-zA-Z0-9_-]*$/.test(label));
}

/** `*` matches one whole label, the first. */
function matches(pattern: string, labels: readonly string[]): boolean {
  const parts = pattern.split('.');
  return parts.length === labels.length && parts.every((part, i) => (i === 0 && part === '*') || part === labels[i]);
}

function isSame(pattern: string, name: string): boolean {
  return pattern !== '' && pattern !== '.' && name !== '' && name !== '.' && lower(pattern) === name;
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
