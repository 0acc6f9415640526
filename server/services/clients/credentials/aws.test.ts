import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/disk.js';
import { serve } from '../../../../test/harness/server/http.js';
import { callMoto, hasMoto, startMoto } from '../../../../test/harness/server/moto.js';
import type { PlainObject } from '../../../../values/value.js';
import { parsePlugins } from '../../config/plugins-config.js';
import type { ServiceClient } from '../service-client.js';
import { Services } from '../services.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

function client(url: string, s3_signing: PlainObject): ServiceClient {
  return new Services(parsePlugins({ services: { s: { url, credentials: { s3_signing } } } }).services).client('s');
}

function environment(values: { readonly [name: string]: string }): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
}

const element = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)<`).exec(xml)![1]!;

/** A store that checks signatures, with an object in a bucket, and the keys of its user. */
async function store() {
  const url = await startMoto(5);
  await callMoto(url, 'iam', { Action: 'CreateUser', UserName: 'u', Version: '2010-05-08' });
  const created = await callMoto(url, 'iam', { Action: 'CreateAccessKey', UserName: 'u', Version: '2010-05-08' });
  const document = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] });
  const policy = { Action: 'PutUserPolicy', UserName: 'u', PolicyName: 'p', PolicyDocument: document, Version: '2010-05-08' };
  await callMoto(url, 'iam', policy);
  await fetch(`${url}/bucket`, { method: 'PUT' });
  await fetch(`${url}/bucket/a%20b/bundle.tar.gz`, { method: 'PUT', body: 'content' });
  return { url, accessKey: element(created, 'AccessKeyId'), secretKey: element(created, 'SecretAccessKey') };
}

describe.skipIf(!hasMoto)('a store that checks signatures', () => {
  test('takes keys of the environment, and refuses others', { timeout: 60_000 }, async () => {
    const { url, accessKey, secretKey } = await store();
    environment({ AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, AWS_REGION: 'us-east-1' });
    const service = client(`${url}/bucket`, { environment_credentials: {} });
    const response = await service.request({ path: 'a%20b/bundle.tar.gz?z=1&a=2' });
    expect([response.status, Buffer.from(response.body).toString()]).toEqual([200, 'content']);
    expect((await service.request({ method: 'PUT', path: 'new', body: Buffer.from('x') })).status).toBe(200);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    const refused = await client(`${url}/bucket`, { environment_credentials: {} }).request({ path: 'a%20b/bundle.tar.gz' });
    expect(refused.status).toBe(403);
  });

  test('takes keys of a profile', { timeout: 60_000 }, async () => {
    const { url, accessKey, secretKey } = await store();
    const path = join(temporaryDirectory(), 'credentials');
    writeFileSync(
      path,
      `[default]\naws_access_key_id = no\n\n# ours\n[p]\naws_access_key_id=${accessKey}\naws_secret_access_key = ${secretKey}\n`,
    );
    const service = client(`${url}/bucket`, { profile_credentials: { path, profile: 'p', aws_region: 'us-east-1' } });
    expect((await service.request({ path: 'a%20b/bundle.tar.gz' })).status).toBe(200);
  });
});

