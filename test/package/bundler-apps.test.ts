/**
 * The apps of examples/bundlers/, with the packed package and the bundlers of the registry: each is
 * built and run, denies with the reason, shows the errors of a policy at their places, and follows
 * its changes.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { installOnce, own, pack, root, run, withNode } from './project.js';
import { testWatched } from './watched.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const packages = JSON.parse(readFileSync(join(root, 'examples/bundlers/package.json'), 'utf8')) as object;
const tools = await installOnce(own('.package-bundlers'), packages);
if (tools.missing !== undefined) console.warn(`skipped: the apps of examples/bundlers/ (${tools.missing})`);

const node24 = own('node/bin/node');
/** A copy outside of node_modules, where bundlers and test runners would leave files out. */
const copy = mkdtempSync(join(tmpdir(), 'writ-bundlers-'));
const apps = join(copy, 'bundlers');
const policy = join(copy, 'policies/orders.rego');

afterAll(() => rmSync(copy, { recursive: true, force: true }));

if (tools.missing === undefined) {
  cpSync(join(root, 'examples'), copy, { recursive: true });
  const writ = join(tools.folder, 'node_modules/writ');
  rmSync(writ, { recursive: true, force: true });
  mkdirSync(writ);
  await run('tar', ['-xzf', await pack(copy), '--strip-components=1', '-C', writ], copy);
  symlinkSync(join(tools.folder, 'node_modules'), join(apps, 'node_modules'));
}

/** Runs a script of the tools' packages. */
async function runTool(path: string, args: readonly string[], node = node24) {
  const { status, stdout, stderr } = await run(node, [...(path === '' ? [] : [tools.path(path)!]), ...args], apps, withNode(node));
  return { status, output: `${stdout}${stderr}` };
}

async function bun(args: readonly string[]) {
  const { status, stdout, stderr } = await run(tools.path('bun/bin/bun.exe')!, args, apps, withNode(node24));
  return { status, output: `${stdout}${stderr}` };
}

const printed = 'alice: allowed\nbob: only alice may read this order\nsam: allowed\n';

interface Builder {
  readonly name: string;
  readonly build: () => Promise<{ readonly status: number | null; readonly output: string }>;
  readonly file: string;
}

const builders: readonly Builder[] = [
  { name: 'Vite', build: () => runTool('vite/bin/vite.js', ['build', 'vite']), file: 'vite/dist/app.js' },
  { name: 'Rollup', build: () => runTool('rollup/dist/bin/rollup', ['-c', 'rollup/rollup.config.js']), file: 'rollup/dist/app.js' },
  { name: 'Rolldown', build: () => runTool('rolldown/bin/cli.mjs', ['-c', 'rolldown/rolldown.config.js']), file: 'rolldown/dist/app.js' },
  { name: 'webpack', build: () => runTool('webpack/bin/webpack.js', ['-c', 'webpack/webpack.config.js']), file: 'webpack/dist/app.cjs' },
  { name: 'Rspack', build: () => runTool('', ['rspack/build.js']), file: 'rspack/dist/app.cjs' },
  { name: 'esbuild', build: () => runTool('', ['esbuild/build.js']), file: 'esbuild/dist/app.js' },
  { name: 'Bun', build: () => bun(['bun/build.js']), file: 'bun/dist/app.js' },
];

/** Runs with a policy of two errors. */
async function withErrors<T>(use: () => Promise<T>): Promise<T> {
  const text = readFileSync(policy, 'utf8');
  try {
    writeFileSync(policy, text.replace('input.action == "list"', 'inptu.action == "list"').replace('input.order.owner\n', 'order.owner\n'));
    return await use();
  } finally {
    writeFileSync(policy, text);
  }
}

/** The first error and its place, which bundlers write `file:row:col` or `file (row:col)`. */
const firstError = /var inptu is unsafe/;
const row = readFileSync(join(root, 'examples/policies/orders.rego'), 'utf8').split('allow if input.action')[0]!.split('\n').length;
// esbuild counts columns from 0.
const firstPlace = new RegExp(`orders\\.rego(?::| \\()${row}:(?:10|9)\\b`);

