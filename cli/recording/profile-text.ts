/** Profiles of plans for people. */

import { displayWidth, timeText } from '../../values/index.js';
import { columnWidths, type ProfiledRun, type Recording } from '../../views/index.js';

type Statement = ProfiledRun['profile']['statements'][number];

export interface ProfileTextOptions {
  /** Statements and lines that are shown, those with the longest time first; 0 shows all. */
  readonly limit: number;
  /** The policies, to show their lines. */
  readonly sources: Recording['sources'];
  /** The width at which rows are cut, if there is one. */
  readonly columns: number | undefined;
}

export function profileText({ entrypoint, error, profile, program }: ProfiledRun, options: ProfileTextOptions): string {
  const tiers = (program?.tiers ?? []).map(({ name, time_ns }) => `${tierNames[name]} ${timeText(time_ns)}`);
  const head = [
    `plan ${entrypoint}: ${profile.count} statements, ${timeText(profile.time_ns)} on the statement machine${evaluationsText(profile)}`,
    ...noiseText(profile),
    ...(tiers.length > 0 ? [`without a profile: ${tiers.join(', ')}`] : []),
    ...(error === undefined ? [] : [`ended with an error: ${error}`]),
  ];
  const parts = [
    head.map((line) => `${line}\n`).join(''),
    statementTable(profile.statements, options),
    functionTable(profile.functions, options),
    lineTable(profile.statements, options),
    indexTable(program?.indexes ?? [], options),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** The time is that of the evaluation in the middle; half of them are in the range. */
function evaluationsText({ runs, spread }: ProfiledRun['profile']): string {
  if (spread === undefined) return '';
  return `, the median of ${runs} evaluations (${timeText(spread.low_ns)} to ${timeText(spread.high_ns)})`;
}

/** Where the times do not tell the slowest statement, a line that says so. */
function noiseText({ spread, slowest, statements }: ProfiledRun['profile']): readonly string[] {
  if (spread === undefined || slowest !== undefined || statements.length < 2) return [];
  const [first, ...others] = statements.toSorted((a, b) => b.time_ns - a.time_ns);
  const low = first?.spread?.low_ns ?? 0;
  const overlapping = others.filter((other) => (other.spread?.high_ns ?? 0) >= low).length + 1;
  const which = overlapping > 1 ? `the times of ${overlapping} statements overlap` : 'two take nearly the same time';
  return [`too noisy to name the slowest statement: ${which}, so their order is not certain`];
}

const tierNames = { vm: 'virtual machine', javascript: 'JavaScript' } as const;

const longestText = 60;

function statementTable(statements: readonly Statement[], { limit, columns }: ProfileTextOptions): string {
  const sorted = statements.toSorted((a, b) => b.time_ns - a.time_ns || b.count - a.count);
  const shown = limit === 0 ? sorted : sorted.slice(0, limit);
  const rows = shown.map((each) => [
    timeText(each.time_ns),
    each.spread === undefined ? '' : `±${timeText(halfSpread(each.spread))}`,
    timeText(each.total_time_ns),
    String(each.count),
    String(each.failed),
    notesOf(each),
    `${each.address} ${cut(each.text)}`,
  ]);
  return table(['self', 'spread', 'total', 'count', 'fails', ' ', ' statement'], rows, {
    more: statements.length - shown.length,
    noun: 'statements',
    columns,
  });
}

/** Half of the range in which half of the evaluations are. */
function halfSpread({ low_ns: low, high_ns: high }: NonNullable<Statement['spread']>): number {
  return Math.round((high - low) / 2);
}

/** The rows of a loop; how many calls did not run the function. */
function notesOf({ rows_in: rowsIn, rows_out: rowsOut, entered, count }: Statement): string {
  if (rowsIn !== undefined) return `rows ${rowsIn} → ${rowsOut}`;
  return entered !== undefined && entered < count ? `known ${count - entered}` : '';
}

function functionTable(functions: ProfiledRun['profile']['functions'], { limit, columns }: ProfileTextOptions): string {
  const shown = limit === 0 ? functions : functions.slice(0, limit);
  const rows = shown.map(({ name, calls, time_ns: self, total_time_ns: total }) => [
    timeText(self),
    timeText(total),
    String(calls),
    name,
  ]);
  return table(['self', 'total', 'calls', ' function'], rows, {
    more: functions.length - shown.length,
    noun: 'functions',
    columns,
  });
}

function lineTable(statements: readonly Statement[], { limit, sources, columns }: ProfileTextOptions): string {
  const lines = new Map<string, { file: string; row: number; count: number; time: number }>();
  for (const { location, count, time_ns: time } of statements) {
    if (location === undefined || location.file === '') continue;
    const { file, row } = location;
    const line = lines.get(`${row}:${file}`) ?? { file, row, count: 0, time: 0 };
    lines.set(`${row}:${file}`, { file, row, count: line.count + count, time: line.time + time });
  }
  const texts = new Map(sources.map(({ file, text }) => [file, text.split('\n')]));
  const sorted = [...lines.values()].sort((a, b) => b.time - a.time);
  const shown = limit === 0 ? sorted : sorted.slice(0, limit);
  const rows = shown.map(({ file, row, count, time }) => {
    const text = texts.get(file)?.[row - 1]?.trim() ?? '';
    return [timeText(time), String(count), `${file}:${row}${text === '' ? '' : `  ${cut(text)}`}`];
  });
  return table(['self', 'statements', ' line'], rows, { more: lines.size - shown.length, noun: 'lines', columns });
}

function indexTable(indexes: NonNullable<ProfiledRun['program']>['indexes'], { columns }: ProfileTextOptions): string {
  const rows = indexes.map(({ path, asked, hits, built, loops }) => [
    String(asked),
    String(hits),
    String(built),
    path.length === 0 ? '(the element)' : path.join('.'),
    loops.map((loop) => loop.replace(/^:/, 'query:')).join(' '),
  ]);
  return table(['asked', 'hits', 'built', ' index by', ' loops'], rows, { more: 0, noun: '', columns });
}

interface TableOptions {
  /** The number of rows that are left out, and their noun. */
  readonly more: number;
  readonly noun: string;
  readonly columns: number | undefined;
}

/** Columns of numbers are aligned right; those after them have titles that begin with a blank. */
function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { more, noun, columns = Infinity }: TableOptions,
): string {
  if (rows.length === 0) return '';
  const all = [titles.map((title) => title.trimStart()), ...rows];
  const widths = columnWidths(all, displayWidth);
  const line = (row: readonly string[]): string => {
    const cells = titles.flatMap((title, i) => {
      const [text = '', width = 0] = [row[i], widths[i]];
      if (width === 0) return [];
      const blanks = ' '.repeat(width - displayWidth(text));
      return [title.startsWith(' ') ? text + blanks : blanks + text];
    });
    return cut(`  ${cells.join('  ')}`.trimEnd(), columns);
  };
  return [...all.map(line), ...(more > 0 ? [`  … ${more} more ${noun}`] : [])].map((text) => `${text}\n`).join('');
}

function cut(text: string, size = longestText): string {
  return text.length > size ? `${text.slice(0, size - 1)}…` : text;
}
