/** Access of policies to the network and to the environment. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCommandEngine } from '../cli/eval/command-engine.js';
import { parseModule } from '../compiler/syntax/parse.js';
import { Engine, type EngineOptions } from '../library/index.js';
import { nodeHost } from '../values/builtins/host/node.js';
import { Engine as CoreEngine } from './engine.js';
import { createContext } from './shared-context.js';

let server: Server;
let url: string;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url);
    if (request.url === '/away') response.writeHead(302, { location: 'http://elsewhere.test/schema' }).end();
    else if (request.url === '/missing') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"type": "object"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const policy = `package reach

send := http.send({"method": "GET", "url": input, "raise_error": true}).status_code

address := net.lookup_ip_addr("127.0.0.1")

matched := json.match_schema({}, {"$ref": input})[0]

verified := json.verify_schema({"$ref": input})
`;

const open = (options: EngineOptions = {}) => Engine.open([{ policies: { 'reach.rego': policy } }], options);

async function library(options: EngineOptions, rule: string, path: string): Promise<unknown> {
  const engine = await open(options);
  return (await engine.decideAsync(`reach/${rule}`, url + path, { strictBuiltinErrors: true })).result;
}

describe('hosts that are allowed', () => {
  test.each([
    ['without a list', undefined],
    ['by a list that names them', ['127.0.0.1']],
  ])('are asked %s', async (_title, allowNet) => {
    expect(await library({ allowNet }, 'send', '/')).toBe(200);
    expect(await library({ allowNet }, 'address', '/')).toEqual(['127.0.0.1']);
    expect(await library({ allowNet }, 'matched', '/')).toBe(true);
    expect(await library({ allowNet }, 'verified', '/')).toEqual([true, null]);
  });

  test.each([
    ['an empty list', []],
    ['a list of others', ['elsewhere.test', 'localhost']],
  ])('are no others: %s', async (_title, allowNet) => {
    asked.length = 0;
    await expect(library({ allowNet }, 'send', '/')).rejects.toThrow('http.send: unallowed host: 127.0.0.1');
    await expect(library({ allowNet }, 'address', '/')).rejects.toThrow('net.lookup_ip_addr: unallowed host: 127.0.0.1');
    await expect(library({ allowNet }, 'matched', '/')).rejects.toThrow('remote reference loading disabled');
    expect(await library({ allowNet }, 'verified', '/')).toEqual([false, `jsonschema: remote reference loading disabled: ${url}/`]);
    expect(asked).toEqual([]);
  });

  test('are no others after a redirect', async () => {
    const allowNet = ['127.0.0.1'];
    await expect(library({ allowNet }, 'matched', '/away')).rejects.toThrow('remote reference loading disabled');
    const complaint = 'jsonschema: remote reference loading disabled: http://elsewhere.test/schema';
    expect(await library({ allowNet }, 'verified', '/away')).toEqual([false, complaint]);
  });

  test('whose schema is none are no reason to fail', async () => {
    const complaint = 'jsonschema: Could not read schema from HTTP, response status is 404 Not Found';
    expect(await library({}, 'verified', '/missing')).toEqual([false, complaint]);
  });

  test('are the same for an engine of a server and for a command', async () => {
    const live = new CoreEngine({ context: createContext({ host: nodeHost }, { allowNet: [] }) });
    await live.commit({ policies: new Map([['reach.rego', policy]]) });
    const options = { strictBuiltinErrors: true };
    await expect(live.decide(['reach', 'send'], url, options)).rejects.toThrow('unallowed host: 127.0.0.1');
    const file = { path: 'reach.rego', url: '', bundlePath: '', text: policy, bytes: new Uint8Array() };
    const parsed = [{ name: 'reach.rego', file, module: parseModule('reach.rego', policy) }];
    const command = await openCommandEngine(parsed, {}, { capabilities: { allow_net: [] } }, { env: {} });
    const program = await command.plan([{ name: 'send', path: ['reach', 'send'] }]);
    await expect(program.run('send', url, options)).rejects.toThrow('unallowed host: 127.0.0.1');
  });
});

test('connections are closed with their engine, and with no other', async () => {
  const sockets = new Set<Socket>();
  const closed: Promise<unknown>[] = [];
  const note = (socket: Socket) => {
    sockets.add(socket);
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
  };
  server.on('connection', note);
  const [one, other] = await Promise.all([open(), open()]);
  await one.decideAsync('reach/send', `${url}/`);
  await one.close();
  await Promise.all(closed);
  expect(sockets.size).toBe(1);
  await other.decideAsync('reach/send', `${url}/`);
  expect(await other.decideAsync('reach/send', `${url}/`)).toEqual({ result: 200 });
  expect(sockets.size).toBe(2);
  await other.close();
  server.off('connection', note);
});

describe('the environment', () => {
  const policies = { 'env.rego': 'package env\nall := opa.runtime().env' };

  test('is empty unless the host gives one', async () => {
    const engine = await Engine.open([{ policies }]);
    expect(engine.decide('env/all')).toEqual({ result: {} });
  });

  test('is what the host gives', async () => {
    const engine = await Engine.open([{ policies }], { env: { REGION: 'eu' } });
    expect(engine.decide('env/all')).toEqual({ result: { REGION: 'eu' } });
  });
});
