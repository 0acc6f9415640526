import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { MountedVolume } from '../../test/harness/kubernetes/volume.js';
import { writeArchive } from '../../test/harness/process/tar-archive.js';
import { type ServerProcess, serverProcess } from '../../test/harness/server/process.js';
import { tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';

tellTestsApart();

const tlsFile = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');
const eventually = { timeout: 30_000, interval: 50 };

/** A policy that answers its number and that of the data. */
const files = (number: number) => ({
  'p.rego': `package p\n\nx := [${number}, data.d.n]\n`,
  'data.json': `{"d": {"n": ${number}}}`,
});

const archive = (number: number) => ({
  'bundle.tar.gz': readFileSync(
    writeArchive(join(temporaryDirectory(), 'b.tar.gz'), { ...files(number), '.manifest': '{"roots": ["p", "d"]}' }),
  ),
});

function configuration(volume: string): string {
  const path = join(temporaryDirectory(), 'config.json');
  writeFileSync(path, JSON.stringify({ bundles: { b: { resource: `file://${volume}/bundle.tar.gz` } } }));
  return path;
}

const decision = async (server: ServerProcess) => JSON.stringify(await server.decide('p/x'));

describe.concurrent('--watch loads what the kubelet mounts in the place of', () => {
  test.each<[string, (number: number) => { readonly [name: string]: string | Uint8Array }, (volume: string) => readonly string[]]>([
    ['policies and data of a volume', files, (volume) => ['--ignore=.*', volume]],
    ['files of a volume', files, (volume) => [join(volume, 'p.rego'), join(volume, 'data.json')]],
    ['a directory as a bundle', files, (volume) => ['--bundle', join(volume, '..data')]],
    ['an archive', archive, (volume) => ['--bundle', join(volume, 'bundle.tar.gz')]],
    ['an archive of the configuration', archive, (volume) => ['--config-file', configuration(volume)]],
  ])('%s', async (_title, filesOf, argsOf) => {
    const volume = new MountedVolume(filesOf(1));
    const server = await serverProcess('--watch', ...argsOf(volume.path));
    await vi.waitFor(async () => expect(await decision(server)).toBe('[1,1]'), eventually);
    for (const number of [2, 3]) {
      volume.update(filesOf(number));
      // Never a policy of one update with the data of another.
      const seen = new Set<string>();
      await vi.waitFor(async () => {
        seen.add(await decision(server));
        expect([...seen].at(-1)).toBe(`[${number},${number}]`);
      }, eventually);
      expect([...seen].every((text) => [`[${number - 1},${number - 1}]`, `[${number},${number}]`].includes(text))).toBe(true);
    }
  });

  test('files that are added and removed', async () => {
    const volume = new MountedVolume(files(1));
    const server = await serverProcess('--watch', '--ignore=.*', volume.path);
    volume.update({ ...files(1), 'q.rego': 'package q\n\ny := 2\n' });
    await vi.waitFor(async () => expect(await server.decide('q/y')).toBe(2), eventually);
    volume.update(files(1));
    await vi.waitFor(async () => expect(await server.decide('q')).toBeUndefined(), eventually);
    expect(await decision(server)).toBe('[1,1]');
  });

  test('files with an error, which change nothing', async () => {
    const volume = new MountedVolume(files(1));
    const server = await serverProcess('--watch', '--ignore=.*', volume.path);
    volume.update({ ...files(2), 'p.rego': 'package p\n\nx := \n' });
    await vi.waitFor(() => expect(server.log.join('\n')).toContain('Reloading files failed'), eventually);
    expect(await decision(server)).toBe('[1,1]');
    volume.update(files(3));
    await vi.waitFor(async () => expect(await decision(server)).toBe('[3,3]'), eventually);
  });
});

test.concurrent('a secret that is mounted anew changes certificate and key together', async () => {
  const secret = (name: string) => ({ 'tls.crt': tlsFile(`${name}.pem`), 'tls.key': tlsFile(`${name}.key`) });
  const volume = new MountedVolume(secret('server'));
  const at = (name: string) => join(volume.path, name);
  const server = await serverProcess(
    ...['--addr', 'https://127.0.0.1:0', '--tls-cert-refresh-period', '50ms'],
    ...['--tls-cert-file', at('tls.crt'), '--tls-private-key-file', at('tls.key')],
  );
  expect(await subjectOf(server)).toBe('writ test server');
  for (const name of ['client', 'server']) {
    volume.update(secret(name));
    await vi.waitFor(async () => expect(await subjectOf(server)).toBe(`writ test ${name}`), eventually);
  }
  expect(server.log.join('\n')).not.toContain('Refreshing certificates failed');
});

/** The subject of the certificate that the server's address of TLS has. */
function subjectOf({ log }: ServerProcess): Promise<string> {
  const [, port] = /https:\/\/127\.0\.0\.1:([1-9]\d*)/.exec(log.join('\n'))!;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN as string);
      socket.end();
    });
    socket.on('error', reject);
  });
}
