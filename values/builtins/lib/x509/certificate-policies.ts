/**
 * Whether the certificate policies of a chain allow it (RFC 5280, section 6.1, with any policy
 * acceptable to the caller).
 */
import { sameBytes } from '../go/octets.js';
import type { Certificate } from './certificate.js';

const anyPolicy = '2.5.29.32.0';

/**
 * Policies valid at one level of the chain, each with its equivalent policies of the next level.
 */
type Level = Map<string, ReadonlySet<string>>;

/**
 * The chain goes from the leaf to the root. Since any policy will do in the end, all that is to be
 * known of the tree of valid policies is whether its lowest level is empty.
 */
export function policiesAllow(chain: readonly Certificate[]): boolean {
  if (chain.length === 1) return true;
  const n = chain.length - 1;
  let level: Level = new Map([[anyPolicy, new Set([anyPolicy])]]);
  let explicit = n + 1;
  let mapping = n + 1;
  let any = n + 1;
  for (const [below, certificate] of chain.slice(0, -1).toReversed().entries()) {
    const i = n - 1 - below;
    const { fields, rawIssuer, rawSubject } = certificate;
    const isSelfIssued = sameBytes(rawIssuer, rawSubject);
    level = nextLevel(level, fields.policies ?? [], any > 0 || (i > 0 && isSelfIssued));
    if (explicit === 0 && level.size === 0) return false;
    if (i === 0) break;
    if (fields.policyMappings.length > 0 && !mapPolicies(level, certificate, mapping > 0)) return false;
    if (!isSelfIssued) {
      explicit = Math.max(explicit - 1, 0);
      mapping = Math.max(mapping - 1, 0);
      any = Math.max(any - 1, 0);
    }
    explicit = lower(explicit, fields.requireExplicitPolicy);
    mapping = lower(mapping, fields.inhibitPolicyMapping);
    any = lower(any, fields.inhibitAnyPolicy);
  }
  explicit = Math.max(explicit - 1, 0);
  if (chain[0]?.fields.requireExplicitPolicy === 0) explicit = 0;
  return explicit > 0 || level.size > 0;
}

function lower(count: number, limit: number): number {
  return limit < 0 ? count : Math.min(count, limit);
}

function nextLevel(level: Level, policies: readonly string[], anyCounts: boolean): Level {
  const expected = new Set<string>();
  for (const policiesBelow of level.values()) for (const policy of policiesBelow) expected.add(policy);
  const next: Level = new Map();
  for (const policy of policies) {
    if (policy !== anyPolicy && (expected.has(policy) || level.has(anyPolicy))) next.set(policy, new Set([policy]));
  }
  if (anyCounts && policies.includes(anyPolicy)) {
    for (const policy of expected) if (!next.has(policy)) next.set(policy, new Set([policy]));
  }
  return next;
}

/**
 * Renames policies for the next level as a certificate says; answers false where it renames the
 * policy that is any.
 */
function mapPolicies(level: Level, { fields: { policyMappings } }: Certificate, isAllowed: boolean): boolean {
  const mapped = new Map<string, Set<string>>();
  for (const { issuer, subject } of policyMappings) {
    if (!isAllowed) {
      level.delete(issuer);
      continue;
    }
    if (issuer === anyPolicy || subject === anyPolicy) return false;
    const subjects = mapped.get(issuer) ?? new Set();
    mapped.set(issuer, subjects.add(subject));
  }
  for (const [issuer, subjects] of mapped) if (level.has(issuer) || level.has(anyPolicy)) level.set(issuer, subjects);
  return true;
}
