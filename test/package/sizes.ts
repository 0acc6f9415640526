/** What the entry for browsers weighs, as a page loads it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** Bytes after gzip. */
const budgets = { start: 60_000, all: 560_000 };

export function testSizes(project: string): void {
  test('the entry for browsers starts small, and loads the rest on demand', () => {
    const folder = join(project, 'node_modules/writ/dist/browser');
    const sizes = new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length]),
    );
    const first = new Set(['index.js']);
    // Imports that are statements: they have no parenthesis.
    for (const name of first) {
      for (const [, found] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)"\.\/([^"]+)"/g)) first.add(found!);
    }
    const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + sizes.get(name)!, 0);
    expect(first.size).toBeLessThan(sizes.size);
    expect(sum(first)).toBeLessThan(budgets.start);
    expect(sum(sizes.keys())).toBeLessThan(budgets.all);
  });
}
