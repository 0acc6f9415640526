import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { nodeHost } from '../../values/builtins/host/node.js';
import type { HostNetwork } from '../../values/builtins/host-network.js';
import { DownloadProgress } from './download-progress.js';

const erase = '\r\u001b[2K';
const megabyte = Buffer.alloc(1_000_000, 'x');
const servers: Server[] = [];

afterEach(async () => {
  await nodeHost.network!.close();
  for (const server of servers.splice(0)) server.close();
});

/** A server that sends chunks one after the other; the query may ask for a length or for gzip. */
async function origin(chunks: readonly Uint8Array[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (request.url!.includes('length')) response.setHeader('content-length', length);
    if (request.url!.includes('gzip')) response.setHeader('content-encoding', 'gzip');
    for (const chunk of chunks) {
      await new Promise((resolve) => response.write(chunk, resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function watched(): { readonly network: HostNetwork; readonly lines: () => readonly string[] } {
  let text = '';
  const downloads = new DownloadProgress((written) => void (text += written), { afterMs: 0, everyMs: 0, columns: () => 80 });
  const lines = () => text.split(erase).map((line) => line.replace(/ \(\d+ s\)$/, ''));
  return { network: downloads.network(nodeHost.network!), lines };
}

const get = (network: HostNetwork, url: string) =>
  network.request(
    { method: 'GET', url, headers: [], body: undefined, tls: undefined, socket: undefined, timeoutMs: 5000, maxBodyBytes: 1e8 },
    new AbortController().signal,
  );

test.each([
  ['with its length', '/b/bundle.tar.gz?length', 'downloading bundle.tar.gz: 2.0 of 2.0 MB'],
  ['without a length', '/b/bundle.tar.gz', 'downloading bundle.tar.gz: 2.0 MB'],
])('a download %s shows what has arrived, and is erased', async (_title, path, last) => {
  const { network, lines } = watched();
  const { body } = await get(network, `${await origin([megabyte, megabyte])}${path}`);
  expect(body).toHaveLength(2_000_000);
  expect(lines()).toContain(last);
  expect(lines()).toContain(last.replace('2.0', '1.0'));
  expect(lines().at(-1)).toBe('');
});

test('a body that is inflated counts as it arrives', async () => {
  const { network, lines } = watched();
  const packed = gzipSync(megabyte, { level: 0 });
  const { body } = await get(network, `${await origin([packed])}/data?gzip&length`);
  expect(body).toHaveLength(megabyte.length);
  expect(lines()).toContain(`downloading data: ${(packed.length / 1e6).toFixed(1)} of ${(packed.length / 1e6).toFixed(1)} MB`);
});

test('downloads at the same time are one line', async () => {
  const { network, lines } = watched();
  const from = await origin([megabyte, megabyte, megabyte]);
  await Promise.all([get(network, `${from}/a?length`), get(network, `${from}/b?length`)]);
  expect(lines().some((line) => /^downloading 2 files: \d\.\d of 6\.0 MB$/.test(line))).toBe(true);
  expect(lines().at(-1)).toBe('');
});

test('an answer without a body shows nothing', async () => {
  const { network, lines } = watched();
  await get(network, `${await origin([])}/empty`);
  expect(lines()).toEqual(['']);
});

test('a download that fails is erased', async () => {
  const { network, lines } = watched();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 9_000_000 });
    response.write(megabyte, () => setTimeout(() => response.destroy(), 20));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await expect(get(network, `http://127.0.0.1:${(server.address() as AddressInfo).port}/broken`)).rejects.toThrow('unexpected EOF');
  expect(lines()).toContain('downloading broken: 1.0 of 9.0 MB');
  expect(lines().at(-1)).toBe('');
});
