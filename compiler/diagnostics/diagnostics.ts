/**
 * Collects the complaints about a text. Stages report into it; their caller throws or shows them.
 */

import { type Location, locationOf, type Span } from '../source/location.js';
import { type Complaint, type ComplaintCode, type ComplaintName, complaints, type Holes } from './complaints.js';
import type { WarningHoles, WarningName } from './warning-table.js';
import { Warnings } from './warnings.js';

/** The line that a parse error points into: `idx` is the byte in it. */
export interface ParseDetails {
  readonly line: string;
  readonly idx: number;
}

/**
 * One complaint, located. `render` shows `details` below the message: a parse error's line, a type
 * error's expectations.
 */
export interface Diagnostic {
  /** The row of the table of complaints; absent from complaints that have none. */
  readonly name?: ComplaintName;
  /** Whether later stages run all the same. */
  readonly isRecoverable?: boolean;
  readonly code: ComplaintCode;
  readonly message: string;
  readonly location: Location | undefined;
  readonly details: unknown;
  /** The text at fault, for the line of source that a terminal shows. */
  readonly span?: Span;
  /** The part of the text that a terminal marks, where it is not all of `span`. */
  readonly mark?: Span;
  /** The values in the message's sentence. */
  readonly holes?: unknown;
}

/** Suggestions that a terminal shows below an error. */
export interface Hint {
  readonly text?: string;
  /** The name that stands in the text, to be written in the place of the marked one. */
  readonly meant?: string;
  /** Errors of one cause are shown once. */
  readonly cause?: string;
  /** The error follows from another one of the same file. */
  readonly isConsequence?: boolean;
}

/** A text was rejected; `diagnostics` says why, in order, at least one. */
export class CompileErrors extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Finds the hint for a diagnostic, where the policies are known that it is about. */
  readonly hint: ((diagnostic: Diagnostic) => Hint) | undefined;

  constructor(diagnostics: readonly Diagnostic[], message: string, hint?: (diagnostic: Diagnostic) => Hint) {
    super(message);
    this.name = 'CompileErrors';
    this.diagnostics = diagnostics;
    this.hint = hint;
    // An error that is printed by itself shows its message: its members would show how the compiler
    // works.
    for (const name of ['diagnostics', 'hint']) Object.defineProperty(this, name, { enumerable: false });
  }

  /** The code of the first diagnostic, such as `rego_parse_error`. */
  get code(): string {
    return this.diagnostics[0]?.code ?? 'rego_compile_error';
  }
}

/** As many errors as the reference shows by default. */
const defaultErrorLimit = 10;

/**
 * A collector. After `limit` complaints it adds `error limit reached` and ignores the rest; a limit
 * of 0 or less is none.
 *
 * @example diagnostics.report('defaultValue', rule.loc, { kind: 'ref' });
 */
export class Diagnostics {
  readonly limit: number;
  /** Beside the complaints; they end no stage and count for no limit. */
  readonly warnings = new Warnings();
  readonly #list: Diagnostic[] = [];

  constructor(limit: number = defaultErrorLimit) {
    this.limit = limit;
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  get hasErrors(): boolean {
    return this.#list.length > 0;
  }

  /** Whether the stages end here: at an error that is not recoverable, or at the limit. */
  get endsStages(): boolean {
    return this.full || this.#list.some(({ isRecoverable }) => !isRecoverable);
  }

  /** Whether the limit is reached: a stage may stop looking. */
  get full(): boolean {
    return this.limit > 0 && this.#list.length > this.limit;
  }

  report<Name extends ComplaintName>(name: Name, span: Span | undefined, at: Holes<Name>, details?: unknown): void {
    this.add(diagnose(name, span, at, details));
  }

  /** Reports a construct that is valid, and most often not meant. */
  warn<Name extends WarningName>(name: Name, span: Span, at: WarningHoles<Name>): void {
    this.warnings.report(name, span, at);
  }

  add(diagnostic: Diagnostic): void {
    if (this.full) return;
    if (this.limit > 0 && this.#list.length === this.limit) {
      this.#list.push({
        code: complaints.errorLimit.code,
        message: complaints.errorLimit.sentence({}),
        location: undefined,
        details: undefined,
      });
    } else this.#list.push(diagnostic);
  }
}

/** A complaint with its sentence made. */
export function diagnose<Name extends ComplaintName>(
  name: Name,
  span: Span | undefined,
  at: Holes<Name>,
  details?: unknown,
): Diagnostic {
  // The table's rows have holes of different types; `Holes` has checked this one.
  const { code, sentence, isRecoverable } = complaints[name] as unknown as Complaint<Holes<Name>>;
  return {
    name,
    ...(isRecoverable && { isRecoverable }),
    code,
    message: sentence(at),
    location: span && locationOf(span),
    details,
    ...(span && { span, holes: at }),
  };
}
