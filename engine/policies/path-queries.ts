/** Queries for documents by path. */

import type { Compiled, CompiledQuery, RefTerm, Term } from '../../compiler/index.js';
import {
  callExpr,
  compileErrors,
  compileQuery,
  nowhere,
  numberTerm,
  operatorRef,
  parseQuery,
  printTerm,
  refTerm,
  stringTerm,
  varTerm,
} from '../../compiler/index.js';
import type { Metrics } from '../evaluation/metrics.js';
import type { Language } from './language.js';

/** `result = data.a.b.c`: plans of it look up the keys of a rule, and need not find all of them. */
export function partQuery(path: readonly string[]): CompiledQuery {
  const body = [callExpr(nowhere, operatorRef(nowhere, 'eq'), [varTerm(nowhere, 'result'), refTo(path)])];
  return { body, names: new Map(), types: undefined, diagnostics: [] };
}

/** The variable of `tracedPathQuery`. */
export const pathVariable = '$term1';

/** `data.a.b.c = $term1`: the query that a trace shows for a path. */
export function tracedPathQuery(path: readonly string[]): CompiledQuery {
  const body = [callExpr(nowhere, operatorRef(nowhere, 'eq'), [refTo(path), varTerm(nowhere, pathVariable)])];
  return { body, names: new Map(), types: undefined, diagnostics: [] };
}

/** The errors of asking for a path as a document: a function is there. */
export function pathErrors(compiled: Compiled, path: readonly string[], language: Language): Error {
  const query = parseQuery(printTerm(refTo(path)), { regoVersion: language });
  return compileErrors(compileQuery(compiled, query, { options: compiled.options }).diagnostics);
}

/**
 * Times the stages of the compiler for the query of a path. Its program is planned without a query:
 * this one is compiled for its timers alone.
 */
export function timeStages(compiled: Compiled, path: readonly string[], metrics: Metrics): void {
  const { body } = tracedPathQuery(path);
  const onTimer = (name: string, nanoseconds: number) => metrics.add(name, nanoseconds);
  compileQuery(compiled, body, { options: { ...compiled.options, onTimer } });
}

function refTo(path: readonly string[]): RefTerm {
  const terms = path.map(
    (segment): Term =>
      isInteger(segment) ? numberTerm(nowhere, String(Number(segment))) : stringTerm(nowhere, segment),
  );
  return refTerm(nowhere, [varTerm(nowhere, 'data'), ...terms]);
}

/** The segments before the first that is a whole number, which may be that number or a text. */
export function leadingNames(path: readonly string[]): readonly string[] {
  const end = path.findIndex(isInteger);
  return end < 0 ? path : path.slice(0, end);
}

/** A segment that is a whole number stands for that number. */
function isInteger(segment: string): boolean {
  return /^[+-]?\d{1,15}$/.test(segment);
}
