/** Results in the output formats of `opa eval`. */
import { htmlSafe } from '../../runtime/values/json/html-safe.js';
import { keyName, quote, toIndentedJson, toJson } from '../../runtime/values/json/json.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { ValueClass } from '../../runtime/values/value-class.js';
import type { Coverage } from '../coverage/coverage.js';
import type { ExpressionProfile } from '../eval/profile.js';
import type { Io } from '../io.js';
import { colored } from './color.js';
import { durationText } from './go-text.js';
import { rowsText, tableText } from './table.js';

export const formats = ['json', 'values', 'bindings', 'pretty', 'source', 'raw', 'discard'] as const;
export type Format = (typeof formats)[number];

/** One solution of the query. */
export interface Result {
  readonly expressions: readonly Expression[];
  readonly bindings: PlainObject;
}

export interface Expression {
  readonly value: Value;
  /** The expression's text in the query. */
  readonly text: string;
  readonly location: { readonly row: number; readonly col: number };
}

export interface OutputError {
  readonly message: string;
  readonly code?: string;
  readonly location?: { readonly file: string; readonly row: number; readonly col: number };
  /** Additional facts of a compiler stage: a parse error's line, a type error's expectations. */
  readonly details?: Value;
  /** Whether it is an error of a built-in that did not end the evaluation. */
  readonly isBuiltinError?: true;
  /** The error as one line of text, with location and code. */
  readonly text: string;
}

export interface Output {
  readonly errors: readonly OutputError[];
  readonly results: readonly Result[];
  readonly metrics?: PlainObject;
  readonly aggregatedMetrics?: PlainObject;
  readonly coverage?: Coverage;
  readonly profile?: readonly ExpressionProfile[];
  readonly aggregatedProfile?: readonly AggregatedProfile[];
}

/** A profile line over several rounds. */
export interface AggregatedProfile extends Omit<ExpressionProfile, 'total_time_ns'> {
  readonly total_time_ns_stats: PlainObject;
}

/** Prints an output in a format. Values longer than `prettyLimit` are cut in tables. */
export function printOutput(output: Output, format: Format, io: Io, prettyLimit: number): void {
  if (format === 'json') io.stdout(json(document(output), io));
  else if (format === 'discard') io.stdout(json(discarded(output), io));
  else if (format === 'pretty') printPretty(output, io, prettyLimit);
  else if (output.errors.length > 0) io.stderr(`${errorsText(output.errors)}\n`);
  else io.stdout(output.results.map((result) => lineOf(result, format)).join(''));
}

function lineOf({ expressions, bindings }: Result, format: Format): string {
  if (format === 'bindings') return json(bindings);
  if (format === 'values') return json(expressions.map(({ value }) => value));
  return `${expressions.map(({ value }) => (typeof value === 'string' ? value : htmlSafe(toJson(value)))).join(' ')}\n`;
}

/** JSON over several lines; coloured on a terminal. */
export function json(value: Value | Ordered, io?: Io): string {
  const text = htmlSafe(value instanceof Ordered ? value.indented('') : toIndentedJson(value));
  return `${io?.color === true ? colored(text) : text}\n`;
}

/**
 * JSON over several lines with the fields of objects in their own order; undefined fields are left
 * out.
 */
export function orderedJson(value: unknown): string {
  return `${htmlSafe(indented(value, ''))}\n`;
}

function indented(value: unknown, prefix: string): string {
  if (typeof value !== 'object' || value === null || value instanceof ValueClass) return toIndentedJson(value as Value, '  ', prefix);
  const inner = `${prefix}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((element) => inner + indented(element, inner))
    : Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [`${inner}${quote(name)}: ${indented(field, inner)}`]));
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${prefix}${close}`;
}

/** An object whose fields keep their order. */
export class Ordered {
  readonly #fields: readonly (readonly [string, Value | Ordered | readonly Ordered[] | undefined])[];

  constructor(...fields: readonly (readonly [string, Value | Ordered | readonly Ordered[] | undefined])[]) {
    this.#fields = fields.filter(([, value]) => value !== undefined);
  }

