import { type Program, type ProgramFunction, placeAt } from '../bytecode/program.js';
import { CodeGenerator } from './code-generator.js';

/** The generated JavaScript of all functions and plans, or of those that are wanted. */
export function listJavaScript(program: Program, isWanted: (func: ProgramFunction) => boolean = () => true): string {
  const generator = new CodeGenerator(program, program.lowered ?? [], []);
  return program.functions
    .flatMap((func, index) => (isWanted(func) ? [`// ${func.kind} ${func.name}\n${laidOut(program, generator.text(index))}\n`] : []))
    .join('\n');
}

/** Indents by braces, and says what place in the source `at` stands for. */
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
