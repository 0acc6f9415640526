import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar } from 'modern-tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { runWith } from '../../../test/harness/command.js';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { serve } from '../../../test/harness/server/http.js';
import { answering } from '../../../test/harness/server/moto.js';
import { readAddress } from './addresses.js';

const hasRegistry = spawnSync('docker-registry', ['--version'], { stdio: 'ignore' }).status === 0;
const deny = 'package main\n\ndeny contains "no" if input.a\n';

async function conftest(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: temporaryDirectory() };
  return await runWith({ env, stdin: () => new Uint8Array() }, ['conftest', ...args]);
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function contentsOf(folder: string): Readonly<Record<string, string>> {
  const names = (readdirSync(folder, { recursive: true, withFileTypes: true }) as { isFile(): boolean; name: string; parentPath: string }[])
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));
  return Object.fromEntries(names.sort().map((name) => [name.slice(folder.length + 1), readFileSync(name, 'utf8')]));
}

test.each([
  ['ghcr.io/org/policies:v1', { kind: 'image', image: 'ghcr.io/org/policies:v1' }],
  ['opa.azurecr.io/test', { kind: 'image', image: 'opa.azurecr.io/test' }],
  ['123456789012.dkr.ecr.us-east-1.amazonaws.com/a/b:t', { kind: 'image' }],
  ['region-docker.pkg.dev/a/b:t', { kind: 'image' }],
  ['localhost:5000/p', { kind: 'image', image: 'localhost:5000/p' }],
  ['oci://host.example/p@sha256:00', { kind: 'image', image: 'host.example/p@sha256:00' }],
  [
    'git::https://host.example/o/r.git//sub/folder?ref=v2',
    { kind: 'git', url: 'https://host.example/o/r.git', folder: 'sub/folder', ref: 'v2' },
  ],
  ['github.com/o/r//policy', { kind: 'git', url: 'https://github.com/o/r', folder: 'policy', ref: undefined }],
  ['git@github.com:o/r.git', { kind: 'git', url: 'ssh://git@github.com/o/r.git', folder: '' }],
  ['git::git@github.com:o/r.git//p', { kind: 'git', url: 'ssh://git@github.com/o/r.git', folder: 'p' }],
  ['https://host.example/a/deny.rego', { kind: 'http', folder: '', unpacks: false }],
  ['https://host.example/p.tgz//policy', { kind: 'http', folder: 'policy', unpacks: true }],
  ['https://host.example/p?archive=tar.gz', { kind: 'http', unpacks: true }],
  ['https://host.example/p.tar.gz?archive=false', { kind: 'http', unpacks: false }],
  ['git::github.com/o/r//p', { kind: 'git', url: 'https://github.com/o/r', folder: 'p' }],
  ['git::./r//p', { kind: 'git', url: join(process.cwd(), 'r'), folder: 'p' }],
  ['https://host.example/a?filename=b.rego&checksum=md5:00&x=1', { kind: 'http', name: 'b.rego', checksum: 'md5:00' }],
  ['file::policies', { kind: 'path', path: 'policies' }],
  ['./policies/x', { kind: 'path', path: './policies/x' }],
])('%s', (address, source) => {
  expect(readAddress(address)).toMatchObject(source);
});

test.each([
  ['s3::https://host.example/a', 's3:: is not fetched'],
  ['gcs://bucket/a', 'is not fetched'],
  ['git::--upload-pack=x', 'is no address of a repository'],
  ['git::https://host.example/r?ref=--x', 'is no address of a repository'],
  ['https://host.example/a?checksum=file:./sums', 'the checksum is no digest'],
  ['https://host.example/a.zip', 'archives are .tar.gz, .tgz or .tar'],
])('%s is refused', (address, message) => {
  expect(() => readAddress(address)).toThrow(message);
});

