/** What a mistyped name may have meant. */

/** The names that are two changes away, or begin with what was typed. */
export function similarNames(typed: string, names: readonly string[]): string[] {
  return names.filter((name) => distance(typed, name) <= 2 || name.startsWith(typed));
}

/** The edit distance: the number of characters to change, insert or delete. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= Math.min(a.length, 40); i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
