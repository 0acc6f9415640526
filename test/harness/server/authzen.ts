/** For tests: a server of the AuthZEN API, and the requests of its fixture. */
import { readFileSync } from 'node:fs';
import type { PlainObject } from '../../../values/value.js';
import { type TestOptions, testServer } from './app.js';

const records = readFileSync('fixtures/authzen/records.rego', 'utf8');
const data = JSON.parse(readFileSync('fixtures/authzen/data.json', 'utf8')) as PlainObject;

export const fixture = { policies: { 'records.rego': records }, data } as const;

export const alice = { type: 'user', id: 'alice' };
export const bob = { type: 'user', id: 'bob' };
export const admin = { ...bob, properties: { role: 'admin' } };
export const one = { type: 'record', id: 'record-1' };
export const two = { type: 'record', id: 'record-2' };
export const archived = { ...two, properties: { status: 'archived' } };
export const read = { name: 'read' };
export const write = { name: 'write' };
/** Is permitted. */
export const question = { subject: alice, action: read, resource: one };

export interface AccessReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text where it is no JSON. */
  readonly body: unknown;
}

/**
 * A server with the fixture's policy and data, unless others are given.
 * @param authzen the plugin's configuration
 */
export async function accessServer(authzen: PlainObject = {}, options: TestOptions = {}) {
  const { config, ...more } = options;
  const server = await testServer({ ...fixture, config: { ...config, plugins: { authzen } }, ...more });
  /** @param path below that of the API */
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<AccessReply> => {
    const request = new Request(`http://localhost/access/v1/${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const response = await server.app.fetch(request);
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
  };
  return { ...server, post };
}
