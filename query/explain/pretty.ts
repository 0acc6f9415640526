/** Events as text: a line for each, indented by the depth of its query. */

import { stringTerm, varTerm } from '../../compiler/ast/make.js';
import { isLiteral, isWildcard } from '../../compiler/ast/names.js';
import type { Term } from '../../compiler/ast/nodes.js';
import { printRef } from '../../compiler/ast/print.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import { nowhere } from '../../compiler/source/location.js';
import { allAtOnce, type Steps, visitSteps } from '../../runtime/values/steps.js';
import { termText } from '../../runtime/values/text/term-text.js';
import type { RecordedEvent } from './recorder.js';
import { TraceText } from './text.js';
import type { VariableNames } from './variable-names.js';

/** A line of a trace, in columns. */
interface TraceLine {
  readonly location: string;
  readonly text: string;
  readonly event: RecordedEvent;
}

/** Blanks between the longest location and the events. */
const gap = 5;

/** The trace with its locations in a column of their own; no events make one empty line. */
export function* prettyTrace(events: readonly RecordedEvent[], names: VariableNames): Steps<readonly string[]> {
  const lines = yield* traceLines(events, names);
  if (lines.length === 0) return [''];
  const width = Math.max(...lines.map(({ location }) => location.length)) + gap;
  return lines.map(({ location, text }) => location.padEnd(width) + text);
}

/** The padding of the table's columns. */
const tableGap = 7;

/** The trace of a failed test. With `values`, a third column has the bindings. */
export function traceTable(events: readonly RecordedEvent[], names: VariableNames, values: boolean): readonly string[] {
  const lines = allAtOnce(traceLines(events, names));
  const width = Math.max(...lines.map(({ location }) => location.length)) + tableGap;
  const textWidth = Math.max(...lines.map(({ text }) => text.length)) + tableGap;
  return lines.map(({ location, text, event }) => {
    const cells = values ? text.padEnd(textWidth) + bindingsOf(event, names) : text;
    return `${location.padEnd(width)}${cells}  `;
  });
}

function bindingsOf({ locals, at }: RecordedEvent, names: VariableNames): string {
  const nameOf = names.writtenIn(at.source);
  const shown = locals.names.flatMap((name, i) => (isWildcard(name) ? [] : [[nameOf(name), termText(locals.values[i]!)] as const]));
  shown.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${shown.map(([name, text]) => `${name}: ${text}`).join(', ')}}`;
}

/** Some microseconds. */
const eventsPerStep = 16;

function* traceLines(events: readonly RecordedEvent[], names: VariableNames): Steps<TraceLine[]> {
  const depths = new Map<number, number>();
  const lines: TraceLine[] = [];
  yield* visitSteps(events, eventsPerStep, (event) => {
    const { query, at } = event;
    let depth = depths.get(query.id);
    if (depth === undefined) depths.set(query.id, (depth = (depths.get(query.parent) ?? 0) + 1));
    const isBeginning = event.op === 'enter' || (event.op === 'redo' && event.node?.type !== 'expr');
    const text = `${'| '.repeat(isBeginning ? depth - 1 : depth)}${textOf(event, names)}`;
    lines.push({ location: `${at.file === '' ? 'query' : at.file}:${at.row}`, text, event });
  });
  return lines;
}

function textOf(event: RecordedEvent, names: VariableNames): string {
  const { op, node, message, document } = event;
  const title = op[0]!.toUpperCase() + op.slice(1);
  if (op === 'note') return `${title} ${JSON.stringify(message)}`;
  const subject = op === 'index' ? pathOf(document!) : subjectOf(event, node!, names);
  return message === undefined ? `${title} ${subject}` : `${title} ${subject} ${message}`;
}

function subjectOf(event: RecordedEvent, node: NonNullable<RecordedEvent['node']>, names: VariableNames): string {
  if (node.type === 'rule') return printRef(constantsOf(node.compiled.ref));
  const text = new TraceText(names.writtenIn(event.at.source));
  return node.type === 'expr' ? text.expr(node.expr) : text.body(node.body);
}

/** A ref up to its first variable. */
function constantsOf(ref: readonly Term[]): readonly Term[] {
  const end = ref.findIndex((term, i) => i > 0 && !isLiteral(term));
  return end < 0 ? ref : ref.slice(0, end);
}

function pathOf({ path }: VirtualDocument): string {
  return printRef([varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))]);
}
