import { createPrivateKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/disk.js';
import { serve } from '../../../../test/harness/server/http.js';
import type { PlainObject } from '../../../../values/value.js';
import { parsePlugins } from '../../config/plugins-config.js';
import type { ServiceClient } from '../service-client.js';
import { Services } from '../services.js';

const tlsFile = (name: string) => fileURLToPath(new URL(`../../../../fixtures/tls/${name}`, import.meta.url));

function client(url: string, credentials: PlainObject, keys: PlainObject = {}, more: PlainObject = {}): ServiceClient {
  return new Services(parsePlugins({ services: { s: { url, credentials, ...more } }, keys }).services).client('s');
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A service that accepts tokens `t1`, `t2` …, and the service that gives them. */
async function tokenServices(lifetime = 3600) {
  let given = 0;
  const tokens = await serve((_, response) => {
    json(response, { access_token: `t${++given}`, token_type: 'Bearer', expires_in: lifetime });
  });
  const accepted = { last: '' };
  const service = await serve(({ headers }, response) => {
    accepted.last = headers.authorization ?? '';
    response.writeHead(accepted.last === 'Bearer bad' ? 401 : 200).end();
  });
  return { tokens, service, accepted };
}

describe('OAuth2', () => {
  test('client credentials give a token, which is kept', async () => {
    const { tokens, service, accepted } = await tokenServices();
    const oauth2 = {
      token_url: `${tokens.url}/token`,
      client_id: 'me',
      client_secret: 'secret',
      scopes: ['a', 'b'],
      additional_headers: { 'X-A': '1' },
      additional_parameters: { resource: 'r' },
    };
    const s = client(service.url, { oauth2 });
    await Promise.all([s.request({ path: '' }), s.request({ path: '' })]);
    await s.request({ path: '' });
    expect(accepted.last).toBe('Bearer t1');
    expect(tokens.requests).toHaveLength(1);
    const [{ method, headers, body }] = tokens.requests as [(typeof tokens.requests)[0]];
    expect(method).toBe('POST');
    expect(headers).toMatchObject({ authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`, 'x-a': '1' });
    expect(Object.fromEntries(new URLSearchParams(body.toString()))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      resource: 'r',
    });
  });

  test('a token that expires is replaced, and one that was refused', async () => {
    const { tokens, service, accepted } = await tokenServices(5);
    const s = client(service.url, { oauth2: { token_url: tokens.url, client_id: 'me', client_secret: 'secret' } });
    await s.request({ path: '' });
    await s.request({ path: '' });
    expect(accepted.last).toBe('Bearer t2');
    const refusing = await serve((_, response) => response.writeHead(401).end());
    const long = await tokenServices();
    const r = client(refusing.url, { oauth2: { token_url: long.tokens.url, client_id: 'me', client_secret: 'secret' } });
    await r.request({ path: '' });
    await r.request({ path: '' });
    expect(refusing.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  test.each(['client_credentials', 'jwt_bearer'])('a key of ours signs an assertion for %s', async (grant) => {
    const { tokens, service, accepted } = await tokenServices();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = { private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), algorithm: 'RS256' };
    const oauth2 = {
      token_url: tokens.url,
      grant_type: grant,
      signing_key: 'k',
      scopes: ['x'],
      additional_claims: { iss: 'me', aud: ['you'] },
      include_jti_claim: true,
      thumbprint: '8F1BDDDE9982299E62749C20EDDBAAC57F619D04',
    };
    await client(service.url, { oauth2 }, { k: key }).request({ path: '' });
    expect(accepted.last).toBe('Bearer t1');
    const form = new URLSearchParams(tokens.requests[0]!.body.toString());
    const isBearer = grant === 'jwt_bearer';
    expect(form.get('grant_type')).toBe(isBearer ? 'urn:ietf:params:oauth:grant-type:jwt-bearer' : 'client_credentials');
    const [header, payload, signature] = form.get(isBearer ? 'assertion' : 'client_assertion')!.split('.') as [string, string, string];
    expect(createVerify('RSA-SHA256').update(`${header}.${payload}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      x5t: 'jxvd3pmCKZ5idJwg7duqxX9hnQQ',
    });
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number };
    expect(claims).toMatchObject({ iss: 'me', aud: ['you'], jti: expect.stringMatching(/-/), ...(isBearer && { scope: 'x' }) });
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000);
  });

  test.each([
    ['a refusal', (response: ServerResponse) => json(response, { error: 'secret' }, 400), 'OAuth2 token: server replied with status 400'],
    ['no JSON', (response: ServerResponse) => response.end('secret'), 'OAuth2 token: the response is no JSON object'],
    ['no token', (response: ServerResponse) => json(response, { token_type: 'bearer' }), 'OAuth2 token: the response has no access_token'],
    ['another type', (response: ServerResponse) => json(response, { access_token: 'secret', token_type: 'mac' }), 'type is not "bearer"'],
  ])('%s of the token service is an error without secrets', async (_title, answer, message) => {
    const { url } = await serve((_, response) => answer(response));
    const s = client(url, { oauth2: { token_url: url, client_id: 'me', client_secret: 'secret' } });
    const error = await s.request({ path: '' }).catch((reason: Error) => reason);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('secret');
  });

  test.each([
    [{ token_url: 'http://example.com', client_id: 'a', client_secret: 'b' }, 'token_url required to use https scheme'],
    [{ token_url: 'https://x', grant_type: 'password' }, 'grant_type must be one of'],
    [{ token_url: 'https://x', client_id: 'a' }, 'client_id and client_secret required'],
    [{ token_url: 'https://x', grant_type: 'jwt_bearer' }, 'signing_key required'],
    [{ token_url: 'https://x', signing_key: 'none' }, 'refers to a key that does not exist'],
    [{ token_url: 'https://x', aws_kms: { name: 'x' } }, 'oauth2.aws_kms is not supported'],
    [{ token_url: 'https://x', azure_keyvault: {} }, 'oauth2.azure_keyvault is not supported'],
  ])('%j is refused', (oauth2, message) => {
    expect(() => client('https://x', { oauth2 })).toThrow(message);
  });
});

