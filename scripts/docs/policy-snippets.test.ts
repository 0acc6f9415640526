/** The policies in the pages for authors give the results that the pages state. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, runWith, withFiles } from '../../test/harness/command.js';
import { type Snippet, type Stated, sessions, snippets } from './policy-snippets.js';
import { outputPattern } from './sessions.js';

/** The result of a query within the package of a snippet. */
async function answer(directory: string, { text, folder }: Snippet, { query, input }: Stated): Promise<string> {
  const [, name] = /^package (\S+)/m.exec(text)!;
  const files = Object.keys(folder).filter((file) => /\.rego$|^data\./.test(file));
  const sources = files.flatMap((file) => ['-d', join(directory, file)]);
  const given = input === undefined ? [] : ['--stdin-input'];
  const io = { stdin: () => new TextEncoder().encode(input) };
  const { stdout } = await runWith(io, ['eval', ...sources, ...given, '--package', name!, query]);
  const { result, errors } = JSON.parse(stdout);
  if (errors !== undefined) return `error: ${errors[0].message}`;
  return result === undefined ? 'undefined' : JSON.stringify(result[0].expressions[0].value);
}

function normal(result: string): string {
  return /^(undefined$|error: )/.test(result) ? result : JSON.stringify(JSON.parse(result));
}

const stating = snippets.filter(({ results }) => results.length > 0);

test.each(stating)('the policy at $page:$row gives its results', (snippet) =>
  withFiles(snippet.folder, async (directory) => {
    for (const stated of snippet.results)
      expect(`${stated.query} → ${await answer(directory, snippet, stated)}`).toBe(`${stated.query} → ${normal(stated.result)}`);
  }),
);

const tested = snippets.filter(({ text, hasSession }) => !hasSession && /^test_/m.test(text));

test.each(tested)('the tests at $page:$row pass', ({ folder }) =>
  withFiles(folder, async (directory) => {
    const { stdout } = await runCommand('test', '-f', 'json', directory);
    const results: readonly { name: string; fail?: boolean; error?: object }[] = JSON.parse(stdout);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ fail, error }) => fail || error).map(({ name }) => name)).toEqual([]);
  }),
);

/** The words of a command, with files and the folder at their place. */
function wordsOf(command: string, directory: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted], i, words) => {
    if (quoted !== undefined) return quoted;
    if (word === '.') return directory;
    const isFile = existsSync(join(directory, word)) || ['-o', '--snapshots'].includes(words[i - 1]?.[0] ?? '');
    return isFile ? join(directory, word) : word;
  });
}

/** At a terminal, or in a process of its own with a text as standard input. */
async function outputOf(words: string[], stdin: string | undefined): Promise<string> {
  if (stdin !== undefined) {
    return spawnSync(join(import.meta.dirname, '../../bin/writ'), words, { input: stdin, encoding: 'utf8' }).stdout;
  }
  const { stdout, stderr } = await runAtTerminal(...words);
  return `${stderr}${stdout}`;
}

test.each(sessions)('the commands at $page:$row print what it shows', ({ folder, commands }) =>
  withFiles(folder, async (directory) => {
    expect(commands.length).toBeGreaterThan(0);
    for (const { stdin, command, output } of commands) {
      const printed = (await outputOf(wordsOf(command, directory), stdin)).replaceAll(`${directory}/`, '').trimEnd();
      if (output.includes('…')) expect(`${printed}\n`).toMatch(outputPattern(output));
      else expect(printed).toBe(output);
    }
  }),
);

test('each policy is tried', () => {
  expect(stating.length).toBeGreaterThan(20);
  const tries = /^test_|^# .* → /m;
  const untried = snippets.filter(({ folder, hasSession }) => !hasSession && !Object.values(folder).some((text) => tries.test(text)));
  expect(untried.map(({ page, row }) => `${page}:${row}`)).toEqual([]);
});
