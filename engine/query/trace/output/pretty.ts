/** Events as text: a line for each, indented by the depth of its query. */

import type { Source, Term, VirtualDocument } from '../../../../compiler/index.js';
import {
  functionName,
  isGeneratedName,
  isLiteral,
  nowhere,
  printRef,
  stringTerm,
  varTerm,
  walk,
} from '../../../../compiler/index.js';
import { allAtOnce, type Steps, termText } from '../../../../values/index.js';
import { endOfTrace, type RecordedEvent } from './recorder.js';
import { TraceText } from './trace-text.js';
import type { VariableNames } from './variable-names.js';

/** A line of a trace, in columns. */
interface TraceLine {
  readonly location: string;
  readonly text: string;
  readonly event: RecordedEvent;
}

/** Blanks between the longest location and the events. */
const gap = 5;

/** The function by which tests report their cases. */
const caseReport = 'internal.test_case';

/** More characters would take too long and too much memory, and are too many to read. */
const maxLength = 128 * 1024 * 1024;

/** The trace with its locations in a column of their own; no events make one empty line. */
export function* prettyTrace(events: readonly RecordedEvent[], names: VariableNames): Steps<readonly string[]> {
  const lines = yield* traceLines(events, names);
  if (lines.length === 0) return [''];
  const width = widthOf(lines, 'location') + gap;
  return lines.map(({ location, text }) => location.padEnd(width) + text);
}

/** The padding of the table's columns. */
const tableGap = 7;

export interface TableOptions {
  /** Whether a third column has the values of what an event names. */
  readonly values: boolean;
  /** Whether generated names are shown as the terms that they stand for. */
  readonly asWritten: boolean;
  /** Whether the refs of rules are shown with their variables. */
  readonly ruleKeys?: boolean | undefined;
}

/** The trace of a failed test. */
export function traceTable(
  events: readonly RecordedEvent[],
  names: VariableNames,
  options: TableOptions,
): readonly string[] {
  const { values, asWritten } = options;
  const lines = allAtOnce(traceLines(events, names, options));
  const width = widthOf(lines, 'location') + tableGap;
  const textWidth = widthOf(lines, 'text') + tableGap;
  const rows: string[] = [];
  let length = 0;
  for (const { location, text, event } of lines) {
    const isFull = length > maxLength;
    const shown = isFull ? noteText(endOfTrace(event, rows.length).message) : text;
    const cells = values && !isFull ? shown.padEnd(textWidth) + valuesOf(event, names, asWritten) : shown;
    const row = `${location.padEnd(width)}${cells}  `;
    rows.push(row);
    length += row.length;
    if (isFull) break;
  }
  return rows;
}

function widthOf(lines: readonly TraceLine[], column: 'location' | 'text'): number {
  return lines.reduce((width, line) => Math.max(width, line[column].length), 0);
}

