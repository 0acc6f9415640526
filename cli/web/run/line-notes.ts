/** Notes of a run on the lines of a pane: heat, coverage, values. */
import type { LineNote } from '../panes/line-marks.js';
import type { Measure, RunCounts, RunState } from './run-state.js';

const none: ReadonlyMap<number, LineNote> = new Map();
const longestNote = 90;

/** The line of the event that is looked at. */
export function currentLine(
  run: RunState,
  linesOf: (statements: readonly number[]) => readonly number[],
): number | undefined {
  const statement = run.recording.value?.statementAt(run.at.value);
  return statement === undefined ? undefined : linesOf([statement])[0];
}

/** @param statements by line, from 0 */
export function notesByLine(run: RunState, statements: readonly number[]): ReadonlyMap<number, LineNote> {
  const counts = run.counts.value;
  if (counts === undefined) return none;
  const notes = new Map<number, LineNote>();
  statements.forEach((statement, i) => {
    const text = run.notes.value?.get(statement);
    if (statement >= 0) notes.set(i + 1, noteOf(counts, run.measure.value, [statement], text));
  });
  return notes;
}

export function notesBySourceLine(run: RunState, file: string): ReadonlyMap<number, LineNote> {
  const counts = run.counts.value;
  if (counts === undefined) return none;
  const rows = Map.groupBy(run.page.links.value.placedIn(file), ({ row }) => row);
  const notes = new Map<number, LineNote>();
  for (const [row, placed] of rows) {
    const statements = placed.map(({ statement }) => statement.index);
    notes.set(row, noteOf(counts, run.measure.value, statements, valuesText(run, statements)));
  }
  return notes;
}

/** The values of the author's variables where the plan names them, otherwise of all statements. */
function valuesText(run: RunState, statements: readonly number[]): string {
  const links = run.page.links.value;
  const texts = new Set<string>();
  for (const statement of statements) {
    const text = run.notes.value?.get(statement);
    if (text === undefined) continue;
    const values = run.valuesOf(statement);
    const named = links
      .writtenNames(statement)
      .flatMap((name, i) => (name !== undefined && values[i] !== undefined ? [`${name} = ${values[i]}`] : []));
    for (const each of named) texts.add(each);
    if (text === 'failed' || (named.length === 0 && !links.hasNames)) texts.add(text);
  }
  return [...texts].join('  ');
}

function noteOf(
  { evaluations, fails, times, most, longest }: RunCounts,
  measure: Measure,
  statements: readonly number[],
  text: string | undefined,
): LineNote {
  const of = (numbers: Float64Array) => statements.map((statement) => numbers[statement] ?? 0);
  const sum = (numbers: Float64Array) => of(numbers).reduce((total, number) => total + number, 0);
  const largest = of(evaluations).reduce((found, number) => Math.max(found, number), 0);
  if (largest === 0) return { coverage: 'unreached' };
  // Logarithms: a loop would otherwise leave everything else cold.
  const heat = {
    count: Math.log(largest) / Math.log(most + 1),
    time: longest === 0 ? 0 : sum(times) / longest,
    none: undefined,
  };
  const measured = heat[measure];
  return {
    coverage: sum(fails) > 0 && sum(fails) === sum(evaluations) ? 'failed' : 'passed',
    count: largest,
    ...(measured !== undefined && { heat: Math.min(1, measured) }),
    ...(text && { text: cut(text) }),
  };
}

function cut(text: string): string {
  return text.length > longestNote ? `${text.slice(0, longestNote - 1)}…` : text;
}
