/** Cures are for one cause each: another message with some of the same words has none. */
import { expect, test } from 'vitest';
import { cureOf } from './cures.js';

test.each([
  ['run --server policies', 'error: 1 error occurred during loading: policies/y.yaml: merge error'],
  ['run --server bad.yaml', 'error: 1 error occurred during loading: bad.yaml: error converting YAML to JSON: yaml: line 1: did not find'],
  ['exec -b b --decision a in.json', '{"error": {"code": "opa_undefined_error"}}'],
  ['eval -d authz.rego data.authz.allow', 'authz.rego:3: rego_type_error: undefined ref: input.yaml'],
  ['test policies', 'data.authz.test_undefined_result: FAIL (1ms)'],
  ['eval data.a', 'hint: data has no "a"'],
  ['check a.rego', 'a.rego:1: rego_type_error: multiple default rules data.a.b found at a.rego:3, a.rego:5'],
  ['constructor', 'unknown command "constructor" for "writ"'],
  ['toString', 'Error: specify at least one file'],
])('writ %s: %s', (line, said) => {
  expect(cureOf(said, line.split(' '))).toBeUndefined();
});

test.each([
  ['run --server -c c.yaml', 'error: failed to parse c.yaml: config file is no YAML: yaml: line 1: did not find', 'services: {…}'],
  ['run --server -c c.json', 'error: failed to parse c.json: config must be an object but is array', 'services: {…}'],
  ['bench data.a', 'undefined result', 'writ eval'],
  ['run --server', 'error: tls: private key does not match public key', '--tls-cert-file'],
  [
    'build -b p',
    "error: load error: bundle p: manifest roots [a] do not permit 'package a.b' in module 'p/x.rego'",
    'add "a/b" to "roots"',
  ],
  ['build -b p', 'error: unsupported key type: PUBLIC KEY', 'the private key'],
  ['run -b b.tar.gz', 'error: bundle b.tar.gz: verification key not provided', '--verification-key'],
  ['run --server', 'error: failed to parse CA cert "ca.pem"', 'BEGIN CERTIFICATE'],
  ['run -b b.tar.gz', 'error: bundle b.tar.gz: bundle missing .signatures.json file', 'writ sign'],
  ['run -b b.tar.gz', 'bundle b.tar.gz: failed to verify JWT signature: crypto/rsa: verification error', 'another key'],
  ['sign -b b', 'error: jwsbb.Sign: invalid key type *jwk.rsaPrivateKey. *ecdsa.PrivateKey is required', 'an EC key'],
  ['eval -d . data', 'rego_type_error: multiple default rules data.a.b found at a.rego:3, b.rego:3', 'loaded twice'],
])('writ %s: %s has a cure', (line, said, cure) => {
  expect(cureOf(said, line.split(' '))).toContain(cure);
});
