import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Action, changed, recipesOf } from './recipes.js';

const root = join(import.meta.dirname, '..', '..');
const recipes = recipesOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
let copy = '';

/** Packages that other tests install, and those of the extension for VS Code. */
const installed = /\/(?:node_modules|\.package-\w+)$/;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'writ-recipes-'));
  const linked = new Set(['node_modules', 'dist']);
  for (const name of readdirSync(root)) {
    if (name === '.git') continue;
    if (linked.has(name)) symlinkSync(join(root, name), join(copy, name));
    else cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !installed.test(path) });
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('there are recipes', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'Add a built-in',
    'Add a pass',
    'Add a rule of check',
    'Add a route',
    'Add a command',
  ]);
});

/** A run of test files, or of those tests in them that a name picks. */
const testRun = /^npx vitest run (.*?)(?: -t '?([^']*?)'?)?$/;

// All recipes change the same copy, so that linter and type checker run once.
test.each(recipes)('$title', ({ actions }) => {
  for (const action of actions) if (!(action.kind === 'run' && testRun.test(action.command))) follow(action);
});

/** The runs of all recipes as two: each loads the sources anew. */
function testRuns(): readonly string[] {
  const commands = recipes.flatMap(({ actions }) => actions.flatMap((action) => (action.kind === 'run' ? [action.command] : [])));
  const runs = commands.map((command) => testRun.exec(command)).filter((run) => run !== null);
  const [whole, named] = [runs.filter(([, , name]) => name === undefined), runs.filter(([, , name]) => name !== undefined)];
  const files = (some: typeof runs) => some.map(([, paths]) => paths).join(' ');
  return [`npx vitest run ${files(whole)}`, `npx vitest run ${files(named)} -t '${named.map(([, , name]) => name).join('|')}'`];
}

test.each(testRuns())('after the recipes their tests pass: %s', (command) => {
  // Beside others, a path without tests would not fail.
  const [, paths = ''] = testRun.exec(command)!;
  expect(paths.split(' ').filter((path) => !existsSync(join(copy, path)))).toEqual([]);
  const { status, output } = run(command);
  expect(status, output).toBe(0);
});

const files = recipes.flatMap(({ actions }) => actions.flatMap((action) => ('file' in action ? [action.file] : [])));

test.each([
  ['the linter', `biome check --error-on-warnings ${[...new Set(files)].filter((file) => file.endsWith('.ts')).join(' ')}`],
  ['the search for unused exports', 'knip'],
  ['the script of checks', 'tsx scripts/check-sources.ts'],
  ['the type checker', 'npm run -s typecheck'],
])('after the recipes %s finds nothing', (_name, command) => {
  const { status, output } = run(command);
  expect(status, output).toBe(0);
});

function follow(action: Action): void {
  if (action.kind === 'run') {
    const { status, output } = run(action.command);
    expect(status, output).toBe(0);
    return;
  }
  if (action.kind === 'print') {
    expect(run(action.command)).toEqual({ status: 0, output: action.output });
    return;
  }
  const path = join(copy, action.file);
  if (action.kind === 'change') {
    writeFileSync(path, changed(readFileSync(path, 'utf8'), action));
    return;
  }
  expect(existsSync(path), `${action.file} is there already`).toBe(false);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, action.text);
}

/** Runs a command line in the copy; the output is that of both streams. */
function run(command: string): { status: number | null; output: string } {
  const PATH = [join(copy, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { VITEST, VITEST_MODE, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_ENV, WRIT_CASES, ...env } = process.env;
  // Few test files at a time: one process shares their modules. The type checker collects garbage
  // less often: a fifth less processor time.
  const shell = { cwd: copy, encoding: 'utf8', env: { ...env, PATH, NO_COLOR: '1', VITEST_MAX_WORKERS: '1', GOGC: '400' } } as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], shell);
  return { status, output: stdout + stderr };
}
