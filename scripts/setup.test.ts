import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folders } from './fingerprint.mjs';
import { folders as placed } from './layers.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-setup-'));
  put('package.json', '{}');
  put('package-lock.json', '{}');
  put('library/index.ts', 'export const a = 1;');
  for (const name of ['setup.mjs', 'fingerprint.mjs']) {
    mkdirSync(join(root, 'scripts'), { recursive: true });
    copyFileSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  }
  // Replacements of npm and tsx that record their calls.
  command(
    'bin/npm',
    `echo "npm $1" >> '${root}/log'; mkdir -p node_modules/.bin; cp '${root}/fake-tsx' node_modules/.bin/tsx; ln -sf '${process.execPath}' node_modules/.bin/node; touch node_modules/.package-lock.json`,
  );
  command(
    'fake-tsx',
    `echo "tsx $1" >> '${root}/log'; mkdir -p dist; node --input-type=module -e "import { fingerprint } from '${root}/scripts/fingerprint.mjs'; process.stdout.write(fingerprint('${root}'))" > dist/.stamp`,
  );
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function command(path: string, script: string): void {
  put(path, `#!/bin/sh\nset -e\n${script}\n`);
  chmodSync(join(root, path), 0o755);
}

/** Runs setup.mjs on a machine with npm and the given Node, and returns the commands that ran. */
function setUp(): { readonly ran: string[]; readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  rmSync(join(root, 'log'), { force: true });
  const path = [join(root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const done = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: root, encoding: 'utf8', env: { PATH: path } });
  const ran = existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8').trim().split('\n') : [];
  return { ran, status: done.status, stdout: done.stdout, stderr: done.stderr };
}

test('a fresh clone is installed and built, then left alone in silence', () => {
  expect(setUp()).toMatchObject({ ran: ['npm ci', 'tsx scripts/build/build.ts'], status: 0, stdout: '' });
  expect(setUp()).toEqual({ ran: [], status: 0, stdout: '', stderr: '' });
});

test('each folder of the product is among the sources of the build', () => {
  const beside = ['scripts', 'test', 'bench'];
  expect(folders.filter((name) => name !== 'scripts/build').sort()).toEqual(placed.filter((name) => !beside.includes(name)).sort());
});

test('a newer lock file installs again', () => {
  setUp();
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(root, 'package-lock.json'), later, later);
  expect(setUp().ran[0]).toBe('npm ci');
});

test.each([
  ['a changed source', () => put('library/index.ts', 'export const b = 22;')],
  ['a new source', () => put('engine/query/trace/output.ts', '')],
  ['a changed script of the build', () => put('scripts/build/command/launcher.cjs', '')],
  ['a source taken away', () => rmSync(join(root, 'library/index.ts'))],
  ['a missing dist/', () => rmSync(join(root, 'dist'), { recursive: true })],
])('%s builds again', (_title, change) => {
  setUp();
  change();
  expect(setUp().ran).toEqual(['tsx scripts/build/build.ts']);
});

test.each([
  ['a changed test', () => put('runtime/index.test.ts', '')],
  ['a generated file', () => put('ir-schema/generated/validate-plan.js', '')],
])('%s does not', (_title, change) => {
  setUp();
  change();
  expect(setUp().ran).toEqual([]);
});

test('a failed step is reported in one line, and the exit code is 1', () => {
  command('bin/npm', 'exit 7');
  expect(setUp()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^setup: npm ci .* failed: see the errors above/m) });
  rmSync(join(root, 'bin/npm'));
  symlinkSync(process.execPath, join(root, 'bin/node'));
  const done = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: root, encoding: 'utf8', env: { PATH: join(root, 'bin') } });
  expect(done).toMatchObject({ status: 1, stderr: expect.stringContaining('setup: cannot run npm: ') });
});
