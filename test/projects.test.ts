import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasRandomCases, projectOf, testFiles } from './projects.js';

/** Quotation marks are single ones: these here are no imports of this file. */
const files: Readonly<Record<string, string>> = {
  'values/plain.test.ts': 'import { order } from "./order.js";',
  'values/order.ts': 'import { spawn } from "node:child_process";',
  'cli/starts.test.ts': 'import { spawn } from "node:child_process";',
  'cli/late.test.ts': 'const started = (await import("node:child_process")).spawn("x");',
  'cli/served.test.ts': 'import { serve } from "../test/harness/serve.js";',
  'test/harness/serve.ts': 'import { start } from "./start.js";',
  'test/harness/start.ts': 'import cluster from "node:cluster";',
  'values/named.test.ts': 'test("a text with node:child_process in it", () => {});',
  'values/alone.test.ts': '/** Isolated: it replaces the clock of the process. */',
  'values/replaced.test.ts': 'vi.mock("./order.js", () => ({}));',
  'values/anew.test.ts': 'test("anew", () => {\n  vi.resetModules();\n});',
  'storage/rows.test.ts': 'import { database } from "../test/harness/databases/postgres.js";',
  'web/page.test.ts': 'import { page } from "../test/harness/chromium.js";',
  'test/harness/chromium.ts': 'import { chromium } from "playwright-core";',
  'values/random.test.ts': 'import { cases } from "../test/harness/more.js";',
  'values/properties.test.ts': 'import fc from "fast-check";',
  'test/harness/more.ts': 'import { randomCases } from "./set-up/random-cases.js";',
};
const read = (path: string): string | undefined => files[path]?.replaceAll('"', "'");

test.each([
  ['that imports product code', 'values/plain.test.ts', 'unit'],
  ['whose texts name a module', 'values/named.test.ts', 'unit'],
  ['that starts programs', 'cli/starts.test.ts', 'process'],
  ['that loads the module when it needs it', 'cli/late.test.ts', 'process'],
  ['whose helpers start programs', 'cli/served.test.ts', 'process'],
  ['that says that it is isolated', 'values/alone.test.ts', 'isolated'],
  ['that replaces modules', 'values/replaced.test.ts', 'isolated'],
  ['that loads modules anew', 'values/anew.test.ts', 'isolated'],
  ['with a database', 'storage/rows.test.ts', 'package'],
  ['with a browser', 'web/page.test.ts', 'package'],
  ['of the package', 'test/package/new.test.ts', 'package'],
])('a file %s has its project', (_, file, project) => {
  expect(projectOf(file, read)).toBe(project);
});

test('a file has random cases if it or a helper makes properties or asks for a number of cases', () => {
  expect(hasRandomCases('values/properties.test.ts', read)).toBe(true);
  expect(hasRandomCases('values/random.test.ts', read)).toBe(true);
  expect(hasRandomCases('values/plain.test.ts', read)).toBe(false);
});

test('each test file of the folders of the project is found', () => {
  const found = testFiles();
  expect(found).toContain('test/projects.test.ts');
  expect(found.every((file) => existsSync(file))).toBe(true);
  expect(new Set(found).size).toBe(found.length);
});
