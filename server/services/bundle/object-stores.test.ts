/** Bundles of object stores: services of our own that answer as Google's, Azure's and Amazon's. */
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { eventually } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import type { PlainObject } from '../../../values/value.js';

type Answer = Parameters<typeof serve>[0];
type Seen = Parameters<Answer>[0];

const policy = (n: number) => archiveOf({ 'a/p.rego': `package a\n\nx := ${n}\n`, '.manifest': '{"roots": ["a"]}' });

tellTestsApart();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A store: how its objects are named, how requests prove who asks, and where tokens come from. */
interface Store {
  readonly base: string;
  readonly resource: string;
  readonly path: string;
  readonly service: (identityUrl: string) => PlainObject;
  /** Whether a request may read; a token is `t` with its number. */
  readonly allows: (request: Seen, token: string) => boolean;
  readonly identity: (request: Seen) => boolean;
}

const stores: { readonly [name: string]: Store } = {
  'Google Cloud Storage': {
    base: '/storage/v1/b/bucket/o',
    resource: 'bundles%2Fhttp%2Fbundle.tar.gz?alt=media',
    path: '/storage/v1/b/bucket/o/bundles%2Fhttp%2Fbundle.tar.gz?alt=media',
    service: (endpoint) => ({
      credentials: { gcp_metadata: { endpoint, scopes: ['https://www.googleapis.com/auth/devstorage.read_only'] } },
    }),
    allows: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
    identity: ({ headers }) => headers['metadata-flavor'] === 'Google',
  },
  'Azure blobs': {
    base: '',
    resource: 'container/bundle.tar.gz',
    path: '/container/bundle.tar.gz',
    service: (endpoint) => ({
      headers: { 'x-ms-version': '2017-11-09' },
      credentials: { azure_managed_identity: { endpoint } },
    }),
    allows: ({ headers }, token) => headers.authorization === `Bearer ${token}` && headers['x-ms-version'] === '2017-11-09',
    identity: ({ headers, path }) => headers.metadata === 'true' && path.includes('resource=https%3A%2F%2Fstorage.azure.com%2F'),
  },
  'Azure blobs by a workload identity': {
    base: '',
    resource: 'container/bundle.tar.gz',
    path: '/container/bundle.tar.gz',
    service: (url) => ({
      headers: { 'x-ms-version': '2017-11-09' },
      credentials: {
        oauth2: { token_url: `${url}/tenant/oauth2/v2.0/token`, client_id: 'c', client_assertion: 'sesame', scopes: ['s'] },
      },
    }),
    allows: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
    identity: ({ body }) => new URLSearchParams(body.toString()).get('client_assertion') === 'sesame',
  },
  S3: {
    base: '/bucket',
    resource: 'a/bundle.tar.gz',
    path: '/bucket/a/bundle.tar.gz',
    service: (url) => {
      vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', url);
      return { credentials: { s3_signing: { metadata_credentials: { iam_role: 'r', aws_region: 'eu-west-1' } } } };
    },
    allows: ({ headers }, token) =>
      headers['x-amz-security-token'] === token && /Credential=AK\/\d{8}\/eu-west-1\/s3\/aws4_request/.test(headers.authorization ?? ''),
    identity: ({ path }) => path.startsWith('/latest/'),
  },
};

/** A store with an object, whose answers may be replaced, and the bundle that is read from it. */
async function running(store: Store, start: StartPlugins) {
  const state: { tokens: number; answer?: Answer | undefined; etag: string; object: Uint8Array } = {
    tokens: 0,
    etag: '"1"',
    object: await policy(1),
  };
  const identity = await serve((request, response) => {
    if (!store.identity(request)) response.writeHead(400).end();
    else if (request.path === '/latest/api/token') response.end('session');
    else {
      const token = `t${++state.tokens}`;
      const aws = { Code: 'Success', AccessKeyId: 'AK', SecretAccessKey: 'sesame', Token: token, Expiration: '2100-01-01T00:00:00Z' };
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600, ...aws }));
    }
  });
  const objects = await serve((request, response) => {
    if (state.answer !== undefined) return state.answer(request, response);
    if (!store.allows(request, `t${state.tokens}`)) return response.writeHead(401).end('sesame');
    if (request.path !== store.path) return response.writeHead(404).end('sesame');
    if (request.headers['if-none-match'] === state.etag) return response.writeHead(304, { etag: state.etag }).end();
    response.writeHead(200, { etag: state.etag }).end(state.object);
  });
  const plugins = await start({
    services: { store: { url: objects.url + store.base, ...store.service(identity.url) } },
    bundles: { b: { service: 'store', resource: store.resource, polling: { min_delay_seconds: 0, max_delay_seconds: 0 } } },
  });
  await plugins.settled();
  const status = () => (plugins.status() as { bundles: { b: PlainObject } }).bundles.b;
  return { ...plugins, state, objects, identity, status };
}

