/** The source with the statements of each line. */
import type { AddressedOwner, AddressedStatement, Addresses, DebugIndex, Policy } from '../../ir-schema/index.js';
import { StatementText } from '../../ir-schema/index.js';
import type { CodeLine } from './code-line.js';
import { widest } from './columns.js';
import { placesOf } from './places.js';

/** The lines of the files of a plan; undefined for a file whose text is not known. */
export type SourceLines = (file: string) => readonly string[] | undefined;

export interface SourceView {
  readonly file: string;
  readonly lines: readonly SourceLine[];
}

interface SourceLine {
  readonly row: number;
  readonly text: string;
  /** The addresses of the statements that begin in the line. */
  readonly statements: readonly string[];
}

/**
 * Whether a text is the one that a plan was made of: the files of a bundle are formatted, so those
 * of a plan may have other lines. A text fits only if the range of each statement begins and ends
 * with a word or a sign in it.
 */
export function fittingTest(policy: Policy, addresses: Addresses): (file: string, text: string) => boolean {
  const byFile = Map.groupBy(addresses, ({ stmt: { stmt } }) => stmt.file);
  const numbers = new Map((policy.static?.files ?? []).map(({ value }, index) => [value, index]));
  return (file, text) => {
    const lines = text.split(/\r?\n/);
    return (byFile.get(numbers.get(file) ?? -1) ?? []).every((statement) => fits(statement, lines));
  };
}

function fits({ stmt: { stmt } }: AddressedStatement, lines: readonly string[]): boolean {
  const { row, col, end_row, end_col } = stmt;
  if (row <= 0) return true;
  const [first, last] = [lines[row - 1], lines[(end_row || row) - 1]];
  if (first === undefined || last === undefined) return false;
  // Columns count characters, halves of surrogate pairs not apart.
  const [start, end] = [[...first], [...last]];
  if (isInWord(start, col - 1) || !/\S/.test(start[col - 1] ?? '')) return false;
  return end_row === 0 || end_col === 0 || (!isInWord(end, end_col - 1) && /\S/.test(end[end_col - 2] ?? ''));
}

/** Whether a word goes on across a place. */
function isInWord(line: readonly string[], at: number): boolean {
  const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  return isWord(line[at - 1]) && isWord(line[at]);
}

/**
 * Each file that the plans and functions have statements of, whole; those of authors behind the
 * generated ones that stand for them.
 */
export function listSources(
  { policy, debug }: { readonly policy: Policy; readonly debug: DebugIndex | undefined },
  addresses: Addresses,
  owners: readonly AddressedOwner[],
  linesOf: SourceLines,
): SourceView[] {
  const placed = placesOf(
    policy,
    owners.flatMap((owner) => addresses.inside(owner)),
    debug,
  );
  const byFile = Map.groupBy(placed, ({ file }) => file);
  const inPlan = (policy.static?.files ?? []).map(({ value }) => value);
  return [...new Set([...inPlan, ...byFile.keys()])].flatMap((file) => {
    const statements = byFile.get(file);
    const lines = linesOf(file);
    if (statements === undefined || lines === undefined) return [];
    const byRow = Map.groupBy(statements, ({ row }) => row);
    const shown = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    return [
      {
        file,
        lines: shown.map((text, i) => ({
          row: i + 1,
          text,
          statements: (byRow.get(i + 1) ?? []).map(({ statement }) => statement.address),
        })),
      },
    ];
  });
}

/**
 * Each file, with the statements of a line below it.
 * @example
 * authz.rego
 *    17 |     grant.action == input.action
 *       g0.data.authz.allow/0.2.2.0  Dot l12 := l11["action"]
 */
export function sourceLines(policy: Policy, addresses: Addresses, views: readonly SourceView[]): readonly CodeLine[] {
  const text = new StatementText(policy);
  return views.flatMap(({ file, lines }, i) => {
    const width = String(lines.length).length;
    const addressWidth = widest(lines.flatMap(({ statements }) => statements));
    const head = [...(i > 0 ? [{ text: '' }] : []), { text: file }];
    return head.concat(
      lines.flatMap(({ row, text: line, statements }) => [
        { text: `  ${sourceLine(row, line, width)}` },
        ...statements.map((at) => ({
          // The view is of the statements of this plan.
          text: `${' '.repeat(width + 6)}${at.padEnd(addressWidth)}  ${text.statement(addresses.at(at)!.stmt)}`,
          at,
        })),
      ]),
    );
  });
}

/** Whether names may be those of one file, in a plan and in its bundle. */
export function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** A line of the source, as listings quote it. */
export function sourceLine(row: number, text: string, width = 4): string {
  return `${String(row).padStart(width)} | ${text.replaceAll('\t', '    ')}`.trimEnd();
}
