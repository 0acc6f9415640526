import { expect, test } from 'vitest';
import { CompileErrors } from '../../../compiler/diagnostics/diagnostics.js';
import type { PlainObject } from '../../../values/value.js';
import { ConfigError, ConfigSection } from '../../services/config/config-section.js';
import { decisionQuery } from './decision-query.js';
import { parseEnvoy } from './envoy-config.js';

const parse = (plugins: PlainObject) => parseEnvoy(new ConfigSection({ plugins }, ''));

test('the defaults are the reference’s', () => {
  expect(parse({ envoy_ext_authz_grpc: {} })).toEqual({
    name: 'envoy_ext_authz_grpc',
    addr: ':9191',
    decision: { path: 'envoy/authz/allow' },
    dryRun: false,
    reflection: false,
    protoDescriptor: undefined,
    skipsBody: false,
    mostReceived: 4_194_304,
    mostSent: 2_147_483_647,
    buckets: undefined,
  });
});

test('all keys are read', () => {
  const section = {
    addr: 'unix:///s',
    query: 'data.p.allow',
    'dry-run': true,
    'enable-reflection': true,
    'proto-descriptor': 'd.pb',
    'skip-request-body-parse': true,
    'grpc-max-recv-msg-size': 10,
    'grpc-max-send-msg-size': 20,
    'enable-performance-metrics': true,
    'grpc-request-duration-seconds-buckets': [0.1, 1],
  };
  expect(parse({ 'envoy.ext_authz.grpc': section })).toEqual({
    name: 'envoy.ext_authz.grpc',
    addr: 'unix:///s',
    decision: { query: 'data.p.allow' },
    dryRun: true,
    reflection: true,
    protoDescriptor: 'd.pb',
    skipsBody: true,
    mostReceived: 10,
    mostSent: 20,
    buckets: [0.1, 1],
  });
});

test('without a section there is none', () => {
  expect([parse({}), parseEnvoy(new ConfigSection({}, ''))]).toEqual([undefined, undefined]);
});

test.each<[PlainObject, string]>([
  [{ envoy_ext_authz_grpc: { path: 'a', query: 'data.a' } }, 'specify a value for only the "path" field'],
  [{ envoy_ext_authz_grpc: { 'grpc-max-recv-msg-size': 0 } }, 'plugins.envoy_ext_authz_grpc.grpc-max-recv-msg-size: must be positive'],
  [{ envoy_ext_authz_grpc: { 'grpc-request-duration-seconds-buckets': [1, 1] } }, 'must increase'],
  [{ envoy_ext_authz_grpc: {}, 'envoy.ext_authz.grpc': {} }, 'names of one plugin'],
])('%j is an error', (plugins, message) => {
  expect(() => parse(plugins)).toThrow(ConfigError);
  expect(() => parse(plugins)).toThrow(message);
});

test.each([
  ['data.a.b', '__envoy_decision = data.a.b'],
  ['data.a[x]; data.b', '__envoy_decision = data.a[x]; data.b'],
  ['input.x == 1', '__envoy_decision = input.x == 1'],
  ['input.x == 1; data.a', '__envoy_decision = true; input.x == 1; data.a'],
  ['x := data.a', '__envoy_decision = true; x := data.a'],
  ['x = data.a', '__envoy_decision = true; x = data.a'],
  ['not data.a', '__envoy_decision = true; not data.a'],
  ['some x in [1]', '__envoy_decision = true; some x in [1]'],
])('the query %s', (query, made) => {
  expect(decisionQuery(query)).toBe(made);
});

test('a query that cannot be parsed is an error', () => {
  expect(() => decisionQuery('data.')).toThrow(CompileErrors);
});
