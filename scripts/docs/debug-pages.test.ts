/** The pages of editors, debug information and the inspector say what is so. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchArguments, settingsOf } from '../../cli/dap/launch.js';
import { RequestArguments } from '../../cli/dap/protocol/arguments.js';
import { readTar } from '../../engine/bundle/archive/tar.js';
import { debugReasons } from '../../ir-schema/debug-info.js';
import { runCommand } from '../../test/harness/command.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';

const root = join(import.meta.dirname, '../..');
const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!);

const before = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-pages-'));
  cpSync(join(root, 'fixtures/example'), join(folder, 'policy'), { recursive: true });
  cpSync(join(root, 'fixtures/example-input.json'), join(folder, 'input.json'));
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

describe('docs/editors.md', () => {
  const text = page('editors.md');
  const documented = new Set(
    [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)),
  );
  const ofEditors = new Set(['type', 'request', 'name', 'debugServer']);
  const configurations = blocks(text, 'json')
    .map((code) => JSON.parse(code) as { readonly configurations?: readonly object[]; readonly request?: string })
    .flatMap((found) => found.configurations ?? (found.request === undefined ? [] : [found])) as readonly Record<string, unknown>[];

  test('has configurations of editors', () => expect(configurations.length).toBeGreaterThanOrEqual(3));

  test.each(configurations.map((one) => [String(one.name ?? 'LSP4IJ'), one] as const))(
    '%s has settings that there are',
    (_name, configuration) => {
      for (const key of Object.keys(configuration)) expect(documented.has(key) || ofEditors.has(key), key).toBe(true);
    },
  );

  test.each(configurations.filter(({ request }) => request === 'launch').map((one) => [String(one.name ?? 'LSP4IJ'), one] as const))(
    '%s launches a session',
    async (_name, configuration) => {
      const filled = JSON.parse(JSON.stringify(configuration).replaceAll(/\$\{workspaceFolder\}/g, folder)) as object;
      const args = new RequestArguments(filled, 'launch');
      expect(settingsOf(args).notes).toEqual([]);
      const session = await launchFiles(launchArguments(args));
      const stop = await session.start();
      expect(stop.outcome).toMatchObject({ kind: 'result' });
      session.dispose();
    },
  );

  test.each(['lua', 'elisp'])('the settings of its %s are settings', (language) => {
    const code = blocks(text, language).join('\n');
    const launch = language === 'lua' ? code.slice(code.indexOf('configurations')) : code.slice(code.indexOf(':query'));
    const keys = [...launch.matchAll(language === 'lua' ? /^\s+(\w+) = /gm : /:(\w+) /g)].map(([, key]) => key!);
    expect(keys).toContain('query');
    for (const key of keys) expect(documented.has(key) || ofEditors.has(key), key).toBe(true);
  });
});

describe('docs/debug-info.md', () => {
  const text = page('debug-info.md');
  const commands = [...text.matchAll(/^writ (build .*?)\s+#/gm)].map(([, command]) => command!);
  const members = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  const reasons = [...text.matchAll(/^\| (\d+) `([\w ]+)` \|/gm)].map(([, number, name]) => [Number(number), name]);

  test('numbers the reasons', () => expect(reasons).toEqual(debugReasons.map((name, i) => [i, name])));

  test.each(commands)('writ %s writes the members that it names', async (command) => {
    expect((await runCommand(...command.split(' '), '-o', 'bundle.tar.gz', 'policy')).stderr).toBe('');
    const files = new Map(
      [...readTar(gunzipSync(readFileSync('bundle.tar.gz')))].map(({ name, bytes }) => [name.replace(/^\//, ''), bytes]),
    );
    const info = JSON.parse(new TextDecoder().decode(files.get('debug.json'))) as Record<string, unknown>;
    expect(Object.keys(info).sort()).toEqual([...members].sort());
    const [source] = info.sources as readonly { readonly text?: string }[];
    expect(source!.text !== undefined).toBe(command.includes('=sources'));
  });

  test('has commands', () => expect(commands.length).toBe(2));

  test.each([
    ['plan.json', 'debug.json'],
    ['policy.json', 'policy.debug.json'],
  ])('beside %s stands %s', async (out, beside) => {
    await runCommand('build', '-t', 'plan', '-e', 'authz/allow', '--debug-info', '-o', out, 'policy');
    expect(existsSync(beside)).toBe(true);
  });
});

describe('docs/inspector.md', () => {
  const commands = [...page('inspector.md').matchAll(/^ {4}writ (inspect .*?)\s+#/gm)].map(([, command]) => command!);

  test('has commands', () => expect(commands.length).toBeGreaterThanOrEqual(6));

  test.each(commands)('writ %s writes a page', async (command) => {
    await runCommand('build', '-t', 'plan', '-e', 'authz/allow', '-o', 'A.tar.gz', 'policy');
    await runCommand('eval', '-d', 'policy', '-i', 'input.json', '--record', 'run.writtrace', 'data.authz.allow');
    const profile = await runCommand('eval', '-d', 'policy', '-i', 'input.json', '--plan-profile=json', 'data.authz.allow');
    writeFileSync('profile.json', profile.stderr === '' ? profile.stdout : profile.stderr);
    const filled = command.replace('PATH', 'policy').replace('inspect A B', 'inspect A.tar.gz policy').replace('FILE', 'profile.json');
    const output = filled.includes('-o ') ? [] : ['-o', 'page.html'];
    const { stderr, exit } = await runCommand(...filled.split(' '), ...output);
    expect([stderr, exit]).toEqual(['', 0]);
    expect(readFileSync(filled.includes('-o plan.html') ? 'plan.html' : 'page.html', 'utf8')).toContain('<html');
  });
});
