/**
 * The commands of pages. A page is a folder, worked through from top to bottom. A block with a
 * title, as in `yaml [config.yaml]`, is a file. A block of `console` has commands behind `$`, each
 * with its output: `…` stands for any text of a line, a line of `…` alone for any lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks, commandsIn } from './code-blocks.js';

const root = join(import.meta.dirname, '..', '..');

interface FileBlock {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

interface CommandBlock {
  readonly kind: 'commands';
  readonly row: number;
  readonly commands: ReturnType<typeof commandsIn>;
}

/** Code without a title. */
interface SnippetBlock {
  readonly kind: 'snippet';
  readonly row: number;
  readonly language: string;
  readonly text: string;
}

export interface Page {
  readonly page: string;
  readonly blocks: readonly (FileBlock | CommandBlock | SnippetBlock)[];
}

/** Pages, and those of folders, below `docs`. */
export function pagesIn(...places: readonly string[]): Page[] {
  return places.flatMap((place) => {
    if (place.endsWith('.md')) return [pageOf(place)];
    const names = readdirSync(join(root, 'docs', place)).filter((name) => name.endsWith('.md'));
    return names.map((name) => pageOf(`${place}/${name}`));
  });
}

function pageOf(name: string): Page {
  return { page: `docs/${name}`, blocks: blocksOf(readFileSync(join(root, 'docs', name), 'utf8')) };
}

function blocksOf(page: string): Page['blocks'] {
  return codeBlocks(page).map(({ row, language, title, text }) => {
    if (title?.startsWith('examples/')) return { kind: 'snippet', row, language: 'quoted', text };
    if (title !== undefined) return { kind: 'file', name: title, text };
    if (language === 'console') return { kind: 'commands', row, commands: commandsIn(text) };
    return { kind: 'snippet', row, language, text };
  });
}

/**
 * An output, with a line feed at its end, in which `…` stands for any text of a line, and alone for
 * any lines.
 */
export function outputPattern(output: string): RegExp {
  const lines = output
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literally).join('.*')}\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
