/** All built-ins, by name. */

import { aggregates } from './families/aggregates.js';
import { bits } from './families/bits.js';
import { cidr } from './families/cidr.js';
import { arrays, sets } from './families/collections.js';
import { comparison } from './families/comparison.js';
import { crypto } from './families/crypto.js';
import { encoding } from './families/encoding.js';
import { semver, units, uri, uuids } from './families/formats.js';
import { graphs } from './families/graph.js';
import { graphql } from './families/graphql.js';
import { internals } from './families/internal.js';
import { jsonPatch, jsonPaths, jsonSchema } from './families/json.js';
import { tokens } from './families/jwt.js';
import { network, providers } from './families/network.js';
import { numbers } from './families/numbers.js';
import { objects } from './families/objects.js';
import { glob, regex } from './families/patterns.js';
import { rego } from './families/rego.js';
import { type Family, RowTable } from './families/row-table.js';
import { strings } from './families/strings.js';
import { time } from './families/time.js';
import { casts, types } from './families/types.js';

/**
 * A new built-in needs its name here. Modules contain the rows that they need: the build takes this
 * table apart.
 */
export const families: readonly Family[] = [
  { rows: () => aggregates, names: 'count sum product max min sort all any', deprecated: 'all any' },
  { rows: () => arrays, names: 'array.concat array.flatten array.reverse array.slice' },
  { rows: () => bits, names: 'bits.and bits.or bits.xor bits.negate bits.lsh bits.rsh' },
  {
    rows: () => casts,
    names: 'to_number cast_array cast_set cast_string cast_boolean cast_null cast_object',
    deprecated: 'cast_array cast_set cast_string cast_boolean cast_null cast_object',
  },
  {
    rows: () => cidr,
    names: `
      net.cidr_contains net.cidr_contains_matches net.cidr_expand net.cidr_intersects
      net.cidr_is_valid net.cidr_merge net.cidr_overlap`,
    deprecated: 'net.cidr_overlap',
  },
  { rows: () => comparison, names: 'assign eq equal neq lt lte gt gte' },
  {
    rows: () => crypto,
    names: `
      crypto.md5 crypto.sha1 crypto.sha256 crypto.hmac.md5 crypto.hmac.sha1 crypto.hmac.sha256
      crypto.hmac.sha512 crypto.hmac.equal crypto.parse_private_keys crypto.x509.parse_certificates
      crypto.x509.parse_and_verify_certificates
      crypto.x509.parse_and_verify_certificates_with_options crypto.x509.parse_certificate_request
      crypto.x509.parse_keypair crypto.x509.parse_rsa_private_key`,
  },
  {
    rows: () => graphql,
    names: 'graphql.parse graphql.parse_and_verify graphql.parse_query graphql.parse_schema graphql.is_valid graphql.schema_is_valid',
  },
  { rows: () => graphs, names: 'graph.reachable graph.reachable_paths walk' },
  {
    rows: () => internals,
    names: 'internal.member_2 internal.member_3 internal.print internal.template_string internal.test_case print trace',
  },
  { rows: () => jsonPatch, names: 'json.patch' },
  { rows: () => jsonPaths, names: 'json.filter json.remove' },
  { rows: () => jsonSchema, names: 'json.match_schema json.verify_schema' },
  { rows: () => network, names: 'http.send net.lookup_ip_addr' },
  { rows: () => numbers, names: 'plus minus mul div rem abs ceil floor round numbers.range numbers.range_step rand.intn' },
  { rows: () => objects, names: 'object.get object.keys object.remove object.filter object.union object.union_n object.subset' },
  { rows: () => providers, names: 'providers.aws.sign_req' },
  { rows: () => rego, names: 'rego.parse_module rego.metadata.chain rego.metadata.rule opa.runtime' },
  { rows: () => semver, names: 'semver.compare semver.is_valid' },
  { rows: () => sets, names: 'and or set_diff intersection union', deprecated: 'set_diff' },
  {
    rows: () => tokens,
    names: `
      io.jwt.decode io.jwt.decode_verify io.jwt.encode_sign io.jwt.encode_sign_raw
      io.jwt.verify_rs256 io.jwt.verify_rs384 io.jwt.verify_rs512 io.jwt.verify_ps256
      io.jwt.verify_ps384 io.jwt.verify_ps512 io.jwt.verify_es256 io.jwt.verify_es384
      io.jwt.verify_es512 io.jwt.verify_eddsa io.jwt.verify_hs256 io.jwt.verify_hs384
      io.jwt.verify_hs512`,
  },
  {
    rows: () => time,
    names: `
      time.now_ns time.parse_ns time.parse_rfc3339_ns time.parse_duration_ns time.format time.date
      time.clock time.weekday time.add_date time.diff`,
  },
  { rows: () => types, names: 'is_array is_boolean is_null is_number is_object is_set is_string type_name' },
  { rows: () => units, names: 'units.parse units.parse_bytes' },
  { rows: () => uuids, names: 'uuid.parse uuid.rfc4122' },
  {
    rows: () => encoding,
    names: `
      base64.encode base64.decode base64.is_valid base64url.encode base64url.encode_no_pad
      base64url.decode hex.encode hex.decode json.marshal json.marshal_with_options json.unmarshal
      json.is_valid yaml.marshal yaml.unmarshal yaml.is_valid urlquery.encode urlquery.decode
      urlquery.encode_object urlquery.decode_object`,
  },
  { rows: () => glob, names: 'glob.match glob.quote_meta' },
  {
    rows: () => regex,
    names: `
      regex.match re_match regex.is_valid regex.split regex.find_n regex.find_all_string_submatch_n
      regex.replace regex.template_match regex.globs_match`,
    deprecated: 're_match',
  },
  {
    rows: () => strings,
    names: `
      concat contains startswith endswith format_int indexof indexof_n lower upper replace split
      sprintf substring trim trim_left trim_right trim_prefix trim_suffix trim_space
      strings.any_prefix_match strings.any_suffix_match strings.count strings.replace_n
      strings.reverse strings.split_n strings.render_template`,
  },
  { rows: () => uri, names: 'uri.parse uri.is_valid' },
];

export const builtins: RowTable = RowTable.of(families);