describe.skipIf(tools.missing !== undefined)('with the package', () => {
  describe.each(builders)('$name', ({ build, file }) => {
    test('builds an app that denies with the reason', async () => {
      const built = await build();
      expect(built.status, built.output).toBe(0);
      expect(await run(node24, [file], apps, withNode(node24))).toEqual({ status: 0, stdout: printed, stderr: '' });
    });

    test('shows the errors of a policy at their places', async () => {
      const { status, output } = await withErrors(build);
      expect(status).not.toBe(0);
      const plain = output.replaceAll(/\u001b\[[\d;]*m/g, '');
      expect(plain).toMatch(firstError);
      expect(plain).toMatch(firstPlace);
      expect(plain).toContain('var order is unsafe');
      expect(plain).toContain('hint: did you mean `input`?');
    });
  });

  test.each(['rollup', 'rolldown'])('%s has the runtime once in a bundle that leaves packages out', async (name) => {
    for (const other of ['first', 'second']) {
      writeFileSync(join(apps, `${other}.rego`), `package ${other}\n\ndefault allow := false\n\nallow if input.user == "${other}"\n`);
    }
    const both = `import * as first from './first.rego';
import * as second from './second.rego';
console.log(first.allow({ user: 'first' }), second.allow({ user: 'first' }), first.$EvaluationError === second.$EvaluationError);
`;
    writeFileSync(join(apps, 'both.js'), both);
    const program = `import { ${name} as bundle } from '${name}';
import rego from 'writ/bundler';
const built = await bundle({ input: 'both.js', external: /node_modules/, plugins: [rego.${name}()] });
await built.write({ file: 'both-${name}.mjs', format: 'es' });
`;
    writeFileSync(join(apps, `build-both-${name}.mjs`), program);
    expect(await runTool('', [`build-both-${name}.mjs`])).toEqual({ status: 0, output: '' });
    expect(readFileSync(join(apps, `both-${name}.mjs`), 'utf8')).not.toMatch(/^import /m);
    expect(await runTool('', [`both-${name}.mjs`])).toEqual({ status: 0, output: 'true false true\n' });
  });

  testWatched(apps, node24);

  const nodes = [
    ['Node 24', node24],
    ['Node 22', tools.path('node/bin/node')],
  ] as const;

  describe.each(nodes)('%s without a bundler', (_, node) => {
    test('runs the app, by import and by require', async () => {
      expect(await runTool('', ['--import', 'writ/register', 'app.js'], node)).toEqual({ status: 0, output: printed });
      writeFileSync(
        join(apps, 'required.cjs'),
        "const { allow } = require('../policies/orders.rego');\nimport('../policies/orders.rego').then((m) => console.log(m.allow === allow, allow({ action: 'list', user: {} })));\n",
      );
      expect(await runTool('', ['--import', 'writ/register', 'required.cjs'], node)).toEqual({ status: 0, output: 'true true\n' });
    });

    test('a stack leads to the line of the policy', async () => {
      const text = "import { allow } from './print.rego';\nallow({}, { onPrint: () => console.log(new Error().stack) });\n";
      writeFileSync(join(apps, 'print.rego'), 'package printing\n\nallow if {\n\tprint(1)\n}\n');
      writeFileSync(join(apps, 'print.js'), text);
      const { output } = await runTool('', ['--enable-source-maps', '--import', 'writ/register', 'print.js'], node);
      expect(output).toContain('print.rego:4:');
    });

    test('shows the errors of a policy', async () => {
      const { status, output } = await withErrors(() => runTool('', ['--import', 'writ/register', 'app.js'], node));
      expect([status, firstError.test(output), firstPlace.test(output)]).toEqual([1, true, true]);
    });
  });

  test('Bun runs the app without a bundler', async () => {
    expect(await bun(['--preload', 'writ/register', 'app.js'])).toEqual({ status: 0, output: printed });
  });

  test('Vitest and Jest test a policy', async () => {
    const vitest = await runTool('vitest/vitest.mjs', ['run', '--root', 'vitest']);
    expect(vitest.status, vitest.output).toBe(0);
    const jest = await runTool('jest/bin/jest.js', ['-c', 'jest/jest.config.cjs', '--cacheDirectory', '.jest-cache']);
    expect(jest.status, jest.output).toBe(0);
    expect([vitest.output, jest.output].map((output) => /1 passed/.test(output))).toEqual([true, true]);
  });

  test('Jest compiles again where another file of the policy has changed', async () => {
    const other = join(copy, 'policies/other.rego');
    try {
      writeFileSync(other, 'package orders\n\nallow if input.user.name == "bob"\n');
      expect((await runTool('jest/bin/jest.js', ['-c', 'jest/jest.config.cjs', '--cacheDirectory', '.jest-cache'])).output).toMatch(
        /1 failed/,
      );
    } finally {
      rmSync(other, { force: true });
    }
  });

  test('inputs have the types of the schema, in declarations that the build wrote', async () => {
    expect(existsSync(join(copy, 'policies/orders.d.rego.ts'))).toBe(true);
    const compiler = 'typescript/bin/tsc';
    expect(await runTool(compiler, ['-p', '.'])).toEqual({ status: 0, output: '' });
    const app = readFileSync(join(apps, 'app.js'), 'utf8');
    const config = JSON.parse(readFileSync(join(apps, 'tsconfig.json'), 'utf8')) as object;
    for (const [i, [, from, to]] of wrong.entries()) writeFileSync(join(apps, `wrong-${i}.js`), app.replace(from, to));
    writeFileSync(join(apps, 'wrong.json'), JSON.stringify({ ...config, include: ['wrong-*.js'] }));
    const { output } = await runTool(compiler, ['-p', 'wrong.json', '--pretty', 'false']);
    const codes = wrong.map(([title], i) => [title, new RegExp(`wrong-${i}\\.js\\(\\d+,\\d+\\): error (TS\\d+)`).exec(output)?.[1]]);
    expect(codes).toEqual(wrong.map(([title, , , code]) => [title, code]));
  });
});

/** Changes of the app, each an error of the compiler. */
const wrong: readonly (readonly [title: string, from: string, to: string, code: string])[] = [
  ['an action that there is not', "allow({ user, action: 'read'", "allow({ user, action: 'raed'", 'TS2322'],
  ['an action of another type', "allow({ user, action: 'read'", 'allow({ user, action: 1', 'TS2322'],
  ['no action', "allow({ user, action: 'read',", 'allow({ user,', 'TS2741'],
  ['a member that there is not', "allow({ user, action: 'read'", "allow({ user, tenant: 1, action: 'read'", 'TS2353'],
  ['no input', "allow({ user, action: 'read', order })", 'allow()', 'TS2554'],
  ['a rule that there is not', 'import { allow, deny }', 'import { allow, denied }', 'TS2614'],
];
