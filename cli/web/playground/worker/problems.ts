/** Errors and warnings of the compiler as the page shows them. */
import type { Body, Compiled, Diagnostic, Span } from '../../../../compiler/index.js';
import { CompileErrors, expectations, findQueryWarnings, markedSpan } from '../../../../compiler/index.js';
import type { PlainObject } from '../../../../values/index.js';
import type { ProjectProblem } from './protocol.js';

/** The problems of an error; another error than the compiler's is thrown again. */
export function projectProblems(error: unknown): readonly ProjectProblem[] {
  if (!(error instanceof CompileErrors)) throw error;
  const problems = error.diagnostics.map((diagnostic) => problemOf(diagnostic, error.hint?.(diagnostic).text));
  return problems.length > 0 ? problems : [{ ...nowhere, code: error.code, message: error.message }];
}

/** The warnings about the policies, and about a query over them. */
export function warningsOf(
  { compiled, data: documents }: { readonly compiled: Compiled; readonly data: PlainObject },
  query: Body,
): readonly ProjectProblem[] {
  return findQueryWarnings(query, compiled, { documents }, 'all').map(
    ({ location, span, mark, code, message, hint }) => ({
      ...location,
      ...endOf(mark ?? span),
      code,
      message,
      ...(hint !== undefined && { hint }),
    }),
  );
}

function problemOf(diagnostic: Diagnostic, hint: string | undefined): ProjectProblem {
  const { location, code, message } = diagnostic;
  return {
    ...(location ?? nowhere),
    ...endOf(markedSpan(diagnostic)),
    code,
    message: [message, ...expectations(diagnostic)].join('\n'),
    ...(hint !== undefined && { hint }),
  };
}

function endOf(span: Span | undefined): Pick<ProjectProblem, 'end'> {
  if (span === undefined || span.start === span.end) return {};
  const { row, col } = span.endPosition;
  return { end: { row, col } };
}

const nowhere = { file: '', row: 1, col: 1 };
