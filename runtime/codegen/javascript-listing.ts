import type { Program } from '../bytecode/program.js';
import type { Index } from '../lowering/lowered.js';
import { ProgramText } from './program-text.js';
import { markOfLine } from './writer.js';

/** A line of generated JavaScript. */
export interface JavaScriptLine {
  /** Indented. */
  readonly text: string;
  /** The number of its statement in `Program.statements`, from 1; 0 for none. */
  readonly origin: Index;
}

/** The generated JavaScript of functions of one program, by their index in it. */
export class JavaScriptListing {
  readonly #texts: ProgramText;

  /** @param program see `assembleListed`; with that of `assemble`, no line has a statement */
  constructor(program: Program) {
    this.#texts = new ProgramText(program, program.lowered ?? [], true);
  }

  /** A function with the parts that it was split into. */
  lines(index: number): JavaScriptLine[] {
    const pieces = this.#texts.pieces(index);
    const parts = (pieces ?? []).flatMap((piece) => {
      if (piece.kind === 'blocks') return piece.isPart ? [piece.blocks] : [];
      return piece.rules.map(({ blocks }) => blocks);
    });
    const texts = [this.#texts.func(index, pieces), ...parts.map((blocks) => this.#texts.part(index, blocks))];
    return texts.flatMap(laidOut);
  }
}

/** Indents by braces, and takes the marks out. */
function laidOut(text: string): JavaScriptLine[] {
  let depth = 0;
  let origin = 0;
  const lines: JavaScriptLine[] = [];
  for (const line of text.split('\n').filter((line) => line !== '')) {
    if (line.startsWith(markOfLine)) {
      origin = Number(line.slice(markOfLine.length));
      continue;
    }
    const code = line.replace(/"(?:[^"\\]|\\.)*"/g, '');
    const closing = /^[})\]]*/.exec(code)![0].length;
    const change = (code.match(/[{([]/g) ?? []).length - (code.match(/[})\]]/g) ?? []).length;
    lines.push({ text: `${'  '.repeat(Math.max(0, depth - closing))}${line}`, origin });
    depth += change;
  }
  return lines;
}
