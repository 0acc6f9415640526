/** Two listings as texts of equal places, for the panes with two plans. */
import { Change } from '@codemirror/merge';
import type { ListedRow } from '../../../views/index.js';

/** Two texts and the changes between them. */
export interface MergedRows {
  readonly left: string;
  readonly right: string;
  readonly changes: readonly Change[];
}

/**
 * The texts of both sides. Lines without a change may have other numbers of locals, so they are
 * filled up to the same length: between two changes, places on both sides correspond.
 */
export function mergedRows(rows: readonly ListedRow[]): MergedRows {
  let [left, right] = ['', ''];
  const changes: Change[] = [];
  for (const { a, b, isChanged } of rows) {
    const width = isChanged ? 0 : Math.max(a?.length ?? 0, b?.length ?? 0);
    if (isChanged) changes.push(changeOf(a, b, left.length, right.length));
    if (a !== undefined) left += `${a.padEnd(width)}\n`;
    if (b !== undefined) right += `${b.padEnd(width)}\n`;
  }
  return { left, right, changes };
}

/** The change of a line: whole, or the part of two lines that differs. */
function changeOf(a: string | undefined, b: string | undefined, fromA: number, fromB: number): Change {
  if (a === undefined || b === undefined) {
    const lengthOf = (line: string | undefined) => (line === undefined ? 0 : line.length + 1);
    return new Change(fromA, fromA + lengthOf(a), fromB, fromB + lengthOf(b));
  }
  const [start, end] = [commonStart(a, b), commonEnd(a, b)];
  const most = Math.min(a.length, b.length);
  // Lines that differ in nothing but their places, or only in numbers of locals, are marked whole.
  if (start + end >= most) return new Change(fromA, fromA + a.length, fromB, fromB + b.length);
  return new Change(fromA + start, fromA + a.length - end, fromB + start, fromB + b.length - end);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}
