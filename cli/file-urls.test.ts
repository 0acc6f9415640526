/** File URLs without a path, or of another host, are errors of each command. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../library/index.js';
import { runCommand, withFiles } from '../test/harness/command.js';

const noPath = 'stat : no such file or directory';
const urls: readonly (readonly [url: string, message: string])[] = [
  ['file://p.rego', noPath],
  ['file://', noPath],
  ['file://localhost', noPath],
  ['FILE://p.rego?x=/y#/z', noPath],
  ['file://p.rego/', 'file://p.rego/ names the host p.rego'],
  ['file://./p.rego', 'names the host .'],
  ['file://usr/share', 'names the host usr'],
  ['file:///tmp/%zz', 'invalid escape in URL'],
  ['https://p.rego', 'unsupported URL scheme'],
  ['ftp://p.rego', 'unsupported URL scheme'],
];

const commands: readonly (readonly [title: string, args: (url: string, at: (name: string) => string) => readonly string[]])[] = [
  ['eval -d', (url) => ['eval', '-d', url, 'data.p']],
  ['eval -d with a prefix', (url) => ['eval', '-d', `x.y:${url}`, 'data.p']],
  ['eval -b', (url) => ['eval', '-b', url, 'data.p']],
  ['eval -i', (url) => ['eval', '-i', url, 'input']],
  ['eval -s', (url) => ['eval', '-s', url, '1']],
  ['check', (url) => ['check', url]],
  ['check -b', (url) => ['check', '-b', url]],
  ['test', (url) => ['test', url]],
  ['test -b', (url) => ['test', '-b', url]],
  ['build', (url, at) => ['build', '-o', at('out.tar.gz'), url]],
  ['build -b', (url, at) => ['build', '-b', '-o', at('out.tar.gz'), url]],
  ['fmt', (url) => ['fmt', url]],
  ['fmt -l', (url) => ['fmt', '-l', url]],
  ['parse', (url) => ['parse', url]],
  ['inspect', (url) => ['inspect', url]],
  ['deps', (url) => ['deps', '-d', url, 'data.p']],
  ['bench', (url) => ['bench', '-d', url, '--count', '1', 'data.p']],
  ['exec -b', (url, at) => ['exec', '-b', url, '--decision', 'p', at('in.json')]],
  ['run', (url) => ['run', '--server', '--addr', '127.0.0.1:0', url]],
  ['run -b', (url) => ['run', '--server', '--addr', '127.0.0.1:0', '-b', url]],
  ['sign', (url, at) => ['sign', '-b', '--signing-key', 'k', '--signing-alg', 'HS256', '-o', at('.'), url]],
  ['a resource', (url) => ['run', '--server', '--addr', '127.0.0.1:0', '--set', `bundles.b.resource=${url}`]],
];

describe.each(commands)('%s', (_title, args) => {
  test.each(urls)('%s', async (url, message) => {
    // A server fetches from a URL of this kind.
    if (!url.startsWith('file') && args(url, String)[0] === 'run') return;
    await withFiles({ 'p.rego': 'package p\n', 'in.json': '{}' }, async (directory) => {
      const { exit, stdout, stderr } = await runCommand(...args(url, (name) => join(directory, name)));
      expect(stdout + stderr).toContain(message);
      expect(exit).toBeGreaterThan(0);
    });
  });
});

// The library reads bundles of addresses.
test.each(urls.filter(([url]) => !url.startsWith('https:')))('readBundle %s', async (url, message) => {
  await expect(readBundle(url)).rejects.toThrow(message);
});

test.each([
  (path: string) => `file://${path}`,
  (path: string) => `file://localhost${path}`,
  (path: string) => `FILE://${path.replace('p.rego', '%70.rego')}`,
])('a path on this machine is read', async (urlOf) => {
  await withFiles({ 'p.rego': 'package p\n\na := 1\n' }, async (directory) => {
    const { stdout } = await runCommand('eval', '-f', 'raw', '-d', urlOf(join(directory, 'p.rego')), 'data.p.a');
    expect(stdout).toBe('1\n');
  });
});