describe.skipIf(!hasMoto)('keys that a service gives', () => {
  /** The keys with which a request to another server was signed. */
  async function keyUsed(signing: PlainObject): Promise<string> {
    const { url, requests } = await serve((_, response) => response.end());
    await client(url, signing).request({ path: '' });
    const { authorization, 'x-amz-security-token': token } = requests[0]!.headers;
    return `${/Credential=([^/]*)/.exec(authorization ?? '')?.[1]} ${typeof token === 'string' ? token.slice(0, 4) : ''}`;
  }

  test('come from the metadata service of an instance', { timeout: 60_000 }, async () => {
    environment({ AWS_EC2_METADATA_SERVICE_ENDPOINT: await startMoto() });
    expect(await keyUsed({ metadata_credentials: { iam_role: 'default-role', aws_region: 'eu-west-1' } })).toBe('test-key test');
  });

  test('come from STS for a role, and for the token of another identity service', { timeout: 60_000 }, async () => {
    environment({
      AWS_ENDPOINT_URL_STS: await startMoto(),
      AWS_ACCESS_KEY_ID: 'AK',
      AWS_SECRET_ACCESS_KEY: 'SK',
      AWS_REGION: 'us-east-1',
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/some-role',
      AWS_WEB_IDENTITY_TOKEN_FILE: join(temporaryDirectory(), 'token'),
    });
    writeFileSync(process.env.AWS_WEB_IDENTITY_TOKEN_FILE!, 'a token');
    const role = { iam_role_arn: 'arn:aws:iam::123456789012:role/other', aws_signing: { environment_credentials: {} } };
    expect(await keyUsed({ assume_role_credentials: role })).toMatch(/^ASIA\w+ FQoG$/);
    expect(await keyUsed({ web_identity_credentials: {} })).toMatch(/^ASIA\w+ FQoG$/);
  });

  test('open the image registry with a password of their own', { timeout: 60_000 }, async () => {
    environment({
      AWS_ENDPOINT_URL_ECR: await startMoto(),
      AWS_ACCESS_KEY_ID: 'AK',
      AWS_SECRET_ACCESS_KEY: 'SK',
      AWS_REGION: 'us-east-1',
    });
    const { url, requests } = await serve((_, response) => response.end());
    await client(url, { service: 'ecr', environment_credentials: {} }).request({ path: '' });
    const [scheme, text] = requests[0]!.headers.authorization!.split(' ') as [string, string];
    expect(scheme).toBe('Basic');
    expect(Buffer.from(text, 'base64').toString()).toMatch(/^AWS:/);
  });
});

