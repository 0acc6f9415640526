/**
 * Tests the package as users install it: packed, alone in a project, and loaded in each way that
 * Node, test runners and TypeScript support.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { testBrowserBundles, testBundlers } from './bundlers.js';
import { testCommand } from './command.js';
import { testExamples } from './examples.js';
import { testLoaders } from './loaders.js';
import { testOpaWasm } from './opa-wasm.js';
import { testPlatforms } from './platforms.js';
import { installPackage, installTools, own } from './project.js';
import { testPublished } from './published.js';
import { testSchemas } from './schemas.js';
import { testSizes } from './sizes.js';
import { olderSettings, settings, testTypes } from './types.js';

// Each test starts one or two processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const [project, tools] = await Promise.all([installPackage(), installTools()]);
if (tools.missing !== undefined)
  console.warn(`skipped: the package under Node 22, Bun, Deno, workerd, Jest, Rollup, webpack and TypeScript 5.4 (${tools.missing})`);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the package brings no other', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['writ']);
});

test('the compiler bundles for a browser, and runs where there is nothing of Node', async () => {
  const policies = { 'a.rego': 'package a\np := regex.match("a", input)' };
  const call = `compile({ policies: ${JSON.stringify(policies)}, entrypoints: ['a/p'] }).plans.plans[0].name`;
  const stdin = { contents: `import { compile } from 'writ/compiler'; globalThis.answer = ${call};`, resolveDir: project };
  const { outputFiles } = await build({ stdin, bundle: true, platform: 'browser', format: 'iife', write: false, logLevel: 'silent' });
  const page: { answer?: string } = createContext({ TextEncoder, TextDecoder });
  runInContext(outputFiles[0]!.text, page);
  expect(page.answer).toBe('a/p');
});

const nodes = [
  ['Node 24', own('node/bin/node')],
  ['Node 22', tools.path('node/bin/node')],
] as const;

testBundlers(project, own('node/bin/node'), tools);
testBrowserBundles(project, own('node/bin/node'), tools);
testPlatforms(project, tools);
testSizes(project);
testSchemas(project, own('node/bin/node'), tools);
testOpaWasm(project);
testPublished(project, tools);

describe.each(nodes)('%s', (_name, node) => {
  testLoaders(project, node, tools);
  testExamples(project, node);
  testCommand(project, node);
});

const compilers = [
  ['the newest TypeScript', own('typescript/bin/tsc'), settings],
  ['TypeScript 5.4', tools.path('typescript/bin/tsc'), [...settings, olderSettings]],
] as const;

describe.each(compilers)('%s', (_name, compiler, tried) => testTypes(project, compiler, tried));
