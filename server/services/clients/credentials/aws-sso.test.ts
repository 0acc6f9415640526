/** `sso_credentials`, with the files of `aws sso login` and the two services behind them. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/disk.js';
import { serve } from '../../../../test/harness/server/http.js';
import type { PlainObject } from '../../../../values/value.js';
import { parsePlugins } from '../../config/plugins-config.js';
import { Services } from '../services.js';

const sessionConfig = `[default]
region = us-east-1

[profile reader]
sso_session = my session
sso_account_id = 123456789012
sso_role_name = ReadOnly
[sso-session my session]
sso_region = eu-west-1
sso_start_url = https://example.awsapps.com/start

[profile older]
sso_start_url = https://older.awsapps.com/start
sso_region = eu-west-1
sso_account_id = 123456789012
sso_role_name = ReadOnly
`;

const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
let home = '';

beforeEach(() => {
  home = temporaryDirectory();
  mkdirSync(join(home, '.aws/sso/cache'), { recursive: true });
  writeFileSync(join(home, '.aws/config'), sessionConfig);
  vi.stubEnv('HOME', home);
  vi.stubEnv('AWS_REGION', 'us-east-1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function signIn(name: string, fields: PlainObject): void {
  writeFileSync(join(home, '.aws/sso/cache', `${createHash('sha1').update(name).digest('hex')}.json`), JSON.stringify(fields));
}

/** The services of SSO, which give keys for these tokens, and a service that takes the keys. */
async function services(tokens: readonly string[], { keyHours = 1, expiresIn = 3600 } = {}) {
  let renewals = 0;
  const sso = await serve(({ path, headers }, response) => {
    if (path === '/token') {
      response.end(
        JSON.stringify({ accessToken: `renewed${++renewals}`, expiresIn, refreshToken: `refresh${renewals}`, tokenType: 'Bearer' }),
      );
    } else if (!tokens.includes(String(headers['x-amz-sso_bearer_token']))) {
      response.writeHead(401).end('sesame');
    } else {
      const expiration = Date.now() + keyHours * 3_600_000;
      response.end(JSON.stringify({ roleCredentials: { accessKeyId: 'AK', secretAccessKey: 'SK', sessionToken: 'ST', expiration } }));
    }
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SSO', sso.url);
  vi.stubEnv('AWS_ENDPOINT_URL_SSO_OIDC', `${sso.url}/`);
  const store = await serve((_, response) => response.end());
  const client = (sso_credentials: PlainObject) => {
    const service = { url: store.url, credentials: { s3_signing: { sso_credentials } } };
    return new Services(parsePlugins({ services: { s: service } }).services).client('s');
  };
  return { sso, store, client };
}

describe('a user who has signed in', () => {
  test.each([
    ['with a session', 'reader', 'my session'],
    ['with settings of the profile, as older files have them', 'older', 'https://older.awsapps.com/start'],
  ])('%s gets keys of the role, which are kept', async (_title, profile, cacheName) => {
    signIn(cacheName, { accessToken: 'sesame', expiresAt: hours(1) });
    const { sso, store, client } = await services(['sesame']);
    const service = client({ profile, aws_region: 'ap-south-1' });
    await service.request({ path: 'a' });
    await service.request({ path: 'b' });
    expect(sso.requests.map(({ path }) => path)).toEqual(['/federation/credentials?account_id=123456789012&role_name=ReadOnly']);
    expect(store.requests[0]!.headers).toMatchObject({
      authorization: expect.stringMatching(/Credential=AK\/\d+\/ap-south-1\/s3\//),
      'x-amz-security-token': 'ST',
    });
  });

  test('has another token once that has expired, which is kept too', async () => {
    signIn('my session', { accessToken: 'old', expiresAt: hours(-1), clientId: 'c', clientSecret: 'cs', refreshToken: 'r' });
    const { sso, client } = await services(['renewed1', 'renewed2'], { keyHours: 0 });
    vi.stubEnv('AWS_PROFILE', 'reader');
    const service = client({});
    await service.request({ path: 'a' });
    await service.request({ path: 'b' });
    expect(sso.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      '/token',
      '/federation/credentials',
      '/federation/credentials',
    ]);
    expect(JSON.parse(sso.requests[0]!.body.toString())).toEqual({
      clientId: 'c',
      clientSecret: 'cs',
      grantType: 'refresh_token',
      refreshToken: 'r',
    });
    // A new sign-in takes precedence over the token in memory.
    signIn('my session', { accessToken: 'renewed2', expiresAt: hours(9) });
    await service.request({ path: 'c' });
    expect(sso.requests.at(-1)!.headers['x-amz-sso_bearer_token']).toBe('renewed2');
  });
});

test.each([
  ['no sign-in', undefined, { profile: 'reader' }, '.json: no such file or directory'],
  ['a sign-in without a token', {}, { profile: 'reader' }, 'has no token: sign in with "aws sso login"'],
  ['a session that has expired', { accessToken: 'sesame', expiresAt: hours(-1) }, { profile: 'reader' }, 'the session has expired'],
  ['a token that is refused', { accessToken: 'sesame', expiresAt: hours(1) }, { profile: 'reader' }, 'replied with status 401'],
  ['another profile', undefined, { profile: 'none' }, 'profile "none" of '],
  ['a file that is missing', undefined, { path: '/none' }, 'open /none: no such file or directory'],
])('%s is an error without secrets', async (_title, saved, sso, message) => {
  if (saved !== undefined) signIn('my session', saved);
  const { client } = await services(['other']);
  const error = await client(sso)
    .request({ path: '' })
    .catch((reason: Error) => reason);
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).not.toContain('sesame');
});
