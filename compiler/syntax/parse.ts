/** The parser's door: texts in, trees out, or `CompileErrors`. */

import type { TokenType } from 'chevrotain';
import type { Body, Comment, Import, Module, Package, RefTerm, RegoVersion, Rule, Term } from '../ast/nodes.js';
import { type Diagnostic, Diagnostics, diagnose } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { attachAnnotations, readAnnotations } from './annotations.js';
import { Grammar, ParseFailure, type Statement } from './grammar.js';
import { type Keywords, keywordsOf, keywordsOfImport } from './imports.js';
import { lex } from './lexer.js';
import { checkVersionOne } from './version-one.js';

/** What of OPA's capabilities the parser looks at. */
export interface SyntaxCapabilities {
  readonly future_keywords?: readonly string[];
  readonly features?: readonly string[];
}

export interface ParseOptions {
  /** How to read a module that does not say so itself. Default: `v1`. */
  readonly regoVersion?: 'v0' | 'v1';
  /** Default: everything that this release knows. */
  readonly capabilities?: SyntaxCapabilities;
  /** Read `# METADATA` comments. Default: true. */
  readonly processAnnotations?: boolean;
  /** Keywords to know without an import, such as `in` for a version 0 query. */
  readonly futureKeywords?: readonly string[];
  /** Know all future keywords without an import. */
  readonly allFutureKeywords?: boolean;
  /** How many errors to report; 0 is all. Default: 10. */
  readonly errorLimit?: number;
}

interface Parsed<T> {
  readonly source: Source;
  readonly result: T;
  readonly comments: readonly Comment[];
  readonly problems: Diagnostic[];
  readonly keywords: Keywords;
}

let shared: Grammar | undefined;
/** A parse inside a parse (annotations hold refs) gets a parser of its own. */
let busy = false;

function run<T>(file: string, text: string, options: ParseOptions, rule: (grammar: Grammar) => T): Parsed<T> {
  const source = new Source(file, text);
  const keywords = keywordsOf(options);
  if ('code' in keywords) throw compileErrors([keywords]);
  const { tokens, comments, error } = lex(source, keywords.initial);
  const grammar = busy ? new Grammar() : (shared ??= new Grammar());
  const wasBusy = busy;
  busy = true;
  try {
    grammar.start({
      source,
      tokens,
      lexicalError: error,
      templates: keywords.templates,
      imported: (statement) => activate(statement, keywords, grammar),
    });
    setKeywords(grammar, keywords.initial, keywords.notBodies);
    const result = rule(grammar);
    return { source, result, comments, problems: grammar.problems, keywords };
  } catch (failure) {
    if (failure instanceof ParseFailure) throw compileErrors([...grammar.problems, failure.diagnostic]);
    // Brackets are bounded; this is for a caller that has little stack left.
    if (failure instanceof RangeError) throw compileErrors([diagnose('nestedTooDeeply', new Span(source, 0, 0), {})]);
    throw failure;
  } finally {
    busy = wasBusy;
    // The parser lives on, the text need not.
    if (!busy) grammar.start(nothing);
  }
}

const nothing = { source: new Source('', ''), tokens: [], lexicalError: undefined, templates: true, imported: () => {} };

function setKeywords(grammar: Grammar, active: ReadonlyMap<string, TokenType>, notBodies: boolean): void {
  grammar.logicalKeywords = active.has('and') || active.has('or');
  grammar.notBodies = notBodies;
}

/** Looks at an import: it may be a wrong one, or make words keywords. */
function activate(statement: Import, keywords: Keywords, grammar: Grammar): void {
  const words = keywordsOfImport(statement, keywords, grammar);
  if (words.size === 0) return;
  if (words.has('not')) grammar.notBodies = true;
  if (words.has('and') || words.has('or')) grammar.logicalKeywords = true;
  grammar.activate(words);
}

/**
 * A module. Throws `CompileErrors` if it is none.
 *
 * @example parseModule('policy.rego', 'package p\n\nallow if input.admin')
 */
