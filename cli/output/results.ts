/** Results in the output formats of `opa eval`. */

import { partialDocument, type QuerySolution, type Trace } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import { allAtOnce, decodeUtf8, htmlSafe, parseJson, toJson } from '../../values/index.js';
import type { Io } from '../io.js';
import { errorDocuments, errorsText } from './error-output.js';
import { jsonOutput, Ordered } from './ordered-json.js';
import type { Output, OutputFormat } from './output.js';
import { partialSource } from './partial-output.js';
import { type PrettyOptions, printPretty } from './pretty.js';

/** Prints an output in a format.  */
export function printOutput(output: Output, format: OutputFormat, io: Io, pretty: PrettyOptions): void {
  const { partial } = output;
  if (partial !== undefined && output.errors.length === 0 && format === 'source') io.stdout(partialSource(partial));
  else if (format === 'json') io.stdout(jsonOutput(document(output), io));
  else if (format === 'discard') io.stdout(jsonOutput(discarded(output), io));
  else if (format === 'pretty') printPretty(output, io, pretty);
  else if (output.errors.length === 0) io.stdout(output.results.map((result) => lineOf(result, format)).join(''));
  const isInOutput = format === 'json' || format === 'discard';
  // Beside a document, a person at a terminal is told, too.
  if (output.errors.length > 0 && format !== 'pretty' && (!isInOutput || io.isTerminal?.('stderr')))
    io.stderr(`${errorsText(output.errors, io)}\n`);
  if (output.note !== undefined) io.stderr(`hint: ${output.note}\n`);
}

function lineOf({ expressions, bindings }: QuerySolution, format: OutputFormat): string {
  if (format === 'bindings') return jsonOutput(bindings);
  if (format === 'values') return jsonOutput(expressions.map(({ value }) => value));
  return `${expressions.map(({ value }) => (typeof value === 'string' ? value : htmlSafe(toJson(value)))).join(' ')}\n`;
}

function document(output: Output): Ordered {
  return new Ordered(
    ['errors', errorDocuments(output.errors)],
    ['result', output.results.length > 0 ? output.results.map(resultDocument) : undefined],
    ['partial', output.partial && partialDocument(output.partial)],
    ['explanation', output.why as unknown as Value | undefined],
    ['metrics', output.metrics],
    ['aggregated_metrics', output.aggregatedMetrics],
    ...reportFields(output),
  );
}

function reportFields(output: Output): readonly (readonly [string, Value | undefined])[] {
  const { trace, coverage, profile, aggregatedProfile } = output;
  return [
    ['explanation', trace === undefined || trace.isEmpty ? undefined : traceDocument(trace)],
    ['coverage', coverage as unknown as Value | undefined],
    ['profile', withoutTexts(profile)],
    ['aggregated_profile', withoutTexts(aggregatedProfile)],
  ];
}

/** Indented, the text is several times as long. */
const maxTraceBytes = 32 * 1024 * 1024;

function traceDocument(trace: Trace): Value {
  const writing = trace.writeJson({ maxBytes: maxTraceBytes, withPlaces: true });
  const events = parseJson(decodeUtf8(Buffer.concat(allAtOnce(writing)))) as readonly (PlainObject | SourceEvent)[];
  // Events of plans have operands, and a form of their own.
  return events.map((event) => (isOfSource(event) ? commandEvent(event) : event));
}

/** An event of a search over syntax trees, as the API shows it. */
interface SourceEvent {
  readonly op: string;
  readonly node: Value;
  readonly location: Value;
  readonly query_id: Value;
  readonly parent_id: Value;
  readonly locals: readonly { readonly key: { readonly value: Value }; readonly value: ShownValue }[];
  readonly names: PlainObject;
  readonly message?: Value;
}

interface ShownValue {
  readonly type: Value;
  readonly value: Value;
}

function isOfSource(event: PlainObject | SourceEvent): event is SourceEvent {
  return event.locals !== undefined;
}

/** An event as the command shows it: the API has other names for its parts, and no places. */
function commandEvent({ op, node, location, query_id, parent_id, locals, names, message }: SourceEvent): Value {
  const bindings = locals.map(({ key, value: { type, value } }) => ({ name: key.value, type, value }));
  const metadata = Object.entries(names).map(([name, written]) => [name, { name: written }]);
  return {
    Op: op.slice(0, 1).toUpperCase() + op.slice(1),
    Node: node,
    Location: location,
    QueryID: query_id,
    ParentID: parent_id,
    Locals: bindings.length === 0 ? null : bindings,
    LocalMetadata: Object.fromEntries(metadata) as PlainObject,
    Message: message ?? '',
    Ref: null,
  };
}

function withoutTexts(lines: readonly { readonly text: string }[] | undefined): Value | undefined {
  return lines?.map(({ text: _, ...line }) => line as unknown as Value);
}

function discarded(output: Output): Ordered {
  return new Ordered(
    ['aggregated_metrics', output.aggregatedMetrics],
    ['errors', errorDocuments(output.errors)],
    ['metrics', output.metrics],
    ['result', output.results.length > 0 ? 'discarded' : undefined],
    ...reportFields(output),
  );
}

function resultDocument({ expressions, bindings }: QuerySolution): Ordered {
  const documents = expressions.map(
    ({ value, text, location }) =>
      new Ordered(
        ['value', value],
        ['text', text],
        ['location', new Ordered(['row', location.row], ['col', location.col])],
      ),
  );
  return new Ordered(['expressions', documents], ['bindings', Object.keys(bindings).length > 0 ? bindings : undefined]);
}
