/** The source map of a module: its lines, each with the place of its statement in the policies. */
import { encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { Program } from '../../bytecode/program.js';
import { markOfLine } from '../writer.js';

/** Begins a line with the number of the statement of the function's lines that have no other. */
export const markOfFunction = `${markOfLine}f`;

/** A source map of version 3. */
export interface SourceMap {
  readonly version: 3;
  readonly sources: string[];
  readonly sourcesContent: string[];
  readonly names: string[];
  readonly mappings: string;
}

export interface MappedText {
  readonly text: string;
  readonly map: SourceMap;
}

/** A text without the lines of its marks. */
export function withoutMarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(markOfLine))
    .join('\n');
}

/**
 * The text of a module without its marks, and its source map.
 * @param marked of a program of `assembleListed`
 * @param sources the texts of the policies by the names of the program's files
 */
export function mappedText(
  marked: string,
  { statements = [], places, files }: Pick<Program, 'statements' | 'places' | 'files'>,
  sources: ReadonlyMap<string, string>,
): MappedText {
  const names = files.filter((name) => sources.has(name));
  const segments = (origin: number): SourceMapSegment[] => {
    const place = (statements[origin - 1]?.place ?? 0) * 3;
    const [file = -1, row = 0, col = 0] = [places[place], places[place + 1], places[place + 2]];
    const source = names.indexOf(files[file] ?? '');
    return source < 0 ? [] : [[0, source, row - 1, col - 1]];
  };
  const lines: string[] = [];
  const mappings: SourceMapSegment[][] = [];
  let ofFunction = 0;
  let ofLine = 0;
  for (const line of marked.split('\n')) {
    if (line.startsWith(markOfFunction)) {
      ofFunction = Number(line.slice(markOfFunction.length));
      ofLine = 0;
    } else if (line.startsWith(markOfLine)) ofLine = Number(line.slice(markOfLine.length));
    else {
      lines.push(line);
      mappings.push(segments(ofLine === 0 ? ofFunction : ofLine));
    }
  }
  const sourcesContent = names.map((name) => sources.get(name) ?? '');
  return {
    text: lines.join('\n'),
    map: { version: 3, sources: [...names], sourcesContent, names: [], mappings: encode(mappings) },
  };
}
