/** Blocks of the docs that begin with the name of a file, or have it as a title, are that file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const quoted = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [
    ...readFileSync(join(root, 'docs', name), 'utf8').matchAll(/^```\w+(?:\n\/\/ | \[)(examples\/[^\s\]]+)\]?\n(.*?)^```/gms),
  ])
  .map(([, path, text]) => [path!, text!] as const);

test('the docs quote files', () => expect(quoted.length).toBeGreaterThan(14));

test.each(quoted)('%s is as the docs quote it', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});
