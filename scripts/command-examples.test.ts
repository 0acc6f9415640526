import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../cli/testing.js';

const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

interface CommandExample {
  readonly page: string;
  readonly command: string;
  /** The lines below the command. */
  readonly output: string;
}

/** Indented blocks that begin with `$ bin/writ`, up to the next line that is not indented. */
const examples: readonly CommandExample[] = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^ {4}\$ bin\/writ (.*)\n((?:(?: {4}.*)?\n)*)/gm)].map(([, command, lines]) => ({
    page,
    command: command!,
    output: `${lines!.replace(/^ {4}/gm, '').trimEnd()}\n`,
  })),
);

test.each(examples)('$page: writ $command prints its stated output', async ({ command, output }) => {
  const { stdout, stderr } = await runCommand(...command.split(' '));
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
});

test('there are examples', () => {
  expect(new Set(examples.map(({ page }) => page))).toEqual(new Set(['README.md', 'docs/why.md']));
});
