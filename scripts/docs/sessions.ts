/**
 * The commands of pages. A page is a folder, worked through from top to bottom. A block with a
 * title, as in `yaml [config.yaml]`, is a file. A block of `console` has commands behind `$`, each
 * with its output: `…` stands for any text of a line, a line of `…` alone for any lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

interface FileBlock {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

interface CommandBlock {
  readonly kind: 'commands';
  readonly row: number;
  readonly commands: readonly { readonly command: string; readonly output: string }[];
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

/** The pages of some folders below `docs`. */
export function pagesIn(...folders: readonly string[]): Page[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ page: `docs/${folder}/${name}`, blocks: blocksOf(readFileSync(join(root, 'docs', folder, name), 'utf8')) })),
  );
}

function blocksOf(text: string): Page['blocks'] {
  return [...text.matchAll(/^```(\w*)(?: \[([^\]\n]*)\])?\n(.*?)^```$/gms)].map((match) => {
    const [, language, title, block] = match;
    const row = text.slice(0, match.index).split('\n').length;
    if (title?.startsWith('examples/')) return { kind: 'snippet', row, language: 'quoted', text: block! };
    if (title !== undefined) return { kind: 'file', name: title, text: block! };
    if (language === 'console') return { kind: 'commands', row, commands: commandsIn(block!) };
    return { kind: 'snippet', row, language: language!, text: block! };
  });
}

/** A command goes on in the next line behind a backslash, and within a text in quotes. */
function commandsIn(block: string): CommandBlock['commands'] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((each) => {
      const lines = each.split('\n');
      let end = 1;
      while (end < lines.length && isUnfinished(lines.slice(0, end).join('\n'))) end++;
      return { command: lines.slice(0, end).join('\n'), output: lines.slice(end).join('\n').trimEnd() };
    });
}

function isUnfinished(command: string): boolean {
  const quotes = command.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split("'").length - 1;
  return command.endsWith('\\') || quotes % 2 === 1;
}

/**
 * An output, with a line feed at its end, in which `…` stands for any text of a line, and alone for
 * any lines.
 */
export function outputPattern(output: string): RegExp {
  const lines = output.split('\n').map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literally).join('.*')}\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
