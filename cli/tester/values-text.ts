/** Prints an expression with the values of its variables, each below its position. */
import { type Expr, forEachChild, type Node, type Span, type Term } from '../../compiler/index.js';
import type { Trace } from '../../engine/index.js';
import { objectGet, termText } from '../../values/index.js';
import type { Probe, ProbeTable } from '../coverage/probe-table.js';

/** The event of the failure, if the test was traced. */
type Failed = ReturnType<Trace['failed']>;

interface Shown {
  readonly title: string;
  /** Undefined if the expression has no value at this probe. */
  readonly value: string | undefined;
  readonly row: number;
  readonly col: number;
}

const widest = 100;

/** The text of an expression that failed at a probe, with the values of its variables below. */
export function expressionText(span: Span, table: ProbeTable, probe: Probe, event: Failed): string {
  const line = span.source.line(span.row);
  const text = writtenText(span);
  const shown = [...valuesOf(span, table, probe, event).values()];
  if (shown.length === 0) return text;
  if (line.includes('\t') && new Set(shown.map(({ row }) => row)).size > 1) {
    const rows = shown
      .sort((a, b) => (a.title < b.title ? -1 : 1))
      .map(({ title, value }) => `${title}: ${cut(value)}`);
    return `${text}\n\nWhere:\n\n${rows.join('\n')}`;
  }
  const byColumn = shown.sort((a, b) => a.col - b.col || b.row - a.row || (a.title < b.title ? -1 : 1));
  const lines = [arrows(byColumn, -1, line)];
  for (let i = byColumn.length - 1; i >= 0; i--) lines.push(arrows(byColumn, i, line));
  return [text, ...lines].join('\n');
}

/** An expression as it is written, with the indentation of its row. */
export function writtenText(span: Span): string {
  return padding(span.source.line(span.row), span.col) + span.text;
}

/** The indentation before a column. */
function padding(line: string, col: number): string {
  return [...line]
    .slice(0, col - 1)
    .map((c) => (c === '\t' ? c : ' '))
    .join('');
}

/**
 * The variables of the failed expression, and of the expressions that the compiler generated from
 * the same text, by title.
 */
function valuesOf(span: Span, table: ProbeTable, probe: Probe, event: Failed): Map<string, Shown> {
  const found = new Map<string, Shown>();
  const values = table.values.get(probe);
  const { expr: failed } = probe;
  if (values === undefined || failed === undefined) return found;
  const add = (expr: Expr, unknownIsUndefined: boolean) => {
    for (const term of variablesOf(expr)) {
      if (term.name.startsWith('$') || term.loc.source !== span.source) continue;
      const known = objectGet(values, term.name);
      const value = known === undefined ? undefined : termText(known);
      if (value === undefined && !unknownIsUndefined) continue;
      const title = term.loc.text;
      if (found.get(title)?.value === undefined)
        found.set(title, { title, value, row: term.loc.row, col: term.loc.col });
    }
  };
  if (failed.kind === 'term' && failed.term.type === 'ref' && !failed.negated) {
    const { loc } = failed.term;
    found.set(loc.text, {
      title: loc.text,
      value: event?.value === false ? 'false' : undefined,
      row: loc.row,
      col: loc.col,
    });
  }
  add(failed, !failed.negated);
  for (const { ref, value } of event?.remembered ?? []) {
    const { text: title, row, col } = ref.loc;
    if (failed.kind === 'call') found.set(title, { title, value: termText(value), row, col });
  }
  for (const { expr, loc } of table.all) {
    const isOfSameText =
      expr !== undefined && loc.source === span.source && loc.start >= span.start && loc.end <= span.end;
    if (isOfSameText) add(expr, false);
  }
  return found;
}

type Variable = Term & { readonly type: 'var' };

/**
 * The variables of an expression, without names of functions, targets of `with` and the bodies of
 * comprehensions.
 */
function variablesOf(expr: Expr): Variable[] {
  const found: Variable[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'var') found.push(node);
    else if (node.type === 'with') visit(node.value);
    else if (node.type === 'expr' && node.kind === 'call') for (const part of [...node.args, ...node.with]) visit(part);
    else if (node.type === 'ref') {
      // The head of a ref is a document or a variable.
      for (const [i, term] of node.terms.entries())
        if (i > 0 || term.type !== 'var' || (term.name !== 'data' && term.name !== 'input')) visit(term);
    } else if (!node.type.endsWith('comprehension')) forEachChild(node, visit);
  };
  visit(expr);
  return found;
}

/** A line of arrows; with `at`, a line that ends in a value. */
function arrows(all: readonly Shown[], at: number, line: string): string {
  const shown = at < 0 ? all : all.slice(0, at + 1);
  let text = '';
  let before = 0;
  shown.forEach(({ col, title, value }, i) => {
    const isLast = i === shown.length - 1;
    if (!isLast && all[i + 1]?.col === col) return;
    text += padding([...line].slice(before).join(''), col - before);
    before = col;
    if (!isLast || at < 0) text += '|';
    else text += all[i - 1]?.col === col || all[i + 1]?.col === col ? `${title}: ${cut(value)}` : cut(value);
  });
  return text;
}

function cut(value: string | undefined): string {
  const text = value ?? 'undefined';
  return text.length > widest ? `${text.slice(0, widest - 3)}...` : text;
}