describe('conftest pull', () => {
  test('fetches a file over HTTP, and an archive into folders', async () => {
    const archive = await archiveOf({ 'policy/a.rego': deny, 'other/b.rego': 'package other\n' });
    const { url } = await serve((request, response) =>
      response.end(request.path === '/x/deny.rego' ? deny : request.path === '/p.tar.gz' ? archive : ''),
    );
    const to = join(temporaryDirectory(), 'policy');
    const said = await conftest('pull', '-p', to, `${url}/x/deny.rego`, `${url}/p.tar.gz//policy`);
    expect(said).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    expect(contentsOf(to)).toEqual({ 'a.rego': deny, 'deny.rego': deny });
  });

  test('checks the checksum of an address, and names its file', async () => {
    const { url, requests } = await serve((_request, response) => response.end(deny));
    const to = temporaryDirectory();
    const sum = (algorithm: string) => createHash(algorithm).update(deny).digest('hex');
    for (const checksum of [`sha256:${sum('sha256')}`, sum('sha1').toUpperCase()])
      expect(await conftest('pull', '-p', to, `${url}/x?filename=y.rego&checksum=${checksum}`)).toMatchObject({ exit: 0, stderr: '' });
    expect(requests[0]!.path).toBe('/x');
    const { exit, stderr } = await conftest('pull', '-p', to, `${url}/z?checksum=md5:${'0'.repeat(32)}`);
    expect([exit, stderr.includes(`the checksum is ${sum('md5')} and not 000`)]).toEqual([1, true]);
    expect(contentsOf(to)).toEqual({ 'y.rego': deny });
  });

  test('the folder of a settings file is the first of a list', async () => {
    const folder = folderOf({ 'src/a.rego': deny });
    writeFileSync(join(folder, 'c.toml'), `policy = ["${folder}/one", "${folder}/two"]\n`);
    expect(await conftest('pull', '-c', join(folder, 'c.toml'), join(folder, 'src'))).toMatchObject({ exit: 0, stderr: '' });
    expect(contentsOf(join(folder, 'one'))).toEqual({ 'a.rego': deny });
  });

  test('an archive with a path out of the folder is refused as a whole', async () => {
    const archive = await archiveOf({ 'a.rego': deny, '../b.rego': deny });
    const { url } = await serve((_request, response) => response.end(archive));
    const to = join(temporaryDirectory(), 'policy');
    const { exit, stderr } = await conftest('pull', '-p', to, `${url}/p.tgz`);
    expect([exit, existsSync(to)]).toEqual([1, false]);
    expect(stderr).toContain('"../b.rego" leads out of the folder of policies');
  });

  test('a page in the place of an archive, and a link in one, are errors', async () => {
    const body = Buffer.alloc(0);
    const linked = await packTar([{ header: { name: 'a.rego', size: 0, type: 'symlink', linkname: '/etc/passwd' }, body }]);
    const { url } = await serve(({ path }, response) => response.end(path === '/page.tgz' ? '<html>'.repeat(500) : Buffer.from(linked)));
    const to = join(temporaryDirectory(), 'policy');
    expect((await conftest('pull', '-p', to, `${url}/page.tgz`)).stderr).toMatch(
      /^Error: download policies: .*the archive is no tar: .*\n$/,
    );
    expect((await conftest('pull', '-p', to, `${url}/p.tar`)).stderr).toMatch(/the archive has a link in the place of a file: a\.rego\n$/);
    expect(existsSync(to)).toBe(false);
  });

  test('a refused request, a missing path and no arguments are errors', async () => {
    const { url } = await serve((_request, response) => response.writeHead(404).end());
    const { exit, stderr } = await conftest('pull', `${url.replace('//', '//ann:secret@')}/x.rego`);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^Error: download policies: .*Not Found\n$/);
    expect(stderr).not.toContain('secret');
    expect((await conftest('pull', '/gone/policies')).stderr).toBe('Error: download policies: /gone/policies: no such file or directory\n');
    expect((await conftest('pull')).stderr).toBe('Error: missing required arguments\n');
  });

  test('fetches a folder of a repository, at a tag', async () => {
    const repository = folderOf({ 'policy/a.rego': deny, 'readme.md': 'x' });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@host.example', ...args], { cwd: repository, stdio: 'ignore' });
    git('init');
    git('add', '.');
    git('commit', '-m', 'one');
    git('tag', 'v1');
    writeFileSync(join(repository, 'policy/a.rego'), 'package main\n');
    git('commit', '-am', 'two');
    const to = temporaryDirectory();
    expect(await conftest('pull', '-p', to, `git::file://${repository}//policy?ref=v1`)).toMatchObject({ exit: 0, stderr: '' });
    expect(contentsOf(to)).toEqual({ 'a.rego': deny });
    expect((await conftest('pull', '-p', to, `git::file://${repository}?ref=gone`)).stderr).toMatch(/git fetch: .*gone/);
    const commit = execFileSync('git', ['rev-parse', '--short', 'v1'], { cwd: repository, encoding: 'utf8' }).trim();
    const short = temporaryDirectory();
    expect(await conftest('pull', '-p', short, `git::file://${repository}//policy?ref=${commit}`)).toMatchObject({ exit: 0, stderr: '' });
    expect(contentsOf(short)).toEqual({ 'a.rego': deny });
  });
});

