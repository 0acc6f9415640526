/** The built command as a debug adapter, and the client that the protocol's authors test with. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { rowOf, shopFolder } from '../../test/harness/dap/dap-policy.js';

const writ = join(import.meta.dirname, '../../bin/writ');

let shop: ReturnType<typeof shopFolder>;
let adapter: string;
const clients: DebugClient[] = [];
const processes: ChildProcess[] = [];

beforeAll(() => {
  shop = shopFolder();
  // The client starts a program without arguments.
  adapter = join(shop.folder, 'adapter.sh');
  writeFileSync(adapter, `#!/bin/sh\nexec '${writ}' debug --dap\n`);
  chmodSync(adapter, 0o755);
});
afterAll(() => rmSync(shop.folder, { recursive: true }));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
  for (const process of processes.splice(0)) process.kill();
});

async function start(port?: number): Promise<DebugClient> {
  const client = new DebugClient('sh', adapter, 'rego');
  client.defaultTimeout = 60_000;
  await client.start(port);
  clients.push(client);
  return client;
}

test('an editor stops at a breakpoint, looks, steps back, and comes to the end', async () => {
  const client = await start();
  const launch = { ...shop.launch, query: 'data.shop.allow' };
  const location = { path: shop.policy, line: rowOf('grants[role]') };
  await client.hitBreakpoint(launch, location);
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  const frameId = body.stackFrames[0]!.id;
  expect(await client.evaluateRequest({ expression: 'role', frameId, context: 'hover' })).toMatchObject({ body: { type: 'string' } });
  const stopped = () => client.waitForEvent('stopped');
  await Promise.all([client.stepBackRequest({ threadId: 1 }), stopped()]);
  await client.setBreakpointsRequest({ source: { path: shop.policy }, breakpoints: [] });
  await Promise.all([
    client.continueRequest({ threadId: 1 }),
    client.assertOutput('stdout', 'granted by clerk\ntrue\n'),
    client.waitForEvent('terminated'),
  ]);
});

test('the sequence of configuration, a launch and the end', async () => {
  const client = await start();
  const launch = client.launch({ ...shop.launch, query: 'data.shop.total(input.order)' });
  await Promise.all([client.configurationSequence(), launch, client.waitForEvent('terminated')]);
});

test('several editors are served at an address', async () => {
  const server = spawn(writ, ['debug', '--dap=127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  processes.push(server);
  const port = await new Promise<number>((resolve) => {
    server.stderr.on('data', (chunk: Buffer) => {
      const [, found] = /Debug adapter at 127\.0\.0\.1:(\d+)/.exec(chunk.toString()) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const both = await Promise.all([start(port), start(port)]);
  const ended = both.map(async (client, i) => {
    const query = i === 0 ? 'data.shop.allow' : 'data.shop.limit';
    const output = client.assertOutput('stdout', i === 0 ? 'granted by clerk\ntrue\n' : '100\n');
    await Promise.all([
      client.configurationSequence(),
      client.launch({ ...shop.launch, query }),
      output,
      client.waitForEvent('terminated'),
    ]);
  });
  await Promise.all(ended);
});

test('bytes that are no messages end the command with the reason', async () => {
  const child = spawn(writ, ['debug', '--dap'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.write('hello\r\n\r\n');
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect([code, stderr]).toEqual([1, 'error: not a message of the debug adapter protocol: bytes that are no header\n']);
});

test.each([
  [['debug', '--dap', 'data.p'], /--dap takes no query/],
  [['debug', '--dap', '-i', 'input.json'], /--dap takes no query/],
  [['debug', '--dap=nowhere'], /is no address/],
])('%j is refused', async (args, message) => {
  const { exit, stderr } = await runCommand(...args);
  expect(exit).toBe(1);
  expect(stderr).toMatch(message);
});
