/** What differs between two texts, line by line. */
import { paint } from './color.js';

/** All lines: those that go with `-`, those that come with `+`. Texts too different to compare in reasonable time are shown one after the other. */
export function lineDifference(before: string, after: string, color = false): string {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = difference(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (line: string) => ` ${line}`;
  const lines = [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
  const painted = color
    ? lines.map((line) => (line.startsWith('-') ? paint(31, line) : line.startsWith('+') ? paint(32, line) : line))
    : lines;
  return painted.join('\n');
}

/** So many pairs of lines are compared at most: a table of some megabytes. */
const maxPairs = 4_000_000;

/** By the longest common subsequence. */
function difference(a: readonly string[], b: readonly string[]): string[] {
  const gone = (lines: readonly string[]) => lines.map((line) => `-${line}`);
  const come = (lines: readonly string[]) => lines.map((line) => `+${line}`);
  if (a.length * b.length > maxPairs) return [...gone(a), ...come(b)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = i * width + j;
      common[here] = a[i] === b[j] ? common[here + width + 1]! + 1 : Math.max(common[here + width]!, common[here + 1]!);
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return [...lines, ...gone(a.slice(i)), ...come(b.slice(j))];
}