describe('client TLS', () => {
  const server = {
    cert: readFileSync(tlsFile('server.pem')),
    key: readFileSync(tlsFile('server.key')),
    ca: readFileSync(tlsFile('authority.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  };
  const authority = { tls: { ca_cert: tlsFile('authority.pem') } };

  test('presents a certificate whose key has a passphrase, and reads the files again', async () => {
    const { url } = await serve((_, response) => response.end('ok'), { tls: server });
    const directory = temporaryDirectory();
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    writeFileSync(cert, 'no certificate');
    const plain = createPrivateKey(readFileSync(tlsFile('client.key')));
    writeFileSync(key, plain.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' }));
    const s = client(url, { client_tls: { cert, private_key: key, private_key_passphrase: 'p' } }, {}, authority);
    await expect(s.request({ path: '' })).rejects.toThrow(`client certificate ${cert}: tls: failed to find any PEM data`);
    copyFileSync(tlsFile('client.pem'), cert);
    expect((await s.request({ path: '' })).body.toString()).toBe('ok');
  });

  test('files are not read again within the interval', async () => {
    const { url } = await serve((_, response) => response.end('ok'), { tls: server });
    const directory = temporaryDirectory();
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    copyFileSync(tlsFile('client.pem'), cert);
    copyFileSync(tlsFile('client.key'), key);
    const s = client(url, { client_tls: { cert, private_key: key, cert_reread_interval_seconds: 60 } }, {}, authority);
    await s.request({ path: '' });
    writeFileSync(cert, 'no certificate');
    expect((await s.request({ path: '' })).body.toString()).toBe('ok');
  });

  test('without it the server ends the connection', async () => {
    const { url } = await serve((_, response) => response.end('ok'), { tls: server });
    await expect(client(url, {}, {}, authority).request({ path: '' })).rejects.toThrow('request failed');
  });
});

describe('GCP', () => {
  test('scopes give an access token', async () => {
    const { tokens, service, accepted } = await tokenServices();
    await client(service.url, { gcp_metadata: { endpoint: tokens.url, scopes: ['a', 'b'] } }).request({ path: '' });
    expect(accepted.last).toBe('Bearer t1');
    expect(tokens.requests[0]).toMatchObject({
      path: '/computeMetadata/v1/instance/service-accounts/default/token?scopes=a%2Cb',
      headers: { 'metadata-flavor': 'Google' },
    });
  });

  test('an audience gives an id token, which says when it expires', async () => {
    const { service, accepted } = await tokenServices();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ exp: Date.now() / 1000 + 3600 })}.x`;
    const tokens = await serve((_, response) => response.end(`${token}\n`));
    const s = client(service.url, { gcp_metadata: { endpoint: tokens.url, audience: 'https://a' } });
    await s.request({ path: '' });
    await s.request({ path: '' });
    expect(accepted.last).toBe(`Bearer ${token}`);
    expect(tokens.requests.map(({ path }) => path)).toEqual([
      '/computeMetadata/v1/instance/service-accounts/default/identity?audience=https%3A%2F%2Fa&format=full',
    ]);
  });

  test('one of both is required', () => {
    expect(() => client('https://x', { gcp_metadata: {} })).toThrow('exactly one of audience and scopes is required');
  });
});

describe('Azure', () => {
  test('the identity service gives a token for the resource', async () => {
    const { tokens, service, accepted } = await tokenServices();
    await client(service.url, { azure_managed_identity: { endpoint: `${tokens.url}/t`, client_id: 'c' } }).request({ path: '' });
    expect(accepted.last).toBe('Bearer t1');
    expect(tokens.requests[0]).toMatchObject({
      path: '/t?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com%2F&client_id=c',
      headers: { metadata: 'true' },
    });
  });

  test.each([{ use_app_service_msi: true }, {}])('an app service has one of its own (%j)', async (settings) => {
    const { tokens, service } = await tokenServices();
    vi.stubEnv('IDENTITY_ENDPOINT', `${tokens.url}/own`);
    vi.stubEnv('IDENTITY_HEADER', 'h');
    await client(service.url, { azure_managed_identity: settings }).request({ path: '' });
    vi.unstubAllEnvs();
    expect(tokens.requests[0]).toMatchObject({
      path: expect.stringContaining('/own?api-version=2019-08-01'),
      headers: { 'x-identity-header': 'h' },
    });
  });
});
