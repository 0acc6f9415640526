import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from './code-blocks.js';

const root = join(import.meta.dirname, '..', '..');

/** A block of TypeScript in a page. */
interface Example {
  readonly page: string;
  /** The position in the page, from 1. */
  readonly number: number;
  readonly code: string;
  /** The output lines that the example states. */
  readonly prints: readonly string[];
}

const pages = [
  'README.md',
  ...['docs', 'docs/service'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The examples of the README and of the docs. */
export const examples: readonly Example[] = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), 'utf8'))
    .filter(({ language, title }) => language === 'ts' && title === undefined)
    .map(({ text: code }, i) => ({
      page,
      number: i + 1,
      code,
      prints: [...code.matchAll(/console\.log\(.*\)+; \/\/ → (.*)$/gm)].map(([, line]) => line!),
    })),
);
