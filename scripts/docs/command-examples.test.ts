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

/** Lines of commands, and spans of code in sentences. */
function codeOf(text: string): string[] {
  const fence = /^```.*?^```/gms;
  const indented = /^ {4}.*/gm;
  const lines = [fence, indented].flatMap((form) => text.match(form) ?? []).flatMap((block) => block.replaceAll('\\\n', '').split('\n'));
  const sentences = text.replaceAll(fence, '').replaceAll(indented, '');
  return [...lines, ...[...sentences.matchAll(/`([^`]+)`/g)].map(([, span]) => span!)];
}

const ours = new Set(['writ', 'bin/writ', ...Object.keys(commands)]);

/** Flags of this command and of Node: code that begins with another program has its own. */
function flagsIn(code: string): string[] {
  const [, first = ''] = /^(?:\$ |- |npx )*(\S+)/.exec(code.trim()) ?? [];
  if (!first.startsWith('-') && !ours.has(first)) return [];
  return [...code.matchAll(/(?<![\w-])--([a-z][\w-]*\w)/g)].map(([, name]) => name!);
}

test('the flags in the pages exist', async () => {
  const tables = await Promise.all(Object.values(commands).map(async ({ load }) => (await load()).flags));
  const known = new Set(['help', ...tables.flat().map(({ name }) => name)]);
  // Developers have tools with flags of their own.
  const named = pages
    .filter((page) => !page.startsWith('docs/internals/'))
    .flatMap((page) => codeOf(readFileSync(join(root, page), 'utf8')).flatMap((code) => flagsIn(code).map((name) => ({ page, name }))));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !known.has(name) && !process.allowedNodeEnvironmentFlags.has(`--${name}`))).toEqual([]);
});

test.each([
  ['writ run --nothing', ['nothing']],
  ['$ bin/writ eval --nothing=1', ['nothing']],
  ['npx writ eval --nothing', ['nothing']],
  ['run --nothing', ['nothing']],
  ['--nothing', ['nothing']],
  ['- --nothing', ['nothing']],
  ['kubectl get --nothing', []],
  ['docker run writ --nothing', []],
])('the flags of %j are %j', (code, flags) => {
  expect(flagsIn(code)).toEqual(flags);
});
