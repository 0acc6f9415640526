/** One run of the grammar over a text. */

import type { TokenType } from 'chevrotain';
import type { Comment, Import } from '../ast/nodes.js';
import { type Diagnostic, Diagnostics, diagnose } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { maxProblems, ParseFailure } from './cursor.js';
import { Grammar } from './grammar.js';
import { type Keywords, keywordsOf, keywordsOfImport } from './imports.js';
import { lex } from './lexer.js';
import type { ParseOptions } from './options.js';

export interface Parsed<T> {
  readonly source: Source;
  readonly result: T;
  readonly comments: readonly Comment[];
  readonly problems: Diagnostic[];
}

let shared: Grammar | undefined;
/** A parse inside a parse (annotations hold refs) gets a parser of its own. */
let busy = false;

/** Reads a text with one of the grammar's rules; throws `CompileErrors` where it cannot. */
export function run<T>(file: string, text: string, options: ParseOptions, rule: (grammar: Grammar) => T): Parsed<T> {
  const source = new Source(file, text);
  rejectBytes(source);
  const keywords = keywordsOf(options);
  if ('code' in keywords) throw compileErrors([keywords]);
  const { tokens, comments, error } = lex(source, keywords.initial);
  const active = new Set(keywords.initial.keys());
  const grammar = busy ? new Grammar() : (shared ??= new Grammar());
  const wasBusy = busy;
  busy = true;
  try {
    grammar.start({
      source,
      tokens,
      lexicalError: error,
      templates: keywords.templates,
      imported: (statement) => activate(statement, keywords, active, grammar),
    });
    setKeywords(grammar, keywords.initial, keywords.notBodies);
    const result = rule(grammar);
    return { source, result, comments, problems: complaintsOf(grammar) };
  } catch (failure) {
    if (failure instanceof ParseFailure) throw compileErrors([...complaintsOf(grammar), failure.diagnostic()]);
    // Brackets are bounded; this is for a caller that has little stack left.
    if (failure instanceof RangeError) throw compileErrors([diagnose('nestedTooDeeply', new Span(source, 0, 0), {})]);
    throw failure;
  } finally {
    busy = wasBusy;
    // The parser lives on, the text need not.
    if (!busy) grammar.start(nothing);
  }
}

/** A lone surrogate stands for a byte that was no UTF-8, or for no character at all. Throws CompileErrors. */
function rejectBytes(source: Source): void {
  const { text } = source;
  if (text.isWellFormed()) return;
  const at = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text)!.index;
  throw compileErrors([diagnose('illegalToken', new Span(source, at, at + 1), { reason: 'illegal utf-8 character' })]);
}

function complaintsOf(grammar: Grammar): Diagnostic[] {
  return grammar.problems.slice(0, maxProblems).map((make) => make());
}

const nothing = { source: new Source('', ''), tokens: [], lexicalError: undefined, templates: true, imported: () => {} };

function setKeywords(grammar: Grammar, active: ReadonlyMap<string, TokenType>, notBodies: boolean): void {
  grammar.logicalKeywords = active.has('and') || active.has('or');
  grammar.notBodies = notBodies;
}

/** Looks at an import: it may be a wrong one, or make words keywords; each word once, since that looks at the rest of the text. */
function activate(statement: Import, keywords: Keywords, active: Set<string>, grammar: Grammar): void {
  const words = new Map([...keywordsOfImport(statement, keywords, grammar)].filter(([word]) => !active.has(word)));
  if (words.size === 0) return;
  for (const word of words.keys()) active.add(word);
  if (words.has('not')) grammar.notBodies = true;
  if (words.has('and') || words.has('or')) grammar.logicalKeywords = true;
  grammar.activate(words);
}

/** Throws what there is to complain of. */
export function reject(problems: readonly Diagnostic[], options: ParseOptions): void {
  if (problems.length === 0) return;
  const diagnostics = new Diagnostics(options.errorLimit);
  for (const problem of problems) diagnostics.add(problem);
  throw compileErrors(diagnostics.list);
}
