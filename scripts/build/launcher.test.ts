import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-launcher-'));
  mkdirSync(join(root, 'dist/command'), { recursive: true });
  cpSync('scripts/build/launcher.cjs', join(root, 'dist/main.js'));
  script('main.js', "const { word } = require('./word.js'); console.log(word, process.argv.slice(2).join());");
  script('word.js', 'function unused() {} exports.word = (() => "hello")();');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function script(name: string, text: string): void {
  writeFileSync(join(root, 'dist/command', name), text);
}

/** What the command prints; its packs are below `cache`. */
function run(...args: string[]): string {
  return runWith({ XDG_CACHE_HOME: join(root, 'cache') }, args);
}

function runWith(variables: Record<string, string>, args: readonly string[]): string {
  const env = { ...process.env, ...variables };
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/main.js'), ...args], { encoding: 'utf8', env });
  return stdout + stderr;
}

function packs(): string[] {
  const folder = join(root, 'cache/writ/command-BUILD');
  return readdirSync(folder).map((file) => join(folder, file));
}

test('the first run packs the scripts, the second their functions, and the third changes nothing', () => {
  expect(run('eval')).toBe('hello eval\n');
  const [pack] = packs();
  const first = readFileSync(pack!);
  expect(run('eval')).toBe('hello eval\n');
  const second = readFileSync(pack!);
  expect(second.length).toBeGreaterThan(first.length);
  const { mtimeMs } = statSync(pack!);
  expect(run('eval')).toBe('hello eval\n');
  expect(statSync(pack!).mtimeMs).toBe(mtimeMs);
  expect(packs()).toHaveLength(1);
});

test('packed scripts are not read again', () => {
  run('eval');
  script('word.js', 'exports.word = "another";');
  expect(run('eval')).toBe('hello eval\n');
});

test('kinds of runs have packs of their own', () => {
  run('eval');
  run('eval', '-b', 'x');
  run('../../elsewhere');
  expect(packs()).toHaveLength(3);
});

test.each(['', 'x', '100\n({})', '4\n({})\0\0\0'])('a broken pack does no harm: %j', (text) => {
  run('eval');
  const [pack] = packs();
  writeFileSync(pack!, text);
  expect(run('eval')).toBe('hello eval\n');
  expect(run('eval')).toBe('hello eval\n');
});

test.each([{ HOME: '', XDG_CACHE_HOME: '' }, { XDG_CACHE_HOME: '/dev/null' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])(
  'the command runs where there can be no pack: %j',
  (variables) => expect(runWith(variables, ['eval'])).toBe('hello eval\n'),
);

test('a script that later runs need is added to the pack', () => {
  script('main.js', "const { word } = process.argv[3] ? require('./more.js') : require('./word.js'); console.log(word);");
  script('more.js', 'exports.word = "more";');
  run('eval');
  const before = readFileSync(packs()[0]!).length;
  expect(run('eval', 'x')).toBe('more\n');
  expect(readFileSync(packs()[0]!).length).toBeGreaterThan(before);
  expect(run('eval', 'x')).toBe('more\n');
  expect(run('eval')).toBe('hello\n');
});