export function parseModule(file: string, text: string, options: ParseOptions = {}): Module {
  const { source, result, comments, problems } = run(file, text, options, (grammar) => grammar.module());
  const annotated = options.processAnnotations === false ? { blocks: [], problems: [] } : readAnnotations(comments);
  reject([...problems, ...annotated.problems], options);
  const [first, ...rest] = result;
  if (first === undefined) {
    const at = { code: 'rego_parse_error' as const, message: 'empty module', location: { file, row: 0, col: 0 }, details: undefined };
    throw compileErrors([at]);
  }
  return moduleOf(source, first, rest, comments, annotated.blocks, options);
}

function moduleOf(
  source: Source,
  first: Statement,
  rest: readonly Statement[],
  comments: readonly Comment[],
  blocks: Parameters<typeof attachAnnotations>[2],
  options: ParseOptions,
): Module {
  const problems: Diagnostic[] = [];
  if (first.type !== 'package') problems.push(diagnose('packageExpected', first.loc, {}));
  for (const statement of rest) if (statement.type === 'package') problems.push(diagnose('unexpectedPackage', statement.loc, {}));
  const imports = rest.filter((statement) => statement.type === 'import');
  const rules = rest.filter((statement) => statement.type === 'rule');
  const regoVersion = versionOf(imports, options);
  if (regoVersion !== 'v0') problems.push(...rules.flatMap(checkVersionOne));
  reject(problems, options);
  const attached = attachAnnotations(first as Package, [first, ...rest], blocks);
  reject(attached.problems, options);
  return {
    type: 'module',
    source,
    regoVersion,
    package: first as Package,
    imports,
    rules: attached.rules as Rule[],
    comments,
    annotations: attached.annotations,
  };
}

function versionOf(imports: readonly Import[], options: ParseOptions): RegoVersion {
  if (options.regoVersion !== 'v0') return 'v1';
  return imports.some(({ path: { terms } }) => terms.length === 2 && isName(terms[0]!, 'rego') && isName(terms[1]!, 'v1')) ? 'v0v1' : 'v0';
}

function isName(term: Term, name: string): boolean {
  return (term.type === 'var' && term.name === name) || (term.type === 'string' && term.value === name);
}

function reject(problems: readonly Diagnostic[], options: ParseOptions): void {
  if (problems.length === 0) return;
  const diagnostics = new Diagnostics(options.errorLimit);
  for (const problem of problems) diagnostics.add(problem);
  throw compileErrors(diagnostics.list);
}

/**
 * A query: expressions separated by semicolons or line breaks. An empty text is an empty body.
 *
 * @example parseQuery('x := input.a; x > 1')
 */
export function parseQuery(text: string, options: ParseOptions = {}, file = ''): Body {
  const { result, problems } = run(file, text, options, (grammar) => grammar.query());
  reject(problems, options);
  return result;
}

/** A query of at least one expression. */
export const parseBody = parseQuery;

/** One term, such as `{"a": 1}` or `input.user`; with `file`, its location says so. */
export function parseTerm(text: string, options: ParseOptions = {}, file = ''): Term {
  const [expr, second] = parseQuery(text, options, file);
  if (expr === undefined || second !== undefined) throw compileErrors([noTerm('expected exactly one term')]);
  if (expr.kind === 'term' && expr.with.length === 0 && !expr.negated) return expr.term;
  if (expr.kind === 'call' && expr.with.length === 0 && !expr.negated)
    return { type: 'call', loc: expr.loc, operator: expr.operator, args: expr.args };
  throw compileErrors([noTerm('expected term but got expression')]);
}

/** One ref, such as `data.a.b`. */
export function parseRef(text: string, options: ParseOptions = {}, file = ''): RefTerm {
  const term = parseTerm(text, options, file);
  if (term.type !== 'ref') throw compileErrors([noTerm(`expected ref but got ${term.type}`)]);
  return term;
}

function noTerm(message: string): Diagnostic {
  return { code: 'rego_parse_error', message, location: undefined, details: undefined };
}