const cases = pluginFaces.flatMap(([face, start]) => Object.entries(stores).map(([name, store]) => ({ face, start, name, store })));

/** Where its tokens come from is in the environment, which its tests cannot share. */
const isAlone = ({ name }: (typeof cases)[number]) => name === 'S3';
const title = '$face: a bundle of $name';

describe.concurrent.each(cases.filter((one) => !isAlone(one)))(title, testStore);
describe.each(cases.filter(isAlone))(title, testStore);

function testStore({ store, start }: (typeof cases)[number]): void {
  test('is fetched with the credentials of the machine, and again when it changes', async () => {
    const { decide, state, objects, status } = await running(store, start);
    expect(await decide('a/x')).toBe(1);
    await eventually(() => expect(objects.requests.at(-1)!.headers['if-none-match']).toBe('"1"'));
    Object.assign(state, { etag: '"2"', object: await policy(2) });
    await eventually(async () => expect(await decide('a/x')).toBe(2));
    expect(objects.requests.every(({ path }) => path === store.path)).toBe(true);
    expect(state.tokens).toBe(1);
    expect(status()).not.toHaveProperty('message');
  });

  test('stays active while the store fails, and a new token is fetched once the old one is refused', async () => {
    const { decide, state, status, lines, states } = await running(store, start);
    for (const [code, text] of [
      [404, 'Not Found'],
      [403, 'Forbidden'],
      [500, 'Internal Server Error'],
      [503, 'Service Unavailable'],
    ] as const) {
      state.answer = (_, response) => response.writeHead(code).end('sesame');
      await eventually(() => expect(status()).toMatchObject({ http_code: code, message: `server replied with ${text}` }));
      expect(await decide('a/x')).toBe(1);
    }
    expect(states().get('bundle')).toEqual({ state: 'OK' });
    const tokens = state.tokens;
    expect(tokens).toBeGreaterThan(1);
    state.answer = undefined;
    Object.assign(state, { etag: '"2"', object: await policy(2) });
    await eventually(async () => expect(await decide('a/x')).toBe(2));
    await eventually(() => expect(status()).not.toHaveProperty('message'));
    expect(JSON.stringify([lines, status(), [...states()]])).not.toContain('sesame');
  });

  test('may be somewhere else, which learns no secrets', async () => {
    const { decide, state } = await running(store, start);
    const object = await policy(2);
    const other = await serve((_, response) => response.writeHead(200, { etag: '"2"' }).end(object));
    state.answer = (_, response) => response.writeHead(307, { location: `${other.url.replace('127.0.0.1', 'localhost')}/object` }).end();
    await eventually(async () => expect(await decide('a/x')).toBe(2));
    expect(JSON.stringify(other.requests[0]!.headers)).not.toMatch(/authorization|x-ms-version|x-amz/);
  });

  test('may be stored with a declared encoding', async () => {
    const { decide, state } = await running(store, start);
    const object = await policy(2);
    const declared: Answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(object);
    state.answer = declared;
    await eventually(async () => expect(await decide('a/x')).toBe(2));
    // Google's store undoes it itself for some clients.
    const tar = gunzipSync(await policy(3));
    state.answer = (_, response) => response.writeHead(200, { 'content-type': 'application/gzip' }).end(tar);
    await eventually(async () => expect(await decide('a/x')).toBe(3));
  });

  test('waits for the credentials where the machine gives none at first', async () => {
    const { identity, ...store1 } = store;
    let isReady = false;
    const late = await running({ ...store1, identity: (request) => isReady && identity(request) }, start);
    expect(String(late.status().message)).toMatch(/^service "store": .*server replied with status 400/);
    expect(late.objects.requests).toEqual([]);
    isReady = true;
    await eventually(async () => expect(await late.decide('a/x')).toBe(1));
  });
}
