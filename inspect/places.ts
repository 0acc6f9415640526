/** Statements by their places in the source. */
import type { AddressedStatement, Addresses } from '../ir-schema/address.js';
import type { Location, Policy } from '../ir-schema/plan.js';

/** A line of a file, or a position in it. */
export interface WantedPlace {
  readonly file: string;
  readonly row: number;
  readonly col: number | undefined;
}

/** Reads `authz.rego:17` and `authz.rego:17:2`. */
export function parsePlace(text: string): WantedPlace | undefined {
  const found = /^(.+?):(\d+)(?::(\d+))?$/s.exec(text);
  if (found === null) return undefined;
  return { file: found[1]!, row: Number(found[2]), col: found[3] === undefined ? undefined : Number(found[3]) };
}

/** Compilers give statements of their own no position. */
export function hasPlace({ row }: Location): boolean {
  return row > 0;
}

/**
 * The statements of a place, in order: of a line, those that begin in it; of a position, those of
 * the smallest range around it. Where none begins in a line, those of the smallest range around the
 * line. A file is meant by the end of its path.
 */
export function statementsAt(policy: Policy, addresses: Addresses, { file, row, col }: WantedPlace): readonly AddressedStatement[] {
  const files = filesNamed(policy, file);
  const inFile = [...addresses].filter(({ stmt: { stmt } }) => files.has(stmt.file) && hasPlace(stmt));
  if (col === undefined) {
    const begun = inFile.filter(({ stmt: { stmt } }) => stmt.row === row);
    if (begun.length > 0) return begun;
  }
  return smallest(inFile.filter(({ stmt: { stmt } }) => isInside(stmt, row, col)));
}

/** The files of a plan that a path means: its own name; otherwise those that end as it does. */
function filesNamed(policy: Policy, file: string): ReadonlySet<number> {
  const names = (policy.static?.files ?? []).map(({ value }) => value);
  const own = names.indexOf(file);
  if (own >= 0) return new Set([own]);
  const wanted = partsOf(file);
  const isMeant = (name: string): boolean => {
    const parts = partsOf(name);
    const length = Math.min(parts.length, wanted.length);
    return length > 0 && parts.slice(-length).every((part, i) => part === wanted.slice(-length)[i]);
  };
  return new Set(names.keys().filter((i) => isMeant(names[i]!)));
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The end is that of the text: its column is the first behind it. */
function isInside({ row, col, end_row, end_col }: Location, wantedRow: number, wantedCol: number | undefined): boolean {
  const [endRow, endCol] = end_row > 0 ? [end_row, end_col] : [row, col + 1];
  if (wantedRow < row || wantedRow > endRow) return false;
  if (wantedCol === undefined) return true;
  return (wantedRow > row || wantedCol >= col) && (wantedRow < endRow || wantedCol < endCol);
}

/** Those with the smallest range: ranges around one place lie in each other. */
function smallest(statements: readonly AddressedStatement[]): readonly AddressedStatement[] {
  const size = ({ stmt: { stmt } }: AddressedStatement): readonly [number, number] => {
    const rows = Math.max(0, stmt.end_row - stmt.row);
    return [rows, stmt.end_col - stmt.col];
  };
  let best: readonly [number, number] | undefined;
  for (const statement of statements) {
    const own = size(statement);
    if (best === undefined || own[0] < best[0] || (own[0] === best[0] && own[1] < best[1])) best = own;
  }
  return statements.filter((statement) => {
    const [rows, cols] = size(statement);
    return rows === best![0] && cols === best![1];
  });
}
