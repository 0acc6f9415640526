/** One run of the parser over a text. */

import { allAtOnce, isStackOverflow, type Steps } from '../../values/index.js';
import type { Body, Comment, Import } from '../ast/nodes.js';
import { type Diagnostic, Diagnostics, diagnose } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { statementLength } from './grammar/cursor.js';
import { maxProblems, ParseFailure } from './grammar/failure.js';
import { createParser, isAtEnd, nextStatements } from './grammar/grammar.js';
import type { Parser, Statement } from './grammar/rules.js';
import { type Keywords, keywordsOf, keywordsOfImport } from './imports.js';
import { lexSteps } from './lexer.js';
import type { ParseOptions } from './parse-options.js';
import type { TokenType } from './tokens.js';

export interface Parsed<T> {
  readonly source: Source;
  readonly result: T;
  readonly comments: readonly Comment[];
  readonly problems: Diagnostic[];
  /** Statements that are no rules. */
  readonly ruleProblems: Diagnostic[];
}

/**
 * Parsers that read nothing now: to make one takes longer than to read most texts. A text inside a
 * text (annotations hold refs) gets a parser of its own, and so does one that is read in steps.
 */
const spare: Parser[] = [];

/** Reads a text with one of the parser's rules; throws `CompileErrors` where it cannot. */
export function runParser<T>(
  file: string,
  text: string,
  options: ParseOptions,
  rule: (parser: Parser) => T,
): Parsed<T> {
  const parser = spare.pop() ?? createParser();
  let source: Source | undefined;
  try {
    const started = allAtOnce(start(parser, file, text, options));
    source = started.source;
    return { ...started, result: rule(parser), ...complaintsOf(parser) };
  } catch (failure) {
    throw complaintOf(failure, parser, source);
  } finally {
    // The parser lives on, the text need not.
    parser.start(nothing);
    spare.push(parser);
  }
}

/** The tokens of statements that are read in a step. */
const tokensOfStep = 2000;

/** Shorter texts are read at once. */
const longText = 16 * 1024;

/** Reads a module, in steps. */
export function* runModuleSteps(file: string, text: string, options: ParseOptions): Steps<Parsed<Statement[]>> {
  if (text.length < longText) return runParser(file, text, options, (parser) => parser.module());
  return yield* inSteps(file, text, options, function* (parser) {
    const statements: Statement[] = [];
    do {
      yield;
      for (const statement of nextStatements(parser, tokensOfStep)) statements.push(statement);
    } while (!isAtEnd(parser));
    return statements;
  });
}

/** Reads a query: its tokens in steps, then all of it in one. */
export function* runQuerySteps(file: string, text: string, options: ParseOptions): Steps<Parsed<Body>> {
  if (text.length < longText) return runParser(file, text, options, (parser) => parser.query());
  return yield* inSteps(file, text, options, function* (parser) {
    yield;
    return parser.query();
  });
}

function* inSteps<T>(
  file: string,
  text: string,
  options: ParseOptions,
  read: (parser: Parser) => Steps<T>,
): Steps<Parsed<T>> {
  const parser = spare.pop() ?? createParser();
  let source: Source | undefined;
  try {
    const started = yield* start(parser, file, text, options);
    source = started.source;
    const result = yield* read(parser);
    return { ...started, result, ...complaintsOf(parser) };
  } catch (failure) {
    throw complaintOf(failure, parser, source);
  } finally {
    parser.start(nothing);
    spare.push(parser);
  }
}

/** Makes a parser ready for a text. */
function* start(
  parser: Parser,
  file: string,
  text: string,
  options: ParseOptions,
): Steps<Pick<Parsed<unknown>, 'source' | 'comments'>> {
  const source = new Source(file, text);
  rejectBytes(source);
  const keywords = keywordsOf(options);
  if ('code' in keywords) throw compileErrors([keywords]);
  const { tokens, comments, error, deep } = yield* lexSteps(
    source,
    keywords.initial,
    statementLength(options.maxStatementTokens),
  );
  const active = new Set(keywords.initial.keys());
  parser.start({
    source,
    tokens,
    lexicalError: error,
    deep,
    templates: keywords.templates,
    maxStatementTokens: options.maxStatementTokens ?? Number.POSITIVE_INFINITY,
    imported: (statement) => activate(statement, keywords, active, parser),
  });
  setKeywords(parser, keywords.initial, keywords.notBodies);
  return { source, comments };
}

/** @param source absent where the parser has not begun */
function complaintOf(failure: unknown, parser: Parser, source: Source | undefined): unknown {
  if (failure instanceof ParseFailure)
    return compileErrors([...complaintsOf(parser).problems, ...failure.diagnostics()]);
  // Bodies in bodies are bounded once they are read; and a caller may have little stack left.
  if (isStackOverflow(failure) && source !== undefined)
    return compileErrors([diagnose('nestedTooDeeply', parser.tokenSpan(parser.next), {})]);
  return failure;
}

/**
 * A lone surrogate stands for a byte that was no UTF-8, or for no character at all. Throws
 * CompileErrors.
 */
function rejectBytes(source: Source): void {
  if (source.text.isWellFormed()) return;
  const at = source.text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  throw compileErrors([diagnose('illegalToken', new Span(source, at, at + 1), { reason: 'illegal utf-8 character' })]);
}

function complaintsOf({ problems, ruleProblems }: Parser): Pick<Parsed<unknown>, 'problems' | 'ruleProblems'> {
  const located = (list: Parser['problems']) => list.flatMap((make) => make()).slice(0, maxProblems);
  return { problems: located(problems), ruleProblems: located(ruleProblems) };
}

const nothing = {
  source: new Source('', ''),
  tokens: [],
  lexicalError: undefined,
  deep: [],
  templates: true,
  maxStatementTokens: Number.POSITIVE_INFINITY,
  imported: () => {},
};

function setKeywords(parser: Parser, active: ReadonlyMap<string, TokenType>, notBodies: boolean): void {
  parser.logicalKeywords = active.has('and') || active.has('or');
  parser.ifKeyword = active.has('if');
  parser.notBodies = notBodies;
}

/**
 * Looks at an import: it may be a wrong one, or make words keywords; each word once, since that
 * looks at the rest of the text.
 */
function activate(statement: Import, keywords: Keywords, active: Set<string>, parser: Parser): void {
  const words = new Map([...keywordsOfImport(statement, keywords, parser)].filter(([word]) => !active.has(word)));
  if (words.size === 0) return;
  for (const word of words.keys()) active.add(word);
  if (words.has('not')) parser.notBodies = true;
  if (words.has('and') || words.has('or')) parser.logicalKeywords = true;
  if (words.has('if')) parser.ifKeyword = true;
  parser.activate(words);
}

/** Throws the complaints, if there are any. */
export function reject(problems: readonly Diagnostic[], options: ParseOptions): void {
  if (problems.length === 0) return;
  const diagnostics = new Diagnostics(options.errorLimit ?? 0);
  for (const problem of problems) diagnostics.add(problem);
  throw compileErrors(diagnostics.list);
}
