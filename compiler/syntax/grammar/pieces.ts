/**
 * Terms in many brackets are read in pieces, from the inside out, so that the depth of a text costs
 * no stack.
 */

import type { Term } from '../../ast/nodes.js';
import type { Diagnostic } from '../../diagnostics/diagnostics.js';
import type { Token } from '../tokens.js';
import * as t from '../tokens.js';
import { ParseFailure } from './failure.js';

/** The state of a parser. */
interface Reader {
  readonly position: number;
  problems: (() => readonly Diagnostic[])[];
  recovered: boolean;
  wildcards: number;
  nesting: number;
  moveTo(index: number): void;
}

type Piece = Pick<Reader, 'problems' | 'recovered'> &
  ({ readonly term: Term; readonly end: number } | { readonly failure: ParseFailure });

/** Wildcards of pieces are numbered from here on: no other names are given twice. */
const firstWildcard = 1_000_000_000;

export class Pieces {
  readonly #starts: readonly number[];
  /** The places of starts in their list: of several the last one. */
  readonly #places = new Map<number, number>();
  readonly #read = new Map<number, Piece | 'reading'>();
  #wildcards = firstWildcard;

  /** @param deep the indexes of opening brackets, inner ones first */
  constructor(tokens: readonly Token[], deep: readonly number[]) {
    const openings = openingsOf(tokens);
    this.#starts = deep.map((index) => startOfTerm(tokens, index, openings));
    for (const [place, start] of this.#starts.entries()) this.#places.set(start, place);
  }

  /**
   * The term at the parser's place, if it is a piece. Throws the failure of one without a term.
   * @param read reads a term at the parser's place
   */
  next($: Reader, read: () => Term): Term | undefined {
    const start = $.position;
    const place = this.#places.get(start);
    if (place === undefined || this.#read.get(start) === 'reading') return undefined;
    this.#readTo(start, place, $, read);
    const piece = this.#read.get(start) as Piece;
    $.problems = piece.problems.length === 0 ? $.problems : [...$.problems, ...piece.problems];
    $.recovered ||= piece.recovered;
    if ('failure' in piece) throw piece.failure;
    $.moveTo(piece.end);
    return piece.term;
  }

  /** Reads the pieces inside of the one at a place, and it. */
  #readTo(start: number, place: number, $: Reader, read: () => Term): void {
    let first = place;
    while ((this.#starts[first - 1] ?? -1) >= start) first--;
    for (const inner of this.#starts.slice(first, place + 1))
      if (!this.#read.has(inner)) this.#read.set(inner, this.#piece(inner, $, read));
  }

  #piece(start: number, $: Reader, read: () => Term): Piece {
    const { position, problems, recovered, wildcards, nesting } = $;
    this.#read.set(start, 'reading');
    $.moveTo(start);
    $.problems = [];
    $.recovered = false;
    $.nesting = 0;
    $.wildcards = this.#wildcards;
    try {
      const term = read();
      return { term, end: $.position, problems: $.problems, recovered: $.recovered };
    } catch (failure) {
      if (!(failure instanceof ParseFailure)) throw failure;
      return { failure, problems: $.problems, recovered: $.recovered };
    } finally {
      this.#wildcards = $.wildcards;
      $.moveTo(position);
      $.problems = problems;
      $.recovered = recovered;
      $.nesting = nesting;
      $.wildcards = wildcards;
    }
  }
}

/** Closing token → opening token. */
function openingsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  for (const { close, index } of tokens) if (close >= 0) openings.set(close, index);
  return openings;
}

/** The first token of the term that a bracket belongs to: `a` of `a.b[0](`. */
function startOfTerm(tokens: readonly Token[], opening: number, openings: ReadonlyMap<number, number>): number {
  let at = opening;
  while (isSuffix(tokens, at)) {
    const before = tokens[at - 1]!;
    at =
      before.tokenType === t.Identifier || before.tokenType === t.Contains
        ? startOfName(tokens, at - 1)
        : (openings.get(at - 1) ?? opening);
  }
  return at;
}

/** Whether the bracket or name at an index goes on a term that began before. */
function isSuffix(tokens: readonly Token[], index: number): boolean {
  const { tokenType, spaceBefore } = tokens[index]!;
  const before = tokens[index - 1]?.tokenType;
  if (spaceBefore || before === undefined) return false;
  if (tokenType === t.Dot) return true;
  if (tokenType !== t.LeftBracket && tokenType !== t.LeftParen) return false;
  return (
    before === t.Identifier ||
    before === t.Contains ||
    before === t.RightBracket ||
    before === t.RightParen ||
    before === t.RightBrace
  );
}

/** The start of `.name`, or of a name that begins a term. */
function startOfName(tokens: readonly Token[], index: number): number {
  const dot = index - 1;
  return !tokens[index]!.spaceBefore && tokens[dot]?.tokenType === t.Dot && !tokens[dot].spaceBefore ? dot : index;
}
