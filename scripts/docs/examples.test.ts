import { inspect } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import * as writ from '../../library/index.js';
import * as compiler from '../../library/integrations/compiler/index.js';
import * as envoy from '../../library/integrations/envoy/index.js';
import * as opaWasm from '../../library/integrations/opa-wasm/index.js';
import { examples } from './examples.js';

const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => (...args: unknown[]) => Promise<void>;

/** Runs an example and returns its output lines. */
async function printed(code: string): Promise<string[]> {
  const lines: string[] = [];
  const log = (...values: unknown[]) => lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
  const script = code
    .replace(/^import (\{.*\}) from 'writ';$/gm, 'const $1 = writ;')
    .replace(/^import (\{.*\}) from 'writ\/compiler';$/gm, 'const $1 = compiler;')
    .replace(/^import (\{.*\}) from 'writ\/opa-wasm';$/gm, 'const $1 = opaWasm;')
    .replace(/^import (\{.*\}) from 'writ\/envoy';$/gm, 'const $1 = envoy;');
  const { code: plain } = await transform(script, { loader: 'ts' });
  await new AsyncFunction('writ', 'compiler', 'opaWasm', 'envoy', 'console', plain)(writ, compiler, opaWasm, envoy, { log });
  return lines;
}

test.each(examples)('example $number of $page prints its stated output', async ({ code, prints }) => {
  expect(prints.length).toBeGreaterThan(0);
  expect(await printed(code)).toEqual(prints);
});

test('there are examples', () => {
  expect(new Set(examples.map(({ page }) => page))).toEqual(
    new Set([
      'README.md',
      ...['envoy', 'filters', 'library', 'opa-wasm', 'sdk', 'service/deciding', 'service/input', 'service/testing'].map(
        (page) => `docs/${page}.md`,
      ),
    ]),
  );
});
