/**
 * The releases of the reference, and when the language got its built-ins, keywords and features.
 * About a quarter of the dates were confirmed on pages of the public documentation; the others were
 * written from memory of these pages and may be off by a release. A patch release counts as the
 * `.0` before it.
 */
import { type Capabilities, capabilitiesOf, capabilitiesVersion } from './capabilities.js';
import { builtins } from './registry.js';

/** The last patch of each minor release from v0.17 on, which was the first with capabilities. */
// prettier-ignore
const patches = {
  0: [
    3, 0, 2, 5, 1, 0, 2, 0, 2, 0, 1, 0, 4, 2, 0, 1, 1, 2, 0, 1, 2, 1, 0, 0, 0, 2, 1, 0, 0, 3, 4, 0, 2, 2, 0, 0, 1, 0, 0,
    0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0,
  ],
  1: [1, 0, 0, 0, 2, 1, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 1, 2, 0],
} as const;

/** The built-ins that came after v0.17, by the minor release that brought them. */
// prettier-ignore
const broughtBy: Readonly<Record<string, readonly string[]>> = {
  'v0.18': ['bits.and', 'bits.lsh', 'bits.negate', 'bits.or', 'bits.rsh', 'bits.xor', 'json.remove'],
  'v0.19': ['net.cidr_contains_matches', 'time.add_date'],
  'v0.20': ['graph.reachable', 'uuid.rfc4122'],
  'v0.21': ['crypto.x509.parse_certificate_request'],
  'v0.22': ['numbers.range', 'semver.compare', 'semver.is_valid'],
  'v0.23': ['regex.is_valid', 'regex.match'],
  'v0.24': ['base64.is_valid', 'net.cidr_merge', 'urlquery.decode_object'],
  'v0.25': ['base64url.encode_no_pad', 'hex.decode', 'hex.encode', 'json.is_valid', 'json.patch', 'yaml.is_valid'],
  'v0.26': ['ceil', 'floor'],
  'v0.28': ['time.diff'],
  'v0.31': ['crypto.x509.parse_and_verify_certificates', 'rand.intn'],
  'v0.33': ['crypto.x509.parse_rsa_private_key'],
  'v0.34': ['internal.member_2', 'internal.member_3', 'internal.print', 'print'],
  'v0.35': ['net.lookup_ip_addr'],
  'v0.36': [
    'array.reverse',
    'crypto.hmac.md5',
    'crypto.hmac.sha1',
    'crypto.hmac.sha256',
    'crypto.hmac.sha512',
    'strings.reverse',
  ],
  'v0.37': ['graph.reachable_paths', 'indexof_n', 'object.union_n'],
  'v0.40': ['rego.metadata.chain', 'rego.metadata.rule'],
  'v0.41': [
    'graphql.is_valid',
    'graphql.parse',
    'graphql.parse_and_verify',
    'graphql.parse_query',
    'graphql.parse_schema',
    'units.parse',
  ],
  'v0.42': ['object.subset'],
  'v0.44': ['strings.any_prefix_match', 'strings.any_suffix_match'],
  'v0.45': ['regex.replace'],
  'v0.46': ['graphql.schema_is_valid', 'net.cidr_is_valid'],
  'v0.47': ['object.keys', 'providers.aws.sign_req'],
  'v0.48': ['time.format'],
  'v0.50': ['json.match_schema', 'json.verify_schema'],
  'v0.52': ['crypto.hmac.equal'],
  'v0.53': ['crypto.x509.parse_keypair'],
  'v0.55': ['crypto.parse_private_keys'],
  'v0.56': ['numbers.range_step'],
  'v0.59': ['strings.render_template'],
  'v0.63': ['crypto.x509.parse_and_verify_certificates_with_options'],
  'v0.64': ['json.marshal_with_options'],
  'v0.66': ['uuid.parse'],
  'v0.67': ['strings.count'],
  'v1.2': ['internal.test_case'],
  'v1.8': ['io.jwt.verify_eddsa'],
  'v1.12': ['internal.template_string'],
  'v1.13': ['array.flatten'],
  'v1.16': ['uri.is_valid', 'uri.parse'],
  // The documentation does not say when it came.
  'v1.20': ['strings.split_n'],
};

/** Keywords and features with the first and, where version 1 ended it, the last minor release. */
const keywords = [
  ['in', 'v0.34', 'v0.70'],
  ['every', 'v0.38', 'v0.70'],
  ['contains', 'v0.42', 'v0.70'],
  ['if', 'v0.42', 'v0.70'],
  ['not', 'v1.20', undefined],
  ['and', 'v1.20', undefined],
  ['or', 'v1.20', undefined],
] as const;
const features = [
  ['rule_head_ref_string_prefixes', 'v0.46', 'v0.70'],
  ['rule_head_refs', 'v0.56', 'v0.70'],
  ['rego_v1_import', 'v0.59', 'v0.70'],
  ['rego_v1', 'v1.0', undefined],
  ['keywords_in_refs', 'v1.6', undefined],
  ['template_strings', 'v1.12', undefined],
] as const;

/** The releases up to the one that is implemented here, oldest first: `v0.17.0` to `v1.21.0`. */
export function releases(): string[] {
  const minors = [
    ...patches[0].map((last, i) => [`v0.${i + 17}`, last] as const),
    ...patches[1].map((last, i) => [`v1.${i}`, last] as const),
  ];
  return minors.flatMap(([minor, last]) => Array.from({ length: last + 1 }, (_, patch) => `${minor}.${patch}`));
}

/**
 * The capabilities of a release; undefined if there is none of that name. The built-ins have the
 * declarations of this release.
 */
export function releaseCapabilities(version: string, regoVersion: 0 | 1): Capabilities | undefined {
  if (version === capabilitiesVersion) return capabilitiesOf(builtins.values(), regoVersion);
  if (!isRelease(version)) return undefined;
  const later = new Set(Object.entries(broughtBy).flatMap(([minor, names]) => (isBefore(version, minor) ? names : [])));
  const known = [...builtins.values()].filter(({ name }) => !later.has(name));
  const isPast = (last: string | undefined) => regoVersion === 1 && last !== undefined && isBefore(last, version);
  const valid = (rows: typeof keywords | typeof features) =>
    rows
      .filter(([, first, last]) => !isBefore(version, first) && !isPast(last))
      .map(([name]) => name)
      .sort();
  return { ...capabilitiesOf(known, regoVersion), future_keywords: valid(keywords), features: valid(features) };
}

/** Later patch releases than the listed ones may exist. */
function isRelease(version: string): boolean {
  const [minor] = /^v\d+\.\d+(?=\.\d$)/.exec(version) ?? [];
  return minor !== undefined && !capabilitiesVersion.startsWith(`${minor}.`) && releases().includes(`${minor}.0`);
}

/** Whether a release is of an earlier minor release than another one. */
function isBefore(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.slice(1).split('.').map(Number);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}
