/** Results and reports as tables. */

import { explanationText, type QuerySolution, type Trace } from '../../engine/index.js';
import { allAtOnce, htmlSafe, keyName, type PlainObject, toJson, type Value } from '../../values/index.js';
import type { ExpressionProfile } from '../eval/profile.js';
import type { Io } from '../io.js';
import { explanationStyle } from './color.js';
import { errorsText } from './error-output.js';
import { durationText } from './go-text.js';
import { jsonOutput } from './ordered-json.js';
import type { AggregatedProfile, Output } from './output.js';
import { partialTable } from './partial-output.js';
import { rowsText, tableText } from './table.js';

export interface PrettyOptions {
  /** Longer values are cut. */
  readonly limit: number | undefined;
  /** Whether explanations show the bindings of variables. */
  readonly varValues: boolean;
}

function traceText(trace: Trace, varValues: boolean): string {
  const lines = varValues ? trace.toTable({ values: true, asWritten: false }) : allAtOnce(trace.toText());
  return trace.isEmpty ? '' : `${lines.join('\n')}\n`;
}

/** Prints an output as tables; with a limit, values are cut to so many characters. */
export function printPretty(output: Output, io: Io, { limit, varValues }: PrettyOptions): void {
  if (output.trace !== undefined) io.stdout(traceText(output.trace, varValues));
  if (output.errors.length > 0) io.stderr(`${errorsText(output.errors, io)}\n`);
  if (output.why !== undefined) io.stdout(explanationText(output.why, io.color ? explanationStyle : undefined));
  else if (output.errors.length > 0) return;
  else if (output.partial !== undefined) io.stdout(partialTable(output.partial));
  else io.stdout(prettyResults(output.results, limit, io));
  const { metrics, aggregatedMetrics, coverage, profile, aggregatedProfile } = output;
  if (metrics !== undefined) io.stdout(tableText(['Metric', 'Value'], metricRows(metrics, limit)));
  if (aggregatedMetrics !== undefined) {
    io.stdout(tableText(['Metric', 'Min', 'Max', 'Mean', '90%', '99%'], aggregatedRows(aggregatedMetrics, limit)));
  }
  if (profile !== undefined) io.stdout(tableText(profileTitles, profile.map(profileRow)));
  if (aggregatedProfile !== undefined) {
    io.stdout(
      tableText(
        [...statisticNames.map(capital), ...profileTitles.slice(1)],
        aggregatedProfile.map(aggregatedProfileRow),
      ),
    );
  }
  if (coverage !== undefined) io.stdout(rowsText([['Overall Coverage', coverage.coverage.toFixed(2)]]));
}

const profileTitles = ['Time', 'Num Eval', 'Num Redo', 'Num Gen Expr', 'Location'];
const statisticNames = ['min', 'max', 'mean', '90%', '99%'];

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function profileRow(line: ExpressionProfile): string[] {
  return [durationText(line.total_time_ns), ...profileCounts(line)];
}

function aggregatedProfileRow(line: AggregatedProfile): string[] {
  return [
    ...statisticNames.map((name) => durationText(Number(line.total_time_ns_stats[name]))),
    ...profileCounts(line),
  ];
}

function profileCounts({
  num_eval,
  num_redo,
  num_gen_expr,
  location,
  text,
}: Omit<ExpressionProfile, 'total_time_ns'>): string[] {
  const { file, row, col } = location;
  return [
    String(num_eval),
    String(num_redo),
    String(num_gen_expr),
    file === '' ? (text ?? `${row}:${col}`) : `${file}:${row}`,
  ];
}

function prettyResults(results: readonly QuerySolution[], limit: number | undefined, io: Io): string {
  const [first] = results;
  if (first === undefined) return 'undefined\n';
  const [expression, ...others] = first.expressions;
  const isPlain = results.length === 1 && Object.keys(first.bindings).length === 0;
  const isBoolean = ({ value }: QuerySolution['expressions'][number]) => typeof value === 'boolean';
  if (expression !== undefined && isPlain && (others.length === 0 || first.expressions.every(isBoolean)))
    return jsonOutput(expression.value, io);
  const columns = columnsOf(first);
  const cell = (value: Value | undefined) => (value === undefined ? 'null' : cut(htmlSafe(toJson(value)), limit));
  const rows = results.map((result) =>
    columns.map(({ name, position }) =>
      cell(position === undefined ? result.bindings[name] : result.expressions[position]?.value),
    ),
  );
  return tableText(
    columns.map(({ name }) => name),
    rows,
  );
}

/** A variable, or the value of the expression at a position. */
interface Column {
  readonly name: string;
  readonly position?: number;
}

/**
 * The columns in the order of their appearance: of each expression its new variables, then its
 * value. A truth value says nothing beside variables.
 */
function columnsOf({ expressions, bindings }: QuerySolution): readonly Column[] {
  const columns: Column[] = [];
  const rest = new Set(Object.keys(bindings).sort());
  const hasVariables = rest.size > 0;
  expressions.forEach(({ text, value, variables }, position) => {
    for (const name of variables) if (rest.delete(name)) columns.push({ name });
    if (typeof value !== 'boolean' || !hasVariables) columns.push({ name: text, position });
  });
  return [...columns, ...[...rest].map((name) => ({ name }))];
}

function cut(text: string, limit: number | undefined): string {
  return limit !== undefined && limit > 0 && text.length > limit ? `${text.slice(0, limit)}...` : text;
}

function metricRows(metrics: PlainObject, limit: number | undefined): string[][] {
  const rows = Object.entries(metrics).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value as PlainObject).map(([part, of]) => [`${name}_${part}`, cut(keyName(of), limit)])
      : [[name, cut(keyName(value), limit)]],
  );
  return rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function aggregatedRows(metrics: PlainObject, limit: number | undefined): string[][] {
  const rows = Object.entries(metrics).map(([name, statistics]) => [
    name,
    ...statisticNames.map((part) => cut(keyName((statistics as PlainObject)[part] ?? null), limit)),
  ]);
  return rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
