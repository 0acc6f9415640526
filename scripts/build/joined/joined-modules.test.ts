import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modulesFrom } from '../command-modules.js';
import { joinedScript } from './joined-modules.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-joined-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Joined {
  readonly text: string;
  /** Runs the script with these exports of other scripts, and returns its own. */
  readonly run: (others: Readonly<Record<string, unknown>>) => { readonly part: (name: string) => object | undefined };
}

/** The script of the entry `cli/main.ts` and some of the modules that it may load. */
async function joined(sources: Readonly<Record<string, string>>, ...scripts: readonly string[]): Promise<Joined> {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const options = { absWorkingDir: root, logLevel: 'silent' } as const;
  const inputs = await modulesFrom('cli/main.ts', options);
  const text = await joinedScript({ entry: 'cli/main.ts', inputs }, scripts, options);
  return {
    text,
    run(others) {
      const require = (name: string) => {
        if (!(name in others)) throw new Error(`${name} is not among the other scripts`);
        return others[name];
      };
      const exports = {
        part: (_: string): object | undefined => undefined,
        requireAny: (name: string) => exports.part(name) ?? require(name),
      };
      new Function('exports', 'require', text)(exports, require);
      return exports;
    },
  };
}

test('functions of the modules call each other directly, and other scripts get the exports', async () => {
  const { text, run } = await joined(
    {
      'cli/main.ts': "import { add } from './add.js';\nimport { other } from './other.js';\nother(add(1));",
      'cli/add.ts': "import { step } from '../lib/step.js';\nexport const add = (n: number) => n + step();",
      'lib/step.ts': 'export function step() { return size; }\nexport const size = 2;',
      'cli/other.ts': 'export function other(n: number) { return n; }',
    },
    'cli/add.js',
    'lib/step.js',
  );
  const given: number[] = [];
  const { part } = run({ 'cli/other.js': { other: (n: number) => given.push(n) } });
  expect(given).toEqual([3]);
  expect(part('cli/add.js')).toHaveProperty('add');
  expect(part('lib/step.js')).toMatchObject({ size: 2 });
  expect(part('cli/other.js')).toBeUndefined();
  expect(text).not.toContain('require("lib/step.js")');
});

test('the parts are known before the entry runs, and modules may import each other in a circle', async () => {
  const { run } = await joined(
    {
      'cli/main.ts': "import { a } from './a.js';\nimport { other } from './other.js';\nother(a());",
      'cli/a.ts': "import { b } from './b.js';\nexport const name = 'a';\nexport const a = () => b();",
      'cli/b.ts': "import { name } from './a.js';\nexport const b = () => name + 'b';",
      'cli/other.ts': 'export function other(text: string) { return text; }',
    },
    'cli/a.js',
    'cli/b.js',
  );
  const exports: { part?: (name: string) => object | undefined } = {};
  const seen: unknown[] = [];
  const other = (text: string) => seen.push(text);
  Object.assign(exports, run({ 'cli/other.js': { other } }));
  expect(seen).toEqual(['ab']);
  expect(exports.part!('cli/a.js')).toMatchObject({ name: 'a' });
});

test("what is loaded on demand, Node's modules, packages and JSON stay outside", async () => {
  const { text, run } = await joined(
    {
      'node_modules/pack/package.json': '{ "name": "pack", "type": "module", "exports": "./index.js" }',
      'node_modules/pack/index.js': 'export const used = 1; export default 2;',
      'cli/main.ts': "import { a } from './a.js';\nvoid a();",
      'cli/a.ts': [
        "import { join } from 'node:path';",
        "import * as pack from 'pack';",
        "import json from './a.json' with { type: 'json' };",
        "export const a = async () => [join('a', 'b'), pack.used, json, (await import('./late.js')).late];",
      ].join('\n'),
      'cli/late.ts': 'export const late = 3;',
      'cli/a.json': '{ "a": 1 }',
    },
    'cli/a.js',
    'cli/a.json',
    'packages/pack.js',
  );
  for (const name of ['node:path', 'packages/pack.js', 'cli/a.json']) expect(text).toContain(`require("${name}")`);
  expect(text).toContain('requireAny("cli/late.js")');
  const others = { 'node:path': { join: () => 'joined' }, 'packages/pack.js': { used: 1 }, 'cli/a.json': { default: { a: 1 } } };
  const { part } = run({ ...others, 'cli/late.js': { late: 3 } });
  const { a } = part('cli/a.js') as { readonly a: () => Promise<unknown> };
  expect(await a()).toEqual(['joined', 1, { a: 1 }, 3]);
});

test('a part that is imported on demand is not loaded again', async () => {
  const { run } = await joined(
    {
      'cli/main.ts': "import { a } from './a.js';\nvoid a();",
      'cli/a.ts': "export const a = async () => (await import('./late.js')).late;",
      'cli/late.ts': 'export const late = {};',
    },
    'cli/a.js',
    'cli/late.js',
  );
  const { part } = run({});
  const { a } = part('cli/a.js') as { readonly a: () => Promise<unknown> };
  expect(await a()).toBe((part('cli/late.js') as { readonly late: object }).late);
});