describe('a link in a repository', () => {
  /** A repository with a file in `shared`, and links. */
  function repositoryWith(links: Readonly<Record<string, string>>): string {
    const repository = folderOf({ 'shared/s.rego': deny, '.gitignore': 'x\n', '.github/w.yml': 'y\n' });
    for (const [name, target] of Object.entries(links)) {
      mkdirSync(join(repository, name, '..'), { recursive: true });
      symlinkSync(target, join(repository, name));
    }
    for (const args of [['init'], ['add', '.'], ['commit', '-m', 'one']])
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@host.example', ...args], { cwd: repository, stdio: 'ignore' });
    return `git::file://${repository}`;
  }

  test('becomes the file or folder that it leads to', async () => {
    const to = temporaryDirectory();
    const repository = repositoryWith({ 'policy/in.rego': '../shared/s.rego', 'policy/all': '../shared', 'policy/loop': '..' });
    expect(await conftest('pull', '-p', to, `${repository}//policy`)).toMatchObject({ exit: 0, stderr: '' });
    expect(contentsOf(to)).toMatchObject({ 'in.rego': deny, 'all/s.rego': deny, 'loop/shared/s.rego': deny });
    const whole = temporaryDirectory();
    await conftest('pull', '-p', whole, repository);
    expect(contentsOf(whole)).toMatchObject({ '.gitignore': 'x\n', '.github/w.yml': 'y\n', 'shared/s.rego': deny });
    expect(existsSync(join(whole, '.git'))).toBe(false);
  });

  test.each([
    ['', 'a.rego', 'deny.rego'],
    ['', 'lib', '.'],
    ['//lib', 'lib', '.'],
  ])('at %j that leads out is refused: %s', async (folder, name, target) => {
    const outside = folderOf({ 'deny.rego': deny });
    const to = join(temporaryDirectory(), 'policy');
    const { exit, stderr } = await conftest('pull', '-p', to, `${repositoryWith({ [name]: join(outside, target) })}${folder}`);
    expect([exit, existsSync(to)]).toEqual([1, false]);
    expect(stderr).toContain(`${name} leads out of the repository`);
  });

  test('that leads nowhere is an error with its path', async () => {
    const { stderr } = await conftest('pull', '-p', temporaryDirectory(), repositoryWith({ 'lib/a.rego': 'gone' }));
    expect(stderr).toMatch(/: lib\/a\.rego: no such file or directory\n$/);
    const above = await conftest('pull', '-p', temporaryDirectory(), `${repositoryWith({})}//../x`);
    expect(above.exit).toBe(1);
  });
});

test('a hook of git has its own repository left alone', async () => {
  const [own, other] = [folderOf({ 'own.txt': 'own' }), folderOf({ 'a.rego': deny })];
  for (const cwd of [own, other])
    for (const args of [['init'], ['add', '.'], ['commit', '-m', 'one']])
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@host.example', ...args], { cwd, stdio: 'ignore' });
  const to = temporaryDirectory();
  const env = { PATH: process.env.PATH, GIT_DIR: join(own, '.git'), GIT_WORK_TREE: own, GIT_INDEX_FILE: join(own, '.git/index') };
  const said = await runWith({ env, stdin: () => new Uint8Array() }, ['conftest', 'pull', '-p', to, `git::file://${other}`]);
  expect(said).toMatchObject({ exit: 0, stderr: '' });
  expect(contentsOf(to)).toEqual({ 'a.rego': deny });
  expect(readdirSync(own).sort()).toEqual(['.git', 'own.txt']);
});

