import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import * as compiler from '../compiler/index.js';
import * as writ from '../runtime/index.js';

const root = join(import.meta.dirname, '..');

const examples = ['README.md', 'docs/library.md'].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, code], i) => ({ file, i: i + 1, code: code! })),
);

const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => (...args: unknown[]) => Promise<void>;

/** Runs an example; answers what it printed, a line each. */
async function printed(code: string): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]) => lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
  const script = code
    .replace(/^import (\{.*\}) from 'writ';$/gm, 'const $1 = writ;')
    .replace(/^import (\{.*\}) from 'writ\/compiler';$/gm, 'const $1 = compiler;');
  const { code: plain } = await transform(script, { loader: 'ts' });
  await new AsyncFunction('writ', 'compiler', 'console', plain)(writ, compiler, { log });
  return lines;
}

test.each(examples)('example $i of $file prints what stands behind it', async ({ code }) => {
  const wanted = [...code.matchAll(/console\.log\(.*\)+; \/\/ → (.*)$/gm)].map(([, line]) => line);
  expect(wanted.length).toBeGreaterThan(0);
  expect(await printed(code)).toEqual(wanted);
});

test('there are examples', () => {
  expect(new Set(examples.map(({ file }) => file))).toEqual(new Set(['README.md', 'docs/library.md']));
});
