/**
 * Modules of texts with syntax errors: what cannot be read is replaced by spaces, so that the rest
 * of the text keeps its offsets.
 */

import type { Module, ParseOptions } from '../../../compiler/index.js';
import { CompileErrors, type Diagnostic, parseModule, Source } from '../../../compiler/index.js';
import { blank, blanked, commentAround, type Stretch, statementsOf } from './statements.js';

export interface TolerantModule {
  /** The text as the editor has it. */
  readonly source: Source;
  /**
   * The part of the text that can be read; undefined where there is no package. Its nodes have a
   * source of their own, with the same offsets.
   */
  readonly module: Module | undefined;
  /** The errors of all statements. */
  readonly problems: readonly Diagnostic[];
  /** The statements with errors: what else is found in them may follow from these. */
  readonly broken: readonly Stretch[];
}

/** The most statements with errors that are left out one by one. */
const maxRounds = 50;

/** Lines around an error that are left out, before the whole statement is. */
const linesLeftOut = 3;

/** Reads as much of a text as there is to read. Does not throw for any text. */
export function parseTolerantly(file: string, text: string, options: ParseOptions): TolerantModule {
  const source = new Source(file, text);
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  const { module, problems } = attempt(file, wellFormed, options);
  if (module !== undefined || !/^package\b/m.test(wellFormed)) return { source, module, problems, broken: [] };
  return new Recovery(source, wellFormed, options).run(problems);
}

interface Attempt {
  readonly module: Module | undefined;
  readonly problems: readonly Diagnostic[];
}

function attempt(file: string, text: string, options: ParseOptions): Attempt {
  try {
    return { module: parseModule(file, text, { ...options, errorLimit: 0 }), problems: [] };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return { module: undefined, problems: error.diagnostics };
  }
}

class Recovery {
  readonly #source: Source;
  readonly #options: ParseOptions;
  readonly #statements: readonly Stretch[];
  readonly #problems: Diagnostic[] = [];
  readonly #broken: Stretch[] = [];
  /** The text without what could not be read so far. */
  #text: string;

  constructor(source: Source, text: string, options: ParseOptions) {
    this.#source = source;
    this.#text = text;
    this.#options = options;
    this.#statements = statementsOf(text);
  }

  run(first: readonly Diagnostic[]): TolerantModule {
    const { file } = this.#source;
    let problems = first;
    let module: Module | undefined;
    for (let round = 0; module === undefined && round < maxRounds; round++) {
      if (!this.#leaveOut(problems)) break;
      ({ module, problems } = attempt(file, this.#text, this.#options));
    }
    if (module === undefined && problems.length > 0) this.#add(problems);
    return { source: this.#source, module, problems: this.#inOrder(), broken: this.#broken };
  }

  /** Leaves out the statements of errors; false where nothing is left to leave out. */
  #leaveOut(problems: readonly Diagnostic[]): boolean {
    const before = this.#text;
    const statements = new Set<Stretch>();
    for (const problem of problems) {
      const offset = problem.span?.start;
      if (offset === undefined) continue;
      const comment = commentAround(this.#text, offset);
      if (comment !== undefined) {
        this.#add([problem]);
        this.#text = blanked(this.#text, comment);
        continue;
      }
      const statement = this.#culprit(offset);
      if (statement !== undefined) statements.add(statement);
    }
    for (const statement of statements) this.#mend(statement, problems);
    return this.#text !== before;
  }

  /**
   * The faulty statement: the last one up to the error that cannot be read alone, or the one with
   * the error.
   */
  #culprit(offset: number): Stretch | undefined {
    const at = this.#statements.findLastIndex(({ start }) => start <= offset);
    if (at < 0) return undefined;
    for (let i = at; i >= 0; i--) {
      const statement = this.#statements[i]!;
      if (this.#isBlank(statement)) continue;
      if (this.#alone(statement).module === undefined) return statement;
      if (at - i > maxRounds) break;
    }
    return this.#statements[at];
  }

  #isBlank({ start, end }: Stretch): boolean {
    return this.#text.slice(start, end).trim() === '';
  }

  /** Reads a statement without the others, but with the package and the imports. */
  #alone(statement: Stretch, text = this.#text): Attempt {
    const { file } = this.#source;
    const isPackage = /^package\b/.test(text.slice(statement.start, statement.end));
    let only = '';
    let done = 0;
    for (const { start, end } of this.#statements) {
      const keeps =
        start === statement.start || (!isPackage && /^(?:package|import)\b/.test(text.slice(start, start + 8)));
      if (!keeps || start > statement.start) continue;
      only += blank(text.slice(done, start)) + text.slice(start, end);
      done = end;
    }
    return attempt(file, only, { ...this.#options, processAnnotations: false });
  }

  /** Replaces the part of a statement that cannot be read: lines around the error, or all of it. */
  #mend(statement: Stretch, problems: readonly Diagnostic[]): void {
    const { module, problems: own } = this.#alone(statement);
    const found = module === undefined ? own : problems.filter(({ span }) => span && isIn(span, statement));
    this.#add(found.length > 0 ? found : problems);
    this.#broken.push(statement);
    const offset = found[0]?.span?.start;
    const mended = offset === undefined ? undefined : this.#withoutLines(statement, offset);
    this.#text = mended ?? this.#withoutStatement(statement);
  }

  /** The text without the lines at and before an error of a body, if that can be read. */
  #withoutLines(statement: Stretch, offset: number): string | undefined {
    const { text } = this.#source;
    const firstEnd = text.indexOf('\n', statement.start);
    let start = Math.min(offset, statement.end);
    const next = text.indexOf('\n', start);
    const end = next < 0 ? statement.end : Math.min(next, statement.end);
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    for (let i = 0; i < linesLeftOut; i++) {
      start = text.lastIndexOf('\n', start - 1) + 1;
      // The head stays: without it the statement is another one.
      if (firstEnd < 0 || start <= firstEnd) return undefined;
      // The error may be found at the bracket below the line that it comes from.
      for (const last of lineStart > start ? [end, lineStart - 1] : [end]) {
        const mended = blanked(this.#text, { start, end: last });
        if (this.#alone(statement, mended).module !== undefined) return mended;
      }
      start--;
    }
    return undefined;
  }

  #withoutStatement(statement: Stretch): string {
    const rest = blanked(this.#text, statement);
    const written = this.#text.slice(statement.start, statement.end);
    if (!/^package\b/.test(written) || statement.end - statement.start < unnamed.length) return rest;
    // Rules without a package could not be read: they get one without a name.
    const end = statement.start + unnamed.length;
    return /[\r\n]/.test(rest.slice(statement.start, end))
      ? rest
      : rest.slice(0, statement.start) + unnamed + rest.slice(end);
  }

  #add(problems: readonly Diagnostic[]): void {
    for (const problem of problems) {
      const isKnown = this.#problems.some(
        ({ span, message }) => message === problem.message && span?.start === problem.span?.start,
      );
      if (!isKnown) this.#problems.push(problem);
    }
  }

  #inOrder(): readonly Diagnostic[] {
    return this.#problems.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  }
}

const unnamed = 'package _';

function isIn({ start }: Stretch, statement: Stretch): boolean {
  return start >= statement.start && start <= statement.end;
}
