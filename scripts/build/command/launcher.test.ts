import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-launcher-'));
  for (const folder of ['command/cli', 'packages']) mkdirSync(join(root, 'dist', folder), { recursive: true });
  cpSync('scripts/build/command/launcher.cjs', join(root, 'dist/main.js'));
  cpSync('scripts/build/command/loader.cjs', join(root, 'dist/command/loader.js'));
  script('cli/main.js', "const word = require('word.js'); console.log(word.word, process.argv.slice(2).join());");
  script('word.js', 'function unused() {} exports.word = (() => "hello")();');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function script(name: string, text: string): void {
  writeFileSync(join(root, name.startsWith('packages/') ? 'dist' : 'dist/command', name), text);
}

/** The output of the command; its packs are below `cache`. */
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

test('V8 takes the functions of a pack under its usual flags', () => {
  run('eval');
  run('eval');
  const [pack] = packs();
  const bytes = readFileSync(pack!);
  const start = bytes.indexOf(10) + 1;
  const end = start + Number.parseInt(bytes.toString('latin1', 0, start), 10);
  writeFileSync(join(root, 'source'), bytes.subarray(start, end));
  writeFileSync(join(root, 'functions'), bytes.subarray(end));
  const check = `const { readFileSync } = require('node:fs');
    const script = new (require('node:vm').Script)(readFileSync('source', 'latin1'), { cachedData: readFileSync('functions') });
    console.log(script.cachedDataRejected);`;
  const { stdout } = spawnSync(process.execPath, ['-e', check], { cwd: root, encoding: 'utf8' });
  expect(stdout).toBe('false\n');
  // V8 copies functions that do not begin at a multiple of eight.
  expect(end % 8).toBe(0);
});

test('packed scripts are not read again', () => {
  run('eval');
  script('word.js', 'exports.word = "another";');
  expect(run('eval')).toBe('hello eval\n');
});

test('kinds of runs have packs of their own', () => {
  run('eval');
  run('eval', '-b', 'x');
  run('eval', '-b', 'x.tar.gz');
  run('inspect', 'x.tar.gz');
  run('exec', '--bundle', 'x');
  run('exec', '-b', 'x.tar.gz');
  run('../../elsewhere');
  const kinds = packs().map((file) => basename(file).replace(/-\d.*/, ''));
  expect(kinds.sort()).toEqual(['eval', 'eval-archive', 'eval-bundle', 'exec-archive', 'exec-bundle', 'inspect-archive', 'other']);
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
  script('cli/main.js', "const { word } = process.argv[3] ? require('more.js') : require('word.js'); console.log(word);");
  script('more.js', 'exports.word = "more";');
  run('eval');
  const before = readFileSync(packs()[0]!).length;
  expect(run('eval', 'x')).toBe('more\n');
  expect(readFileSync(packs()[0]!).length).toBeGreaterThan(before);
  expect(run('eval', 'x')).toBe('more\n');
  expect(run('eval')).toBe('hello\n');
});

test('a module is loaded when one of its exports is first read, and once', () => {
  script('cli/main.js', "const a = require('a.js'), b = require('b.js'); console.log('main'); console.log(a.a, a.more(), a.missing);");
  script('a.js', "const b = require('b.js'); console.log('a'); exports.a = 1; exports.more = () => b.b + require('b.js').b;");
  script('b.js', "const a = require('a.js'); console.log('b'); exports.b = a.a;");
  expect(run('eval')).toBe('main\na\nb\n1 2 undefined\n');
});

test('a module that is required with all its exports is loaded at once', () => {
  script('cli/main.js', "const a = require.all('a.js'); console.log('main', Object.keys(a), Object.keys(require.all('packages/b.js')));");
  script('a.js', "console.log('a'); exports.a = 1; exports.b = 2;");
  script('packages/b.js', 'module.exports = { c: 1 };');
  expect(run('eval')).toBe("a\nmain [ 'a', 'b' ] [ 'c' ]\n");
});

test("Node's modules and packages are loaded when a member is first read; a package's parts at once", () => {
  script(
    'cli/main.js',
    "const a = require('packages/a.js'), { sep } = require('node:path'), vm = require('node:vm'); console.log('main', sep, a.b, typeof vm.Script);",
  );
  script('packages/a.js', "console.log('a'); module.exports = { b: require('./b.js'), path: require('node:path') };");
  script('packages/b.js', "console.log('b'); module.exports = 'from b';");
  expect(run('eval')).toBe('a\nb\nmain / from b function\n');
});

test('a module that failed to load is loaded again', () => {
  const use = (name: string) => `try { console.log(require('${name}').a) } catch (error) { console.log(error.message) }`;
  const failing = 'if (!globalThis.known) { globalThis.known = true; throw new Error("failed"); }';
  script('cli/main.js', `${use('a.js')};${use('a.js')};delete globalThis.known;${use('packages/b.js')};${use('packages/b.js')}`);
  script('a.js', `exports.f = () => {};${failing}exports.a = Object.keys(exports).join();`);
  script('packages/b.js', `${failing}module.exports = { a: 'b' };`);
  expect(run('eval')).toBe('failed\nf\nfailed\nb\n');
});
