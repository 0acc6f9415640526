import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { eventually } from '../../test/harness/disk.js';
import { serve } from '../../test/harness/server/http.js';
import { type ServerProcess, serverProcess, startingProcess, workersOf } from '../../test/harness/server/process.js';
import { tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';

tellTestsApart();

interface AskedServer {
  readonly server: ServerProcess;
  /** Resolves when the rule waits, with a function that lets it continue. */
  readonly asked: Promise<() => void>;
}

/** A server with a rule that waits for another server until the test lets that answer. */
async function withServer(flags: readonly string[], use: (server: AskedServer) => Promise<void>): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1');
  const asked = once(other, 'request').then(
    ([, response]) =>
      () =>
        void (response as ServerResponse).end('{"n": 1}'),
  );
  await once(other, 'listening');
  const rego = `package p\n\nx := http.send({"method": "get", "url": "http://127.0.0.1:${(other.address() as AddressInfo).port}/", "force_json_decode": true, "timeout": "150s"}).body.n\n`;
  await withFiles({ 'p.rego': rego }, async (directory) => {
    try {
      await use({ server: await serverProcess(...flags, directory), asked });
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
}

const isAnswered = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test.concurrent('a server that is told to end goes on for the wait period, and then answers what has begun', async () => {
  await withServer(['--shutdown-wait-period', '5', '--shutdown-grace-period', '100'], async ({ server, asked }) => {
    const begun = fetch(`${server.url}/v1/data/p/x`);
    const answer = await asked;
    const exit = server.end();
    while (!server.log.some((line) => line.includes('Shutting down'))) await pause(10);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    while (await isAnswered(`${server.url}/health`)) await pause(100);
    answer();
    expect(await (await begun).json()).toEqual({ result: 1 });
    expect(await exit).toBe(0);
    expect(server.log.filter((line) => /Shutting down|Server shutdown/.test(line))).toHaveLength(2);
  });
});

describe.concurrent('a server that is told to end while it starts', () => {
  test('ends in order, without the bundle that it waits for', async () => {
    const service = await serve(() => undefined);
    await withFiles({}, async (directory) => {
      const server = startingProcess('--addr', `unix://${directory}/s`, '--ready-timeout', '600', `${service.url}/b.tar.gz`);
      await eventually(() => expect(service.requests).toHaveLength(1));
      // The wish to read everything again, which it does already.
      process.kill(server.pid, 'SIGHUP');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await server.end('SIGTERM')).toBe(0);
      expect(server.log.filter((line) => /Shutting down|Server shutdown|error/.test(line))).toHaveLength(2);
    });
  });

  test.runIf(process.platform === 'linux')('ends its workers', async () => {
    await withFiles({}, async (directory) => {
      const socket = join(directory, 's');
      const server = startingProcess('--addr', `unix://${socket}`, '--workers', '2');
      await vi.waitFor(() => expect(workersOf(server)).toHaveLength(2), { interval: 1, timeout: 60_000 });
      const workers = workersOf(server);
      expect(await server.end('SIGTERM')).toBe(0);
      expect(server.log.filter((line) => /Shutting down|Server shutdown|error/.test(line))).toHaveLength(2);
      expect(workers.filter(isAlive)).toEqual([]);
      expect(existsSync(socket)).toBe(false);
    });
  });
});

describe.concurrent('a second signal', () => {
  const log = (server: { readonly log: readonly string[] }) =>
    server.log.filter((line) => /Shutting down|Server shutdown/.test(line)).length;

  test('that comes with the first one changes nothing', async () => {
    const server = await serverProcess('--shutdown-wait-period', '1');
    process.kill(server.pid, 'SIGTERM');
    await eventually(() => expect(log(server)).toBe(1));
    await server.end('SIGTERM');
    expect(log(server)).toBe(2);
  });

  test('that comes later ends the process at once', async () => {
    const server = await serverProcess('--shutdown-wait-period', '600');
    process.kill(server.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await server.end('SIGTERM');
    expect(log(server)).toBe(1);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.concurrent('what takes longer than the grace period is cut off', async () => {
  await withServer(['--shutdown-grace-period', '1'], async ({ server, asked }) => {
    const begun = fetch(`${server.url}/v1/data/p/x`).then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    const started = performance.now();
    expect(await server.end()).toBe(0);
    expect(await begun).toBe('cut off');
    expect(performance.now() - started).toBeGreaterThan(900);
  });
});
