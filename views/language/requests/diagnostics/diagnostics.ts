/** Errors of all stages of the compiler, its warnings, and findings of the linter. */

import type { Diagnostic, DiagnosticRelatedInformation } from 'vscode-languageserver-types';
import { type Diagnostic as CompileDiagnostic, hintsOf, markedSpan, type Source } from '../../../../compiler/index.js';
import { documentationOf } from '../../../lint/frame/documentation.js';
import type { Finding } from '../../../lint/frame/finding.js';
import type { PolicyFile } from '../../workspace/policy-file.js';
import { offsetBehind, offsetOfColumn, rangeBetween } from '../../workspace/positions.js';
import type { Workspace } from '../../workspace/workspace.js';
import type { RequestContext } from '../request.js';

const severities = { error: 1, warning: 2, information: 3 } as const;

/** Tags of diagnostics: an editor shows the text pale, or struck out. */
const tags = { unnecessary: 1, deprecated: 2 } as const;

/** The errors in a policy, and what the linter found in it so far. */
export function diagnosticsOf(policy: PolicyFile, context: Pick<RequestContext, 'workspace' | 'lint'>): Diagnostic[] {
  const { workspace, lint } = context;
  const errors = errorsOf(policy, workspace);
  const hint = errors.length > 0 ? hintsOf(workspace.compiled) : undefined;
  return [
    ...errors.map((error) => shownError(error, hint?.(error).text, policy, workspace)),
    ...lint.findingsOf(policy).map((finding) => shownFinding(finding, policy)),
  ];
}

/** The errors of a policy: of its syntax, and of the compiler where the syntax is right. */
export function errorsOf(policy: PolicyFile, workspace: Workspace): readonly CompileDiagnostic[] {
  const { problems, broken } = policy.parsed;
  const found = workspace
    .compileErrorsOf(policy)
    .filter(({ span }) => !broken.some(({ start, end }) => span && span.start >= start && span.start < end));
  return [...problems, ...found];
}

/** The offsets that an error is shown at. */
export function placeOfError(error: CompileDiagnostic): { start: number; end: number } {
  const { start, end } = markedSpan(error) ?? { start: 0, end: 0 };
  return { start, end };
}

function shownError(
  error: CompileDiagnostic,
  hint: string | undefined,
  { source }: PolicyFile,
  workspace: Workspace,
): Diagnostic {
  const { start, end } = placeOfError(error);
  const related = relatedTo(error, workspace);
  return {
    range: rangeBetween(source, start, end),
    severity: severities.error,
    code: error.code,
    source: 'writ',
    message: hint === undefined ? error.message : `${error.message}\n${hint}`,
    ...(error.name === 'deprecatedBuiltin' && { tags: [tags.deprecated] }),
    ...(related.length > 0 && { relatedInformation: related }),
  };
}

/** The other rules that an error names. */
function relatedTo({ holes }: CompileDiagnostic, workspace: Workspace): DiagnosticRelatedInformation[] {
  const { others = [], at } = (holes ?? {}) as {
    readonly others?: readonly { readonly rule?: unknown; readonly at?: unknown }[];
    readonly at?: unknown;
  };
  const named = [
    ...(Array.isArray(others) ? others : []),
    ...(typeof at === 'string' ? [{ rule: undefined, at }] : []),
  ];
  return named.flatMap(({ rule, at: place }) => {
    const [, file, row] = /^(.*):(\d+)$/.exec(String(place)) ?? [];
    const policy = file === undefined ? undefined : workspace.policyNamed(file);
    if (policy === undefined) return [];
    const start = policy.source.lineStarts[Number(row) - 1] ?? 0;
    const range = rangeBetween(policy.source, start, start + policy.source.line(Number(row)).length);
    const message = rule === undefined ? 'the other one is here' : `${String(rule)} is here`;
    return [{ location: { uri: workspace.editorUri(policy.uri), range }, message }];
  });
}

/** The offsets of a finding, whose end is told in bytes. */
export function placeOfFinding({ row, col, end }: Finding, source: Source): { start: number; end: number } {
  if (row === 0) return { start: 0, end: source.line(1).length };
  const start = offsetOfColumn(source, row, col);
  if (end === undefined) return { start, end: start + source.line(row).length };
  const isOneRow = end.row === row;
  const from = isOneRow ? start : offsetOfColumn(source, end.row, 1);
  return { start, end: offsetBehind(source, from, end.col - (isOneRow ? col : 1)) };
}

function shownFinding(finding: Finding, { source }: PolicyFile): Diagnostic {
  const { start, end } = placeOfFinding(finding, source);
  const page = documentationOf(finding);
  const isUnused = /^unused-/.test(finding.rule);
  return {
    range: rangeBetween(source, start, end),
    severity: finding.level === 'error' || finding.category === 'writ' ? severities.warning : severities.information,
    code: finding.rule,
    source: finding.category === 'writ' ? 'writ' : `regal/${finding.category}`,
    message: finding.description,
    ...(page.startsWith('http') && { codeDescription: { href: page } }),
    ...(isUnused && { tags: [tags.unnecessary] }),
  };
}
