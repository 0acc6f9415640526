/** `run --debug-attach` in a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { onTestFinished, tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';

tellTestsApart();

test.concurrent.each([
  [['run', '--debug-attach'], /--debug-attach needs --server/],
  [['run', '--server', '--debug-attach=0.0.0.0:4712'], /must be a loopback address/],
  [['run', '--server', '--debug-attach=4712x'], /is no address/],
])('%j is refused', async (args, message) => {
  const { exit, stderr } = await runCommand(...args);
  expect([exit, stderr]).toEqual([1, expect.stringMatching(message)]);
});

test.concurrent('a request is held until its debugger is gone, and the server ends while one is held', async () => {
  await withFiles({ 'p.rego': 'package p\n\nallow if input.user == "alice"\n' }, async (directory) => {
    const flags = ['run', '--server', '--addr', '127.0.0.1:0', '--debug-attach=127.0.0.1:0', '--log-level', 'debug', directory];
    const child = spawn(join(import.meta.dirname, '../../bin/writ'), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    let log = '';
    const { url, port } = await new Promise<{ url: string; port: number }>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        const [, found] = /"urls":\["(http:[^"]+)"/.exec(log) ?? [];
        const [, debugPort] = /"addr":"127\.0\.0\.1:(\d+)"/.exec(log) ?? [];
        if (found !== undefined && debugPort !== undefined) resolve({ url: found, port: Number(debugPort) });
      });
    });
    const ask = async () => {
      const response = await fetch(`${url}/v1/data/p/allow`, { method: 'POST', body: '{"input": {"user": "alice"}}' });
      return await response.json();
    };
    /** Attaches, and has a request that is held. */
    const hold = async () => {
      const client = new DebugClient('', '', 'rego');
      client.defaultTimeout = 60_000;
      await client.start(port);
      await client.initializeRequest();
      await client.attachRequest({ path: 'p/allow' } as object);
      await client.configurationDoneRequest();
      const stopped = client.waitForEvent('stopped');
      const held = ask();
      expect((await stopped).body).toMatchObject({ reason: 'entry' });
      return { client, held };
    };
    const first = await hold();
    expect(await ask()).toEqual({ result: true });
    await first.client.stop();
    expect(await first.held).toEqual({ result: true });
    const { held } = await hold();
    child.kill('SIGTERM');
    expect(await held).toEqual({ result: true });
    expect(await ended).toBe(0);
    expect(log).toContain('Debuggers can attach');
  });
});
