/** Longer names are compared by their beginnings. */
const maxLength = 60;

/**
 * The number of characters to change, insert, delete or exchange with the next one, so that one
 * text becomes another.
 *
 * @example editDistance('inptu', 'input') // 1
 */
export function editDistance(from: string, to: string): number {
  const [a, b] = [from.slice(0, maxLength), to.slice(0, maxLength)];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : changed;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, changed, exchanged));
    }
    before = row;
    row = next;
  }
  return row.at(-1)!;
}
