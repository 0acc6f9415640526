/** The names of all built-ins, in families of rows that are loaded together. */

import type { Family } from './families/row-table.js';

/** A new built-in needs its name here. */
export const familyNames = {
  aggregates: { names: 'count sum product max min sort all any', deprecated: 'all any' },
  arrays: { names: 'array.concat array.flatten array.reverse array.slice' },
  bits: { names: 'bits.and bits.or bits.xor bits.negate bits.lsh bits.rsh' },
  casts: {
    names: 'to_number cast_array cast_set cast_string cast_boolean cast_null cast_object',
    deprecated: 'cast_array cast_set cast_string cast_boolean cast_null cast_object',
  },
  cidr: {
    names: `
      net.cidr_contains net.cidr_contains_matches net.cidr_expand net.cidr_intersects
      net.cidr_is_valid net.cidr_merge net.cidr_overlap`,
    deprecated: 'net.cidr_overlap',
  },
  comparison: { names: 'assign eq equal neq lt lte gt gte' },
  crypto: {
    names: `
      crypto.md5 crypto.sha1 crypto.sha256 crypto.hmac.md5 crypto.hmac.sha1 crypto.hmac.sha256
      crypto.hmac.sha512 crypto.hmac.equal crypto.parse_private_keys crypto.x509.parse_certificates
      crypto.x509.parse_and_verify_certificates
      crypto.x509.parse_and_verify_certificates_with_options crypto.x509.parse_certificate_request
      crypto.x509.parse_keypair crypto.x509.parse_rsa_private_key`,
  },
  graphql: {
    names:
      'graphql.parse graphql.parse_and_verify graphql.parse_query graphql.parse_schema graphql.is_valid graphql.schema_is_valid',
  },
  graphs: { names: 'graph.reachable graph.reachable_paths walk' },
  internals: {
    names: 'internal.member_2 internal.member_3 internal.print internal.template_string internal.test_case print trace',
  },
  jsonPatch: { names: 'json.patch' },
  jsonPaths: { names: 'json.filter json.remove' },
  jsonSchema: { names: 'json.match_schema json.verify_schema' },
  network: { names: 'http.send net.lookup_ip_addr' },
  numbers: { names: 'plus minus mul div rem abs ceil floor round numbers.range numbers.range_step rand.intn' },
  objects: { names: 'object.get object.keys object.remove object.filter object.union object.union_n object.subset' },
  providers: { names: 'providers.aws.sign_req' },
  rego: { names: 'rego.parse_module rego.metadata.chain rego.metadata.rule opa.runtime' },
  semver: { names: 'semver.compare semver.is_valid' },
  sets: { names: 'and or set_diff intersection union', deprecated: 'set_diff' },
  tokens: {
    names: `
      io.jwt.decode io.jwt.decode_verify io.jwt.encode_sign io.jwt.encode_sign_raw
      io.jwt.verify_rs256 io.jwt.verify_rs384 io.jwt.verify_rs512 io.jwt.verify_ps256
      io.jwt.verify_ps384 io.jwt.verify_ps512 io.jwt.verify_es256 io.jwt.verify_es384
      io.jwt.verify_es512 io.jwt.verify_eddsa io.jwt.verify_hs256 io.jwt.verify_hs384
      io.jwt.verify_hs512`,
  },
  time: {
    names: `
      time.now_ns time.parse_ns time.parse_rfc3339_ns time.parse_duration_ns time.format time.date
      time.clock time.weekday time.add_date time.diff`,
  },
  types: { names: 'is_array is_boolean is_null is_number is_object is_set is_string type_name' },
  units: { names: 'units.parse units.parse_bytes' },
  uuids: { names: 'uuid.parse uuid.rfc4122' },
  encoding: {
    names: `
      base64.encode base64.decode base64.is_valid base64url.encode base64url.encode_no_pad
      base64url.decode hex.encode hex.decode json.marshal json.marshal_with_options json.unmarshal
      json.is_valid yaml.marshal yaml.unmarshal yaml.is_valid urlquery.encode urlquery.decode
      urlquery.encode_object urlquery.decode_object`,
  },
  glob: { names: 'glob.match glob.quote_meta' },
  regex: {
    names: `
      regex.match re_match regex.is_valid regex.split regex.find_n regex.find_all_string_submatch_n
      regex.replace regex.template_match regex.globs_match`,
    deprecated: 're_match',
  },
  strings: {
    names: `
      concat contains startswith endswith format_int indexof indexof_n lower upper replace split
      sprintf substring trim trim_left trim_right trim_prefix trim_suffix trim_space
      strings.any_prefix_match strings.any_suffix_match strings.count strings.replace_n
      strings.reverse strings.split_n strings.render_template`,
  },
  uri: { names: 'uri.parse uri.is_valid' },
} as const satisfies { readonly [family: string]: Omit<Family, 'rows'> };

export type FamilyName = keyof typeof familyNames;

/** All families, each with the function that gives its rows. */
export function withNames(rows: { readonly [family in FamilyName]: Family['rows'] }): Family[] {
  return Object.entries(familyNames).map(([family, names]) => ({ ...names, rows: rows[family as FamilyName] }));
}
