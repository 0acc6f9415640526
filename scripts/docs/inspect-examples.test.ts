import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/inspect.md'), 'utf8');

const unindented = (text: string) => text.replaceAll(/^ {4}/gm, '');

/** The policy of the page. */
const [, policy] = /\n\n((?: {4}.*\n|\n)+?)\n## Statements/.exec(page)!;

/** The data of the page. */
const [, data] = /policies\/data\.json` has one grant: `(.*)`/.exec(page)!;

/** Commands over the policy, each with the lines of its output that the page shows. */
const examples = [...page.matchAll(/^ {4}\$ writ (.*)\n((?: {4}(?!\$ ).*\n)+)/gm)]
  .map(([, command, lines]) => ({ command: command!, lines: unindented(lines!).trimEnd().split('\n') }))
  .filter(({ command }) => / policies\b/.test(command));

const before = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-inspect-page-'));
  mkdirSync(join(folder, 'policies'));
  // A policy is indented by tabs; a page shows them as blanks.
  writeFileSync(join(folder, 'policies/authz.rego'), unindented(policy!).trimStart().replaceAll(/^ {4}/gm, '\t'));
  writeFileSync(join(folder, 'policies/data.json'), data!);
  writeFileSync(join(folder, 'policies/limits.rego'), 'package authz\n\nlimits := {"max": 3}\n');
});

afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

test('the page has examples of the views', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
});

test.each(examples)('writ $command prints the lines that the page shows', async ({ command, lines }) => {
  process.chdir(folder);
  const { stdout, stderr } = await runCommand(...command.split(' '));
  expect(stderr).toBe('');
  // The page has narrower columns.
  const narrow = (line: string) => line.replaceAll(/ +/g, ' ').trim();
  const printed = stdout.split('\n').map(narrow);
  let at = 0;
  for (const line of lines.map(narrow).filter((shown) => shown !== '...')) {
    const found = printed.indexOf(line, at);
    if (found < 0) expect(printed.slice(at).join('\n')).toBe(line);
    at = found + 1;
  }
});
