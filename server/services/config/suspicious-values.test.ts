import { expect, test } from 'vitest';
import { suspiciousValues } from './suspicious-values.js';

test.each<[Parameters<typeof suspiciousValues>[0], string]>([
  [{ services: [{ name: 's', url: '$\u007bBUNDLES}/x' }] }, 'config key "services[0].url": the variable BUNDLES is not set'],
  [{ default_decision: 'data.authz.allow' }, 'config key "default_decision": a path has slashes, did you mean "authz/allow"?'],
  [
    { plugins: { envoy_ext_authz_grpc: { path: 'authz.allow' } } },
    'config key "plugins.envoy_ext_authz_grpc.path": a path has slashes, did you mean "authz/allow"?',
  ],
  [
    { plugins: { authzen: { paths: [{ path: 'a.b' }] } } },
    'config key "plugins.authzen.paths[0].path": a path has slashes, did you mean "a/b"?',
  ],
  [{ keys: { k: { key: 'public.pem' } } }, 'config key "keys.k.key" is no key of PEM: give a file by --set-file keys.k.key=FILE'],
])('%j has a warning', (config, warning) => {
  expect(suspiciousValues(config)).toEqual([warning]);
});

test.each<[Parameters<typeof suspiciousValues>[0]]>([
  [{ default_decision: 'a.b/allow', plugins: { authzen: { path: '/a' }, file_logger: { path: '/var/log/d.log' } } }],
  [{ keys: { k: { key: 'secret', algorithm: 'HS256' }, l: { key: '-----BEGIN PUBLIC KEY-----' } } }],
  [{ services: { s: { url: 'http://a.b/$c', credentials: { bearer: { token: '{x}' } } } }, labels: { a: null, b: 1 } }],
])('%j has none', (config) => {
  expect(suspiciousValues(config)).toEqual([]);
});
