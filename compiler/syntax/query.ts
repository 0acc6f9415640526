/** Queries, terms and refs from text. */

import type { Steps } from '../../values/index.js';
import type { Body, RefTerm, Term } from '../ast/nodes.js';
import type { Diagnostic } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import type { ParseOptions } from './parse-options.js';
import { reject, runParser, runQuerySteps } from './parser-run.js';

/**
 * A query: expressions separated by semicolons or line breaks. An empty text is an empty body.
 *
 * @example parseQuery('x := input.a; x > 1')
 */
export function parseQuery(text: string, options: ParseOptions = {}, file = ''): Body {
  const { result, problems } = runParser(file, text, options, (grammar) => grammar.query());
  reject(problems, options);
  return result;
}

/** As `parseQuery`, in steps. */
export function* parseQuerySteps(text: string, options: ParseOptions = {}): Steps<Body> {
  const { result, problems } = yield* runQuerySteps('', text, options);
  reject(problems, options);
  return result;
}

/** One term, such as `{"a": 1}` or `input.user`; with `file`, its location says so. */
export function parseTerm(text: string, options: ParseOptions = {}, file = ''): Term {
  return soleTerm(parseQuery(text, options, file));
}

/** As `parseTerm`, of a query that has been parsed. */
export function soleTerm([expr, second]: Body): Term {
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
