/** The query of the page, compiled and planned over its policies. */

import type { CompiledQuery } from '../../../../compiler/index.js';
import {
  CompileErrors,
  compileErrors,
  compileQuery,
  dataPath,
  hintsOf,
  parseQuery,
  plan,
} from '../../../../compiler/index.js';
import { captured, type ExplainedQuestion } from '../../../../engine/index.js';
import type { Policy } from '../../../../ir-schema/index.js';
import type { OpenedProject } from './opened-project.js';

/** The name of the plan of the query. */
export const queryName = 'query';

export interface PlannedQuery {
  readonly policy: Policy;
  readonly compiled: CompiledQuery;
  /** The subject of *why*: a document, or the query. */
  readonly question: ExplainedQuestion;
}

/** Throws CompileErrors for a query that does not compile. */
export function plannedQuery({ compiled }: OpenedProject, text: string): PlannedQuery {
  const query = parseQuery(text);
  if (query.length === 0) throw new CompileErrors([], 'the query is empty');
  const { body } = captured(query, { compiled, package: undefined, imports: [] });
  const request = compileQuery(compiled, body);
  if (request.diagnostics.length > 0) throw compileErrors(request.diagnostics, hintsOf(compiled));
  const segments = askedPath(text);
  return {
    policy: plan(compiled, [{ name: queryName, query: request }], { notes: true }),
    compiled: request,
    question:
      segments === undefined
        ? { query: compileQuery(compiled, query), text, written: query.map(({ loc }) => loc) }
        : { path: segments },
  };
}

/** The path of a query for one document below `data`; undefined for other queries. */
export function askedPath(text: string): readonly string[] | undefined {
  const [expr, ...others] = parseQuery(text);
  if (expr?.kind !== 'term' || others.length > 0 || expr.with.length > 0 || expr.negated) return undefined;
  return expr.term.type === 'ref' ? dataPath(expr.term) : undefined;
}