test('a folder is copied into a folder below it, and not onto itself', async () => {
  const folder = folderOf({ 'a.rego': deny });
  for (const [to, from] of [
    [join(folder, 'policy'), folder],
    [join(folder, 'policy'), folder],
    [folder, folder],
  ] as const)
    expect(await conftest('pull', '-p', to, from)).toMatchObject({ exit: 0, stderr: '' });
  expect(contentsOf(folder)).toEqual({ 'a.rego': deny, 'policy/a.rego': deny });
});

test.each([
  ['https://ann:se@cret@127.0.0.1:1/x.rego'],
  ['https://ann:secret@127.0.0.1:1/x.zip'],
  ['http://ann%zz:secret@127.0.0.1:1/x.rego'],
  ['git::https://ann:se@cret@127.0.0.1:1/x.git'],
  ['git::ssh://git@127.0.0.1:1/x.git?sshkey=secret'],
  ['s3::https://ann:secret@127.0.0.1:1/x'],
  ['oci:///x'],
  ['oci://host.example'],
  ['oci://a host/x'],
])('%s fails with a message without its secrets', async (address) => {
  const { exit, stderr } = await conftest('pull', '-p', join(temporaryDirectory(), 'policy'), address);
  expect([exit, /secret|cret@|ann/.test(stderr)]).toEqual([1, false]);
  expect(stderr).toMatch(/^Error: download policies: .*\n$/);
});

test('a registry gets the password that Docker keeps, also with a helper', async () => {
  const wanted = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
  const { url } = await serve(({ headers }, response) => response.writeHead(headers.authorization === wanted ? 404 : 401).end());
  const { host } = new URL(url);
  const helpers = folderOf({ 'docker-credential-x': '#!/bin/sh\necho \'{"Username":"ann","Secret":"secret"}\'\n' });
  chmodSync(join(helpers, 'docker-credential-x'), 0o755);
  const auth = wanted.slice(6);
  const said = async (config: object) => {
    const env = { PATH: `${helpers}:${process.env.PATH}`, DOCKER_CONFIG: folderOf({ 'config.json': JSON.stringify(config) }) };
    return (await runWith({ env, stdin: () => new Uint8Array() }, ['conftest', 'pull', `${host}/a/b`])).stderr;
  };
  for (const config of [
    { auths: { [host]: { auth } } },
    { auths: { [`https://${host}/v1/`]: { auth } } },
    { credHelpers: { [host]: 'x' } },
    { auths: { [host]: {} }, credsStore: 'x' },
  ])
    expect(await said(config)).toMatch(/Not Found\n$/);
  expect(await said({ credsStore: '../x' })).toMatch(/Unauthorized\n$/);
});

test('a registry gets blobs at its own host alone', async () => {
  const other = await serve((_request, response) => response.writeHead(201).end());
  const { url } = await serve(({ method }, response) => {
    const location = `${other.url.replace('127.0.0.1', 'localhost')}/blob`;
    response.writeHead(method === 'POST' ? 202 : 404, method === 'POST' ? { location } : {}).end();
  });
  const { exit, stderr } = await conftest('push', `${new URL(url).host}/org/p`, folderOf({ 'a.rego': deny }));
  expect([exit, other.requests]).toEqual([1, []]);
  expect(stderr).toMatch(/^Error: push bundle: the registry wants blobs at http:\/\/localhost:\d+\n$/);
  expect((await conftest('push', 'oci://host.example', '.')).stderr).toBe('Error: destination url missing repository\n');
  expect((await conftest('push', 'host.example/', folderOf({ 'a.rego': deny }))).stderr).toBe(
    'Error: "host.example/:latest" names no repository\n',
  );
  expect((await conftest('push', 'a host/x', folderOf({ 'a.rego': deny }))).stderr).toBe('Error: "a host" is no host of a registry\n');
});

