/**
 * Policies in pages of documentation. A block of Rego states results in comments:
 * `# input: {…}` is the input of the results below it, `# allow → true` is a query within the
 * package with its result: JSON, `undefined` or `error: …`. A block with a title, as in
 * `rego [authz.rego]`, is a file. The files from one heading (`##`) to the next are a folder, and
 * blocks of `console` there are commands that run in it, with their output: `$ writ …`, or
 * `$ printf '…' | writ …` with a text as standard input.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeBlock, codeBlocks, commandsIn } from './code-blocks.js';

const root = join(import.meta.dirname, '..', '..');

type Files = Readonly<Record<string, string>>;

/** A query with its stated result. */
export interface Stated {
  readonly query: string;
  /** A text of JSON. */
  readonly input: string | undefined;
  readonly result: string;
}

export interface Snippet {
  readonly page: string;
  readonly row: number;
  readonly text: string;
  /** The files of the folder by name, with this one. */
  readonly folder: Files;
  readonly results: readonly Stated[];
  /** Whether the page shows commands that run in the folder. */
  readonly hasSession: boolean;
}

export interface Session {
  readonly page: string;
  readonly row: number;
  readonly folder: Files;
  readonly commands: readonly Command[];
}

interface Command {
  readonly stdin: string | undefined;
  readonly command: string;
  readonly output: string;
}

/** The pages with policies to run. That of built-ins has expressions, which its script runs. */
const pages: readonly string[] = [
  'docs/index.md',
  ...['docs/author', 'docs/plan'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'builtins.md')
      .map((name) => `${folder}/${name}`),
  ),
];

const sections = pages.flatMap((page) => {
  const all = codeBlocks(readFileSync(join(root, page), 'utf8'));
  return Object.values(Object.groupBy(all, ({ section }) => section)).map((blocks = []) => ({ page, blocks }));
});

export const snippets: readonly Snippet[] = sections.flatMap(({ page, blocks }) =>
  blocks
    .filter(({ language }) => language === 'rego')
    .map(({ row, text, title }) => ({
      page,
      row,
      text,
      folder: title === undefined ? { 'policy.rego': text } : folderOf(blocks),
      results: statedIn(text),
      hasSession: title !== undefined && blocks.some(({ language }) => language === 'console'),
    })),
);

export const sessions: readonly Session[] = sections.flatMap(({ page, blocks }) => {
  const consoles = blocks.filter(({ language }) => language === 'console');
  if (consoles.length === 0) return [];
  return [
    {
      page,
      row: consoles[0]!.row,
      folder: folderOf(blocks),
      commands: consoles.flatMap(({ text }) => commandsIn(text).flatMap(ofThisProgram)),
    },
  ];
});

function folderOf(blocks: readonly CodeBlock[]): Files {
  return Object.fromEntries(blocks.flatMap(({ title, text }) => (title === undefined ? [] : [[title, text]])));
}

function statedIn(text: string): Stated[] {
  const stated: Stated[] = [];
  let input: string | undefined;
  for (const [, given, query, result] of text.matchAll(/^# (?:input: (.*)|(.*) → (.*))$/gm)) {
    if (given === undefined) stated.push({ query: query!, input, result: result! });
    else input = given;
  }
  return stated;
}

/** Commands of other programs are not run. */
function ofThisProgram({ command, output }: ReturnType<typeof commandsIn>[number]): Command[] {
  const [, stdin, args] = /^(?:printf '(.*)' \| )?writ (.*)$/s.exec(command) ?? [];
  return args === undefined ? [] : [{ stdin: stdin?.replaceAll('\\n', '\n'), command: args, output }];
}