describe('keys of a machine', () => {
  test('are those of a container where no role is named, and are kept until they expire', async () => {
    const machine = await serve((_, response) => {
      const keys = { AccessKeyId: 'AK', SecretAccessKey: 'SK', Token: 'T', Expiration: new Date(Date.now() + 3_600_000).toISOString() };
      response.end(JSON.stringify(keys));
    });
    environment({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${machine.url}/v2/keys`, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'proof' });
    const { url, requests } = await serve((_, response) => response.end());
    const service = client(url, { metadata_credentials: { aws_region: 'eu-west-1' }, service: 'execute-api' });
    await service.request({ path: 'a' });
    await service.request({ path: 'b' });
    expect(machine.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/v2/keys', 'proof']]);
    expect(requests[1]!.headers.authorization).toContain('/eu-west-1/execute-api/aws4_request');
    expect(requests[1]!.headers).toMatchObject({ 'x-amz-security-token': 'T' });
  });

  test('need no token of version 2 where the service has none', async () => {
    const machine = await serve(({ method }, response) => {
      if (method === 'PUT') response.writeHead(404).end();
      else response.end(JSON.stringify({ AccessKeyId: 'AK', SecretAccessKey: 'SK', Token: 'T', Expiration: '2100-01-01T00:00:00Z' }));
    });
    environment({ AWS_EC2_METADATA_SERVICE_ENDPOINT: machine.url });
    const { url, requests } = await serve((_, response) => response.end());
    await client(url, { metadata_credentials: { iam_role: 'r', aws_region: 'eu-west-1' } }).request({ path: '' });
    expect(requests).toHaveLength(1);
    expect(machine.requests.at(-1)!.path).toBe('/latest/meta-data/iam/security-credentials/r');
  });
});

test('keys for the token of another identity service open a role of another account', async () => {
  const keys = (name: string) => ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map((kind) => `<${kind}>${name}</${kind}>`).join('');
  const sts = await serve(({ body }, response) => {
    const name = body.toString().includes('WebIdentityToken') ? 'WEB' : 'ROLE';
    response.end(`<Credentials>${keys(name)}<Expiration>2100-01-01T00:00:00Z</Expiration></Credentials>`);
  });
  const file = join(temporaryDirectory(), 'token');
  writeFileSync(file, 'a token');
  environment({
    AWS_ENDPOINT_URL_STS: sts.url,
    AWS_REGION: 'eu-west-1',
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
  });
  const { url, requests } = await serve((_, response) => response.end());
  const role = { iam_role_arn: 'arn:aws:iam::2:role/bucket', aws_signing: { web_identity_credentials: {} } };
  await client(url, { assume_role_credentials: role }).request({ path: '' });
  expect(sts.requests.map(({ body }) => new URLSearchParams(body.toString()).get('RoleArn'))).toEqual([
    'arn:aws:iam::1:role/pod',
    'arn:aws:iam::2:role/bucket',
  ]);
  expect(sts.requests[1]!.headers.authorization).toContain('Credential=WEB/');
  expect(requests[0]!.headers.authorization).toContain('Credential=ROLE/');
});

test.each([
  [{}, 's3_signing: no source of credentials was specified'],
  [
    { assume_role_credentials: { aws_signing: { assume_role_credentials: {} } } },
    'assume_role_credentials cannot sign the request for a role',
  ],
  [{ sso_credentials: { path: 1 } }, 'sso_credentials.path: must be a string'],
  [{ environment_credentials: {}, signature_version: '4a' }, 'signature_version "4a" is not supported'],
  [{ assume_role_credentials: {} }, 'aws_signing is required'],
])('%j is refused', (signing, message) => {
  expect(() => client('https://x', signing)).toThrow(message);
});

test('a source without keys is an error that names what is missing', async () => {
  environment({ AWS_ACCESS_KEY_ID: '', AWS_REGION: '' });
  const signing = { environment_credentials: {}, profile_credentials: { path: '/none' } };
  await expect(client('http://127.0.0.1:1', signing).request({ path: '' })).rejects.toThrow(
    'no AWS_ACCESS_KEY_ID set in environment; open /none: no such file or directory',
  );
});

test('a profile is read again for each request', async () => {
  const path = join(temporaryDirectory(), 'credentials');
  const { url, requests } = await serve((_, response) => response.end());
  const service = client(url, { profile_credentials: { path, profile: 'p', aws_region: 'eu-west-1' } });
  for (const key of ['ONE', 'TWO']) {
    writeFileSync(path, `[other]\naws_access_key_id = NO\n[p]\naws_access_key_id = ${key}\naws_secret_access_key=s\n`);
    await service.request({ path: '' });
  }
  expect(requests.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization!)![1])).toEqual(['ONE', 'TWO']);
});

test('the domain of AWS may be another, in the configuration or in the environment', async () => {
  environment({
    AWS_ACCESS_KEY_ID: 'AK',
    AWS_SECRET_ACCESS_KEY: 'SK',
    AWS_REGION: 'cn-north-1',
    AWS_DOMAIN: 'env.invalid',
  });
  const asked = async (settings: PlainObject) => {
    const role = { iam_role_arn: 'arn:aws:iam::1:role/r', aws_signing: { environment_credentials: {} }, ...settings };
    const error = await client('http://127.0.0.1:1', { assume_role_credentials: role })
      .request({ path: '' })
      .catch((reason: Error) => reason);
    return (error as Error).message;
  };
  expect(await asked({})).toContain('https://sts.cn-north-1.env.invalid/');
  expect(await asked({ aws_domain: 'config.invalid' })).toContain('https://sts.cn-north-1.config.invalid/');
});

test('the region may be beside the keys of the environment', async () => {
  environment({ AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'SK', AWS_REGION: '' });
  const { url, requests } = await serve((_, response) => response.end());
  await client(url, { environment_credentials: { aws_default_region: 'eu-west-1' } }).request({ path: '' });
  expect(requests[0]!.headers.authorization).toContain('/eu-west-1/s3/');
});
