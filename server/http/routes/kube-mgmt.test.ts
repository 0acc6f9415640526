import { beforeEach, describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

/**
 * The requests of kube-mgmt, which puts ConfigMaps and resources of Kubernetes into the server
 * beside it: bodies without a content type, ids of several segments with dots, one newline after
 * JSON. It reads the body of each answer that is no success as JSON.
 */
class Manager {
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  readonly #token: string | undefined;

  constructor(fetch: (request: Request) => Response | Promise<Response>, token?: string) {
    this.#fetch = fetch;
    this.#token = token;
  }

  putPolicy = (id: string, text: string) => this.#send('PUT', `/v1/policies/${id}`, text);
  deletePolicy = (id: string) => this.#send('DELETE', `/v1/policies/${id}`);
  putData = (path: string, value: unknown) =>
    this.#send('PUT', ['/v1/data', path].join(path === '' ? '' : '/'), `${JSON.stringify(value)}\n`);
  removeData = (path: string) => this.#send('PATCH', '/v1/data', `${JSON.stringify([{ path: `/${path}`, op: 'remove' }])}\n`);
  health = () => this.#send('GET', '/health');

  async read(path: string): Promise<unknown> {
    const { body } = await this.#send('GET', `/v1/data/${path}`);
    return (body as { result?: unknown }).result;
  }

  async #send(method: string, path: string, body?: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const headers: Record<string, string> = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    const init = { method, headers, ...(body !== undefined && { body: new TextEncoder().encode(body) }) };
    const response = await this.#fetch(new Request(`http://127.0.0.1:8181${path}`, init));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

let manager: Manager;

beforeEach(async () => {
  const { app } = await testServer();
  manager = new Manager((request) => app.fetch(request));
});

describe('policies of ConfigMaps', () => {
  const id = 'default/policy-include/include.rego';
  const policy = (value: number) => `package example.include\n\nvalue := ${value}\n`;

  test('are put, put again with the same text, changed and deleted', async () => {
    for (const value of [1, 1, 2]) {
      expect(await manager.putPolicy(id, policy(value))).toEqual({ status: 200, body: {} });
      expect(await manager.read('example/include/value')).toBe(value);
    }
    expect(await manager.deletePolicy(id)).toEqual({ status: 200, body: {} });
    expect(await manager.read('example/include')).toBeUndefined();
  });

  test('with an error are refused with what the status annotation shows, and leave what was', async () => {
    await manager.putPolicy(id, policy(1));
    expect(await manager.putPolicy(id, 'package example.include\n\nvalue := x\n')).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_parameter',
        message: expect.any(String),
        errors: [{ code: 'rego_unsafe_var_error', message: 'var x is unsafe', location: { file: id, row: 3, col: 10 } }],
      },
    });
    expect(await manager.read('example/include/value')).toBe(1);
  });

  // Keys are sent in order; one that needs a later one is tried again.
  test('that need each other are taken once what they need is there', async () => {
    const user = 'package user\n\nimport data.lib.f\n\nx := f(1)\n';
    expect((await manager.putPolicy('default/p/a.rego', user)).status).toBe(400);
    expect((await manager.putPolicy('default/p/b.rego', 'package lib\n\nf(n) := n + 1\n')).status).toBe(200);
    expect((await manager.putPolicy('default/p/a.rego', user)).status).toBe(200);
    expect(await manager.read('user/x')).toBe(2);
    expect(await manager.deletePolicy('default/p/b.rego')).toMatchObject({ status: 400, body: { code: 'invalid_operation' } });
  });

  test('that are not there cannot be deleted, which is an answer of JSON', async () => {
    expect(await manager.deletePolicy(id)).toMatchObject({ status: 404, body: { code: 'resource_not_found' } });
  });
});

describe('data of ConfigMaps', () => {
  test('is put below namespace, name and key, and removed by the name', async () => {
    expect(await manager.putData('default/data-include/include.json', { inKey: 'inValue' })).toEqual({ status: 204, body: undefined });
    expect(await manager.putData('default/data-include/other.json', { n: 1 })).toMatchObject({ status: 204 });
    expect(await manager.read('default/data-include/include.json/inKey')).toBe('inValue');
    expect(await manager.removeData('default/data-include')).toMatchObject({ status: 204 });
    expect(await manager.read('default')).toEqual({});
  });

  // For each key it removes the same name; at the first error it clears all data, and starts again.
  test('that is removed twice is an error, after which all data is cleared', async () => {
    await manager.putPolicy('default/p/p.rego', 'package policies\n\nx := 1\n');
    await manager.putData('default/a/a.json', {});
    expect(await manager.removeData('default/a')).toMatchObject({ status: 204 });
    expect(await manager.removeData('default/a')).toMatchObject({ status: 404, body: { code: 'resource_not_found' } });
    expect(await manager.putData('', {})).toMatchObject({ status: 204 });
    expect(await manager.read('policies')).toEqual({ x: 1 });
    expect(await manager.read('default')).toBeUndefined();
  });
});