test('conftest test --update fetches policies first', async () => {
  const { url } = await serve((_request, response) => response.end(deny));
  const folder = folderOf({ 'a.yaml': 'a: 1\n' });
  const { exit, stdout } = await conftest('test', '--no-color', '-p', join(folder, 'p'), '-u', `${url}/d.rego`, join(folder, 'a.yaml'));
  expect([exit, stdout.includes('1 failure')]).toEqual([1, true]);
});

test('conftest verify fetches nothing: the setting is that of conftest test', async () => {
  const folder = folderOf({ 'a_test.rego': 'package main\n\ntest_a if true\n', 'a.yaml': 'a: 1\n' });
  const env = { PATH: process.env.PATH, CONFTEST_UPDATE: '/gone/policies' };
  const run = async (...args: readonly string[]) => await runWith({ env, stdin: () => new Uint8Array() }, ['conftest', ...args]);
  expect(await run('verify', '-p', folder)).toMatchObject({ exit: 0, stderr: '' });
  expect((await run('test', '-p', folder, folder)).stderr).toContain('/gone/policies: no such file or directory');
});

describe.skipIf(!hasRegistry)('a registry', () => {
  async function registry(): Promise<string> {
    const port = await freePort();
    const directory = temporaryDirectory();
    const config = `version: 0.1\nstorage: {filesystem: {rootdirectory: ${directory}}}\nhttp: {addr: '127.0.0.1:${port}'}\nlog: {level: error}\n`;
    writeFileSync(join(directory, 'config.yml'), config);
    const process = spawn('docker-registry', ['serve', join(directory, 'config.yml')], { stdio: 'ignore' });
    onTestFinished(() => void process.kill('SIGKILL'));
    await answering(`http://127.0.0.1:${port}/v2/`, process);
    return `127.0.0.1:${port}`;
  }

  test('has what conftest push writes, for conftest pull', async () => {
    const host = await registry();
    const files = { 'a.rego': deny, 'lib/b.rego': 'package lib\n', 'lib/data.yaml': 'x: 1\n' };
    const from = folderOf({ ...files, 'readme.md': 'not pushed' });
    const pushed = await conftest('push', `${host}/org/policies`, from);
    expect(pushed).toMatchObject({ exit: 0, stderr: '' });
    expect(pushed.stdout).toMatch(
      /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d pushing bundle to: \S+\/org\/policies:latest\n\S+ \S+ pushed bundle with digest: sha256:[0-9a-f]{64}\n$/,
    );
    const manifest = (await (
      await fetch(`http://${host}/v2/org/policies/manifests/latest`, { headers: { accept: 'application/vnd.oci.image.manifest.v1+json' } })
    ).json()) as { config: { mediaType: string }; layers: { mediaType: string }[] };
    expect([manifest.config.mediaType, ...manifest.layers.map(({ mediaType }) => mediaType)]).toEqual([
      'application/vnd.cncf.openpolicyagent.config.v1+json',
      'application/vnd.cncf.openpolicyagent.policy.layer.v1+rego',
      'application/vnd.cncf.openpolicyagent.policy.layer.v1+rego',
      'application/vnd.cncf.openpolicyagent.data.layer.v1+json',
    ]);
    const to = temporaryDirectory();
    expect(await conftest('pull', '-p', to, `oci://${host}/org/policies:latest`)).toMatchObject({ exit: 0, stderr: '' });
    expect(contentsOf(to)).toEqual(files);
    expect((await conftest('pull', '-p', to, `${host}/org/gone`)).stderr).toMatch(/^Error: download policies: .*Not Found\n$/);
    expect((await conftest('push', `${host}/org/none`, folderOf({ 'a.json': '{}' }))).stderr).toMatch(/push bundle: no policies found in/);
    expect((await conftest('push', 'nothing')).stderr).toBe('Error: destination url missing repository\n');
  });
});
