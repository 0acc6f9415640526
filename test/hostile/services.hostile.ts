/**
 * Faulty and hostile services of bundles, against the built command on a small heap: the server
 * survives, keeps the version that it has, and answers others in time.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveOf, tarOf } from '../harness/archives.js';
import { eventually, temporaryDirectory, writeFiles } from '../harness/disk.js';
import { quietServerProcess } from '../harness/server/process.js';
import { onTestFinished, tellTestsApart } from '../harness/set-up/concurrent-tests.js';
import { policies } from './attacks.js';
import { together } from './bounds.js';
import { Probe } from './probe.js';

tellTestsApart();

/** A service of a good bundle first, and then of what `serve` sends. Returns its address. */
async function service(serve: (response: ServerResponse) => void): Promise<{ readonly url: string; readonly fetches: () => number }> {
  const good = await archiveOf({ '/.manifest': '{"revision":"good","roots":["app"]}', '/app/data.json': '{"x":1}' });
  let fetches = 0;
  const server = createServer((_request, response) => {
    if (fetches++ === 0) response.end(good);
    else serve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetches: () => fetches };
}

async function archive(name: string, content: string): Promise<Buffer> {
  return gzipSync(
    await tarOf([
      ['/.manifest', '{"revision":"bad","roots":["app"]}'],
      [name, content],
    ]),
    { level: 9 },
  );
}

async function small(count: number, content: string): Promise<Buffer> {
  const files = Array.from({ length: count }, (_, i): [string, string] => [`/app/f${i}/data.json`, content]);
  return gzipSync(await tarOf([['/.manifest', '{"revision":"bad","roots":["app"]}'], ...files]), { level: 9 });
}

const filler = Buffer.alloc(1024 * 1024, 'x');

/** Sends without end. */
function endless(response: ServerResponse): void {
  const go = () => {
    while (!response.destroyed && response.write(filler));
    response.once('drain', go);
  };
  response.on('error', () => {});
  go();
}

const arrays = (bytes: number) => `{"a":[${'[],'.repeat(bytes / 3)}0]}`;

type Answer = (response: ServerResponse) => void;

const faults: readonly [string, () => Promise<Answer>][] = [
  ['an archive that inflates to 180 MB of empty arrays', sending(() => archive('/app/data.json', arrays(180e6)))],
  ['an archive of 40,000 files with such arrays', sending(() => small(40_000, arrays(6000)))],
  ['an archive with 60 MB of YAML', sending(() => archive('/app/data.yaml', `a:\n${'- b\n'.repeat(15e6)}`))],
  ['a body without end', () => Promise.resolve(endless)],
];

/** The archive is made once, for all servers that get it. */
function sending(make: () => Promise<Uint8Array>): () => Promise<Answer> {
  let made: Promise<Uint8Array> | undefined;
  return async () => {
    const bytes = await (made ??= make());
    return (response) => response.end(bytes);
  };
}

// A server waits for its service for half of the time, so two at once.
describe.concurrent.each([[[]], [['--workers', '2']]])('a server with %j', (flags) => {
  test.each(faults)(
    'outlives %s',
    async (_title, fault) => {
      const { url, fetches } = await service(await fault());
      const directory = temporaryDirectory();
      const config = {
        services: { s: { url } },
        bundles: { b: { service: 's', resource: 'b.tar.gz', polling: { min_delay_seconds: 1, max_delay_seconds: 1 } } },
      };
      writeFiles(directory, { 'p.rego': policies['p.rego']!, 'config.json': JSON.stringify(config) });
      const args = ['-c', join(directory, 'config.json'), '--log-level=error', ...flags, join(directory, 'p.rego')];
      const server = await quietServerProcess(args, { NODE_OPTIONS: '--max-old-space-size=512' });
      await eventually(async () => expect(await server.decide('app/x', {})).toBe(1));
      const probe = new Probe(server);
      await eventually(() => expect(fetches()).toBeGreaterThan(3));
      const { worst, failed } = await probe.seen();
      await probe.end();
      expect({ isAlive: server.isAlive(), failed }).toEqual({ isAlive: true, failed: '' });
      expect(worst).toBeLessThan(together.waitMs);
      expect(await server.decide('app/x', {})).toBe(1);
    },
    120_000,
  );
});

test.concurrent('a server outlives a file that inflates to 180 MB of empty arrays', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'b.tar.gz');
  writeFileSync(path, await archiveOf({ '/.manifest': '{"roots":["app"]}', '/app/data.json': '{"x":1}' }));
  const config = { bundles: { b: { resource: `file://${path}`, polling: { min_delay_seconds: 1, max_delay_seconds: 1 } } } };
  writeFiles(directory, { 'p.rego': policies['p.rego']!, 'config.json': JSON.stringify(config) });
  const args = ['-c', join(directory, 'config.json'), '--log-level=error', join(directory, 'p.rego')];
  const server = await quietServerProcess(args, { NODE_OPTIONS: '--max-old-space-size=512' });
  await eventually(async () => expect(await server.decide('app/x', {})).toBe(1));
  const probe = new Probe(server);
  writeFileSync(path, await archive('/app/data.json', arrays(180e6)));
  await eventually(() => expect(server.log.join()).toContain('it needs more memory than there is'));
  const { worst, failed } = await probe.seen();
  await probe.end();
  expect({ isAlive: server.isAlive(), failed }).toEqual({ isAlive: true, failed: '' });
  expect(worst).toBeLessThan(together.waitMs);
  expect(await server.decide('app/x', {})).toBe(1);
}, 120_000);
