import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../cli/command-table.js';
import { runCommand } from '../../test/harness/command.js';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
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
  expect(stderr).toBe('');
  if (output.includes('…')) expect(stdout).toMatch(elided(output));
  else expect(stdout).toBe(output);
});

test('there are examples', () => {
  expect(new Set(examples.map(({ page }) => page))).toEqual(new Set(['README.md', 'docs/recordings.md', 'docs/why.md']));
});

/** An output of which lines with nothing but `…` stand for some lines. */
function elided(output: string): RegExp {
  const lines = output
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)+?' : `${line.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}\\n`));
  return new RegExp(`^${lines.join('').replace(/\\n$/, '')}$`);
}

/** Flags of other programs, and of every command. */
const otherFlags = new Set([
  'help',
  'name',
  'build-arg',
  'disallow-code-generation-from-strings',
  'create-namespace',
  'from-file',
  'from-literal',
  'max-old-space-size',
  'preload',
  'enable-source-maps',
]);

/** Flags of `npm run fuzz`, in the page for developers. */
const fuzzFlags = new Set(['minutes', 'seed', 'only', 'cases', 'forms']);

test('the flags in the pages exist', async () => {
  const tables = await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).flags));
  const known = new Set(tables.flat().map(({ name }) => name));
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/(?<![\w-])--([a-z][\w-]*\w)/g)].map(([, name]) => ({ page, name: name! })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(
    named.filter(
      ({ page, name }) => !known.has(name) && !otherFlags.has(name) && !(page === 'docs/internals/testing.md' && fuzzFlags.has(name)),
    ),
  ).toEqual([]);
});
