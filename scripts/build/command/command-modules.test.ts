import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandModules } from './command-modules.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-command-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The scripts of a command, by their paths. */
async function scripts(sources: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  for (const [path, text] of Object.entries(sources)) put(path, text);
  const { files } = await commandModules('cli/main.ts', { absWorkingDir: root, logLevel: 'silent' });
  return Object.fromEntries(files.map(({ path, contents }) => [path, String(contents)]));
}

test('each module that may be loaded is a script, and JSON is one', async () => {
  const files = await scripts({
    'cli/main.ts': "import { a } from './a.js';\nimport type { B } from './types.js';\nvoid import('./b.js');\nexport const b: B = a;",
    'cli/a.ts': "import json from '../a.json' with { type: 'json' };\nexport const a = json;",
    'cli/b.ts': 'export const b = 1;',
    'cli/types.ts': 'export type B = object;',
    'cli/elsewhere.ts': 'export const c = 1;',
    'a.json': '{ "a": 1 }',
  });
  expect(Object.keys(files).sort()).toEqual(['a.json', 'cli/a.js', 'cli/b.js', 'cli/main.js']);
  expect(files['cli/main.js']).toContain('require("cli/a.js")');
});

test("naming a function of a built-in's library does not load it, but calling it", async () => {
  const library = 'builtins/lib/url/url.ts';
  const files = await scripts({
    'cli/main.ts': "import { limit, parse } from '../builtins/lib/url/url.js';\nexport const rows = [parse, () => limit];",
    [library]: 'export function parse(text: string) { return text.concat("!"); }\nexport const limit = 3;',
  });
  let loads = 0;
  const run = (path: string): object => {
    if (path === 'builtins/lib/url/url.js') loads++;
    const exports = {};
    const later = (name: string) => new Proxy({}, { get: (_, member) => Reflect.get(run(name), member) });
    new Function('exports', 'require', files[path]!)(exports, path.endsWith('-calls.js') ? later : run);
    return exports;
  };
  const { rows } = run('cli/main.js') as { rows: readonly ((text: string) => unknown)[] };
  expect(loads).toBe(0);
  expect(rows.map((row) => row('a'))).toEqual(['a!', 3]);
});
