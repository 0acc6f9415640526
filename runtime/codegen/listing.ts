import { type Program, type ProgramFunction, placeAt } from '../bytecode/program.js';
import { ProgramText } from './program-text.js';

/** The generated JavaScript of all functions and plans, or of selected ones. */
export function listJavaScript(program: Program, isWanted: (func: ProgramFunction) => boolean = () => true): string {
  const texts = new ProgramText(program, program.lowered ?? []);
  return program.functions
    .flatMap((func, index) => (isWanted(func) ? [`// ${func.kind} ${func.name}\n${laidOut(program, wholeOf(texts, index))}\n`] : []))
    .join('\n');
}

/** A function with the parts that it was split into. */
function wholeOf(texts: ProgramText, index: number): string {
  const pieces = texts.pieces(index);
  const parts = (pieces ?? []).flatMap((piece) => {
    if (piece.kind === 'blocks') return piece.isPart ? [piece.blocks] : [];
    return piece.rules.map(({ blocks }) => blocks);
  });
  return [texts.func(index, pieces), ...parts.map((blocks) => texts.part(index, blocks))].join('\n');
}

/** Indents by braces, and adds the place in the source of each `at`. */
function laidOut(program: Program, text: string): string {
  let depth = 0;
  const lines: string[] = [];
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const code = line.replace(/"(?:[^"\\]|\\.)*"/g, '');
    const closing = /^[})\]]*/.exec(code)![0].length;
    const change = (code.match(/[{([]/g) ?? []).length - (code.match(/[})\]]/g) ?? []).length;
    const at = /^at = (\d+);$/.exec(line)?.[1];
    const { file, row, col } = placeAt(program, Number(at ?? 0));
    lines.push(`${'  '.repeat(Math.max(0, depth - closing))}${line}${at !== undefined && row > 0 ? ` // ${file}:${row}:${col}` : ''}`);
    depth += change;
  }
  return lines.join('\n');
}