/** The values of the variables and rules that the event's node names. */
function valuesOf(event: RecordedEvent, names: VariableNames, asWritten: boolean): string {
  const { locals, at, node, remembered = [] } = event;
  const nameOf = names.writtenIn(at.source);
  const named = variablesOf(node);
  const shown = locals.names.flatMap((name, i) => {
    if (!named.has(name)) return [];
    const written = nameOf(name);
    const isUnnamed = written.startsWith('$');
    if (asWritten && (isUnnamed || isGeneratedName(written))) return [];
    return [[isUnnamed ? '_' : written, termText(locals.values[i]!)] as const];
  });
  const documents = new Map(remembered.map(({ ref, value }) => [printRef(ref.terms), termText(value)]));
  shown.push(...documents);
  shown.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${shown.map(([name, text]) => `${name}: ${text}`).join(', ')}}`;
}

const knownVariables = new WeakMap<object, ReadonlySet<string>>();

/** The variables of an expression or a body, or of a rule's head. */
function variablesOf(node: RecordedEvent['node']): ReadonlySet<string> {
  if (node === undefined) return new Set();
  const parts = node.type === 'rule' ? [node.rule.head] : node.type === 'expr' ? [node.expr] : node.body;
  let found = knownVariables.get(parts[0]!);
  if (found === undefined) {
    const names = new Set<string>();
    for (const part of parts) walk(part, (term) => void (term.type === 'var' && names.add(term.name)));
    knownVariables.set(parts[0]!, (found = names));
  }
  return found;
}

/** Some microseconds. */
const eventsPerStep = 16;

function* traceLines(
  events: readonly RecordedEvent[],
  names: VariableNames,
  options: Partial<TableOptions> = {},
): Steps<TraceLine[]> {
  const depths = new Map<number, number>();
  const lines: TraceLine[] = [];
  const texts = new EventTexts(names, options);
  let length = 0;
  let location = '';
  for (const [i, recorded] of events.entries()) {
    if (i % eventsPerStep === 0) yield;
    const isFull = length > maxLength;
    const event = isFull ? endOfTrace(recorded, i) : recorded;
    const { query, at } = event;
    let depth = depths.get(query.id);
    if (depth === undefined) depths.set(query.id, (depth = (depths.get(query.parent) ?? 0) + 1));
    const isBeginning = event.op === 'enter' || (event.op === 'redo' && event.node?.type !== 'expr');
    const text = `${'| '.repeat(isBeginning ? depth - 1 : depth)}${texts.of(event)}`;
    // The call that reports a case has no place of its own: it stands where the event before does.
    if (!isCaseCall(event)) location = `${at.file === '' ? 'query' : at.file}:${at.row}`;
    lines.push({ location: event.op === 'testCase' ? '' : location, text, event });
    length += text.length;
    if (isFull) break;
  }
  return lines;
}

function isCaseCall({ node }: RecordedEvent): boolean {
  return node?.type === 'expr' && node.expr.kind === 'call' && functionName(node.expr.operator) === caseReport;
}

type RuleNode = Extract<RecordedEvent['node'], { readonly type: 'rule' }>;

class EventTexts {
  readonly #names: VariableNames;
  readonly #asWritten: boolean;
  readonly #ruleKeys: boolean;
  readonly #texts = new Map<Source, TraceText>();

  constructor(names: VariableNames, { asWritten = false, ruleKeys = false }: Partial<TableOptions>) {
    this.#names = names;
    this.#asWritten = asWritten;
    this.#ruleKeys = ruleKeys;
  }

  of({ op, node, message, document, at }: RecordedEvent): string {
    if (op === 'note') return noteText(message);
    if (op === 'testCase') return `TestCase ${caseReport}(${message})`;
    const title = op.charAt(0).toUpperCase() + op.slice(1);
    const subject = op === 'index' ? pathOf(document!) : this.#subject(node!, at.source);
    return message === undefined ? `${title} ${subject}` : `${title} ${subject} ${message}`;
  }

  #subject(node: NonNullable<RecordedEvent['node']>, source: Source): string {
    if (node.type === 'rule') return this.#ruleText(node, source);
    let text = this.#texts.get(source);
    if (text === undefined)
      this.#texts.set(source, (text = new TraceText(this.#names.writtenIn(source), this.#asWritten)));
    return node.type === 'expr' ? text.expr(node.expr) : text.body(node.body);
  }

  /** The ref of a rule: up to its first variable, or with variables, by their generated names. */
  #ruleText({ rule, compiled }: RuleNode, source: Source): string {
    if (!this.#ruleKeys) return printRef(constantsOf(compiled.ref));
    const rename = this.#names.uniqueIn(source) ?? ((name: string) => name);
    const own = rule.head.ref.slice(1);
    const before = compiled.ref.slice(0, compiled.ref.length - own.length);
    const keys = own.map((term) => (term.type === 'var' ? varTerm(term.loc, rename(term.name)) : term));
    return printRef([...before, ...keys]);
  }
}

function noteText(message: string | undefined): string {
  return `Note ${JSON.stringify(message)}`;
}

/** A ref up to its first variable. */
function constantsOf(ref: readonly Term[]): readonly Term[] {
  const end = ref.findIndex((term, i) => i > 0 && !isLiteral(term));
  return end < 0 ? ref : ref.slice(0, end);
}

function pathOf({ path }: VirtualDocument): string {
  return printRef([varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))]);
}