  indented(prefix: string): string {
    const inner = `${prefix}  `;
    const lines = this.#fields.map(([name, value]) => `${inner}${quote(name)}: ${indentedField(value!, inner)}`);
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${prefix}}`;
  }
}

function indentedField(value: Value | Ordered | readonly Ordered[], prefix: string): string {
  if (value instanceof Ordered) return value.indented(prefix);
  if (Array.isArray(value) && value[0] instanceof Ordered) {
    const inner = `${prefix}  `;
    return `[\n${(value as readonly Ordered[]).map((element) => inner + element.indented(inner)).join(',\n')}\n${prefix}]`;
  }
  return toIndentedJson(value as Value, '  ', prefix);
}

function document(output: Output): Ordered {
  return new Ordered(
    ['errors', listed(output.errors.map(errorDocument))],
    ['result', listed(output.results.map(resultDocument))],
    ['metrics', output.metrics],
    ['aggregated_metrics', output.aggregatedMetrics],
    ...reportFields(output),
  );
}

function reportFields(output: Output): readonly (readonly [string, Value | undefined])[] {
  const { coverage, profile, aggregatedProfile } = output;
  return [
    ['coverage', coverage as unknown as Value | undefined],
    ['profile', profile as unknown as Value | undefined],
    ['aggregated_profile', aggregatedProfile as unknown as Value | undefined],
  ];
}

function discarded(output: Output): Ordered {
  return new Ordered(
    ['aggregated_metrics', output.aggregatedMetrics],
    ['errors', listed(output.errors.map(errorDocument))],
    ['metrics', output.metrics],
    ['result', output.results.length > 0 ? 'discarded' : undefined],
    ...reportFields(output),
  );
}

function listed(documents: readonly Ordered[]): readonly Ordered[] | undefined {
  return documents.length === 0 ? undefined : documents;
}

function errorDocument({ message, code, location, details }: OutputError): Ordered {
  const { file = '', row = 0, col = 0 } = location ?? {};
  return new Ordered(
    ['message', message],
    ['code', code],
    ['location', location && new Ordered(['file', file], ['row', row], ['col', col])],
    ['details', details],
  );
}

function resultDocument({ expressions, bindings }: Result): Ordered {
  const documents = expressions.map(
    ({ value, text, location }) =>
      new Ordered(['value', value], ['text', text], ['location', new Ordered(['row', location.row], ['col', location.col])]),
  );
  return new Ordered(['expressions', documents], ['bindings', Object.keys(bindings).length > 0 ? bindings : undefined]);
}

/** Errors alone, in the `-f json` format of the other commands. */
export function errorsJson(errors: readonly OutputError[]): string {
  return json(new Ordered(['errors', listed(errors.map(errorDocument))]));
}

/** `1 error occurred: …`, or all errors, one a line. */
export function errorsText(errors: readonly OutputError[]): string {
  const lines = errors.map(({ text }) => text).join('\n');
  return errors.length === 1 ? `1 error occurred: ${lines}` : `${errors.length} errors occurred:\n${lines}`;
}

function printPretty(output: Output, io: Io, limit: number): void {
  if (output.errors.length > 0) io.stderr(`${errorsText(output.errors)}\n`);
  else if (output.results.length === 0) io.stdout('undefined\n');
  else io.stdout(prettyResults(output.results, limit, io));
  const { metrics, aggregatedMetrics, coverage, profile, aggregatedProfile } = output;
  if (metrics !== undefined) io.stdout(tableText(['Metric', 'Value'], metricRows(metrics, limit)));
  if (aggregatedMetrics !== undefined) {
    io.stdout(tableText(['Metric', 'Min', 'Max', 'Mean', '90%', '99%'], aggregatedRows(aggregatedMetrics, limit)));
  }
  if (profile !== undefined) io.stdout(tableText(profileTitles, profile.map(profileRow)));
  if (aggregatedProfile !== undefined) {
    io.stdout(tableText([...statisticNames.map(capital), ...profileTitles.slice(1)], aggregatedProfile.map(aggregatedProfileRow)));
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
  return [...statisticNames.map((name) => durationText(Number(line.total_time_ns_stats[name]))), ...profileCounts(line)];
}

function profileCounts({ num_eval, num_redo, num_gen_expr, location }: Omit<ExpressionProfile, 'total_time_ns'>): string[] {
  const { file, row, col } = location;
  return [String(num_eval), String(num_redo), String(num_gen_expr), file === '' ? `${row}:${col}` : `${file}:${row}`];
}

function prettyResults(results: readonly Result[], limit: number, io: Io): string {
  const first = results[0]!;
  const { expressions } = first;
  const isPlain = results.length === 1 && Object.keys(first.bindings).length === 0;
  if (isPlain && (expressions.length === 1 || expressions.every(({ value }) => typeof value === 'boolean')))
    return json(expressions[0]!.value, io);
  const vars = Object.keys(first.bindings).sort();
  const shown = expressions.flatMap(({ value, text }, i) => (typeof value !== 'boolean' || vars.length === 0 ? [{ text, i }] : []));
  const cell = (value: Value | undefined) => (value === undefined ? 'null' : cut(htmlSafe(toJson(value)), limit));
  const rows = results.map((result) => [
    ...vars.map((name) => cell(result.bindings[name])),
    ...shown.map(({ i }) => cell(result.expressions[i]?.value)),
  ]);
  return tableText([...vars, ...shown.map(({ text }) => text)], rows);
}

function cut(text: string, limit: number): string {
  return limit > 0 && text.length > limit ? `${text.slice(0, limit)}...` : text;
}

function metricRows(metrics: PlainObject, limit: number): string[][] {
  const rows = Object.entries(metrics).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value as PlainObject).map(([part, of]) => [`${name}_${part}`, cut(keyName(of), limit)])
      : [[name, cut(keyName(value), limit)]],
  );
  return rows.sort(([a], [b]) => (a! < b! ? -1 : 1));
}

function aggregatedRows(metrics: PlainObject, limit: number): string[][] {
  const rows = Object.entries(metrics).map(([name, statistics]) => [
    name,
    ...['min', 'max', 'mean', '90%', '99%'].map((part) => cut(keyName((statistics as PlainObject)[part] ?? null), limit)),
  ]);
  return rows.sort(([a], [b]) => (a! < b! ? -1 : 1));
}
