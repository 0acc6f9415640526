/** Statements by their places in the source. */
import type { AddressedStatement, Addresses, DebugIndex, Location, Policy } from '../../ir-schema/index.js';

/** A line of a file, or a position in it. */
export interface WantedPlace {
  readonly file: string;
  readonly row: number;
  readonly col: number | undefined;
}

/** Reads `authz.rego:17` and `authz.rego:17:2`. */
export function parsePlace(text: string): WantedPlace | undefined {
  const [, file, row, col] = /^(.+?):(\d+)(?::(\d+))?$/s.exec(text) ?? [];
  if (file === undefined) return undefined;
  return { file, row: Number(row), col: col === undefined ? undefined : Number(col) };
}

/** Compilers give statements of their own no position. */
function hasPlace({ row }: Location): boolean {
  return row > 0;
}

/** A statement with a place of it. */
export interface StatementAtPlace {
  readonly statement: AddressedStatement;
  readonly file: string;
  readonly row: number;
  readonly col: number;
  readonly end_row: number;
  readonly end_col: number;
}

/**
 * Statements with their places: those that the plan names, and those that debug information knows
 * of plans of `build -O`. Places in generated files come before those in the authors' files.
 */
export function placesOf(
  policy: Policy,
  statements: Iterable<AddressedStatement>,
  debug: DebugIndex | undefined,
): StatementAtPlace[] {
  const files = (policy.static?.files ?? []).map(({ value }) => value);
  const generated: StatementAtPlace[] = [];
  const authors: StatementAtPlace[] = [];
  const add = (place: StatementAtPlace) => (debug?.isGenerated(place.file) === true ? generated : authors).push(place);
  for (const statement of statements) {
    const { file: number, row, col, end_row, end_col } = statement.stmt.stmt;
    const file = files[number] ?? '';
    if (hasPlace(statement.stmt.stmt)) add({ statement, file, row, col, end_row, end_col });
    const isGenerated = debug?.isGenerated(file) === true;
    const other = isGenerated ? debug.origin(statement.address) : debug?.generated(statement.address);
    if (other === undefined) continue;
    const [first, start, last, end] = other.range;
    add({ statement, file: other.file, row: first, col: start, end_row: last, end_col: end });
  }
  return [...generated, ...authors];
}

/** The statements of a place in a plan, in order. */
export function statementsAt(
  policy: Policy,
  addresses: Addresses,
  place: WantedPlace,
  debug?: DebugIndex,
): readonly AddressedStatement[] {
  return placedAt(placesOf(policy, addresses, debug), place, debug);
}

/**
 * The statements of a place, of those of `placesOf`: of a line, those that begin in it; of a
 * position, those of the smallest range around it. Where none begins in a line, those of the
 * smallest range around the line. A file is meant by the end of its path; a generated one by all of
 * it, where an author's ends alike.
 */
export function placedAt(
  all: readonly StatementAtPlace[],
  { file, row, col }: WantedPlace,
  debug: DebugIndex | undefined,
): readonly AddressedStatement[] {
  const files = filesNamed([...new Set(all.map((one) => one.file))], file, debug);
  const inFile = all.filter((one) => files.has(one.file));
  if (col === undefined) {
    const begun = inFile.filter((one) => one.row === row);
    if (begun.length > 0) return begun.map(({ statement }) => statement);
  }
  return smallest(inFile.filter((one) => isInside(one, row, col))).map(({ statement }) => statement);
}

/** The files that a path means: its own name; otherwise those that end as it does. */
function filesNamed(names: readonly string[], file: string, debug: DebugIndex | undefined): ReadonlySet<string> {
  if (names.includes(file)) return new Set([file]);
  const wanted = partsOf(file);
  const isMeant = (name: string): boolean => {
    const parts = partsOf(name);
    const length = Math.min(parts.length, wanted.length);
    return length > 0 && parts.slice(-length).every((part, i) => part === wanted.slice(-length)[i]);
  };
  const meant = names.filter(isMeant);
  const authors = meant.filter((name) => debug?.isGenerated(name) !== true);
  return new Set(authors.length > 0 ? authors : meant);
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The end is that of the text: its column is the first behind it. */
function isInside(
  { row, col, end_row, end_col }: StatementAtPlace,
  wantedRow: number,
  wantedCol: number | undefined,
): boolean {
  const [endRow, endCol] = end_row > 0 ? [end_row, end_col] : [row, col + 1];
  if (wantedRow < row || wantedRow > endRow) return false;
  if (wantedCol === undefined) return true;
  return (wantedRow > row || wantedCol >= col) && (wantedRow < endRow || wantedCol < endCol);
}

/** The statements with the smallest range: ranges around one place lie in each other. */
function smallest(statements: readonly StatementAtPlace[]): readonly StatementAtPlace[] {
  let best: StatementAtPlace[] = [];
  for (const statement of statements) {
    const [first] = best;
    const order = first === undefined ? 0 : compareSizes(statement, first);
    if (order === 0) best.push(statement);
    else if (order < 0) best = [statement];
  }
  return best;
}

function compareSizes(a: StatementAtPlace, b: StatementAtPlace): number {
  const rowsOf = ({ row, end_row }: StatementAtPlace) => Math.max(0, end_row - row);
  return rowsOf(a) - rowsOf(b) || a.end_col - a.col - (b.end_col - b.col);
}