describe('resources of Kubernetes', () => {
  const pod = (name: string, image: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'team', annotations: { 'example.com/a~b': 'c' }, resourceVersion: '1152921504606846977' },
    spec: { containers: [{ name: 'app', image }], terminationGracePeriodSeconds: 30 },
  });

  test('are put whole at first, then one by one, and removed', async () => {
    expect(await manager.putData('kubernetes/pods', { team: { a: pod('a', 'x:1'), b: pod('b', 'x:1') } })).toMatchObject({ status: 204 });
    expect(await manager.putData('kubernetes/namespaces', { team: { metadata: { name: 'team' } } })).toMatchObject({ status: 204 });
    expect(await manager.putData('kubernetes/pods/team/a', pod('a', 'x:2'))).toMatchObject({ status: 204 });
    expect(await manager.putData('kubernetes/pods/other/c', pod('c', 'x:1'))).toMatchObject({ status: 204 });
    expect(await manager.removeData('kubernetes/pods/team/b')).toMatchObject({ status: 204 });
    expect(await manager.read('kubernetes')).toEqual({
      pods: { team: { a: pod('a', 'x:2') }, other: { c: pod('c', 'x:1') } },
      namespaces: { team: { metadata: { name: 'team' } } },
    });
  });

  test('whose names have dots, colons and digits keep them', async () => {
    for (const name of ['system:node-proxier', 'a.b.c', '0', '10.0.0.1']) {
      expect(await manager.putData(`kubernetes/clusterroles/${name}`, { name })).toMatchObject({ status: 204 });
      expect(await manager.read(`kubernetes/clusterroles/${name}`)).toEqual({ name });
      expect(await manager.removeData(`kubernetes/clusterroles/${name}`)).toMatchObject({ status: 204 });
    }
    expect(await manager.read('kubernetes/clusterroles')).toEqual({});
  });

  test('are put whole again after an error', async () => {
    await manager.putData('kubernetes/pods', { team: { a: pod('a', 'x:1') } });
    expect(await manager.removeData('kubernetes/pods/team/gone')).toMatchObject({ status: 404, body: { code: 'resource_not_found' } });
    expect(await manager.putData('kubernetes/pods', {})).toMatchObject({ status: 204 });
    expect(await manager.read('kubernetes')).toEqual({ pods: {} });
  });
});

describe('with a token', () => {
  // As its chart writes the policy.
  const authz = `package system.authz

default allow := false

allow if {
	input.path == [""]
	input.method == "POST"
}

allow if {
	input.path == ["health"]
	input.method == "GET"
}

allow if input.identity == "secret"
`;

  test('the manager may do all, others ask for health and decisions', async () => {
    const { app } = await testServer({ policies: { 'authz.rego': authz }, authentication: 'token', authorization: 'basic' });
    const fetch = (request: Request) => app.fetch(request);
    const known = new Manager(fetch, 'secret');
    expect(await known.putPolicy('a/b/c.rego', 'package p\n')).toMatchObject({ status: 200 });
    expect(await known.putData('', {})).toMatchObject({ status: 204 });
    for (const unknown of [new Manager(fetch), new Manager(fetch, 'wrong')]) {
      expect(await unknown.health()).toMatchObject({ status: 200 });
      for (const refused of [
        unknown.putPolicy('a/b/c.rego', 'package p\n'),
        unknown.deletePolicy('a/b/c.rego'),
        unknown.putData('', {}),
        unknown.removeData('a'),
      ]) {
        expect(await refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      }
    }
  });
});

// The kubelet and the manager ask for it again and again, while policies and data change.
test('health is asked for all the time', async () => {
  const seen = new Set<number>();
  const asking = (async () => {
    for (let i = 0; i < 50; i++) seen.add((await manager.health()).status);
  })();
  for (let i = 0; i < 20; i++) {
    await manager.putPolicy('default/p/p.rego', `package p\n\nx := ${i}\n`);
    await manager.putData('default/d/d.json', { i });
  }
  await asking;
  expect([...seen]).toEqual([200]);
});
