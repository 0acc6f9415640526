/** What the entries weigh, as a page or a bundle loads them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { entries, fileOf } from '../../scripts/build/entries.js';

const folders = { node: 'esm', browser: 'browser' } as const;

export function testSizes(project: string): void {
  const rows = entries.flatMap((entry) =>
    (['node', 'browser'] as const).flatMap((platform) => {
      const budget = entry.budgets[platform];
      return budget === undefined ? [] : [{ name: entry.name, platform, file: `${fileOf(entry, platform)}.js`, budget }];
    }),
  );

  describe('sizes', () => {
    test.each(rows)('$name for $platform starts as small as its budget says', ({ platform, file, budget }) => {
      const folder = join(project, 'node_modules/writ/dist', folders[platform]);
      const start = weight(folder, file, [atStart]);
      const all = weight(folder, file, [atStart, onDemand]);
      expect(start).toBeLessThan(budget.start);
      expect(all).toBeLessThan(budget.all);
      // A budget that is far above would not notice a second copy of the engine.
      expect({ start: start > budget.start / 2, all: all > budget.all / 2 }).toEqual({ start: true, all: true });
    });

    test('the package has at most 17.7 MB when it is unpacked', () => {
      const folder = join(project, 'node_modules/writ');
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(17_700_000);
    });
  });
}

/** Imports and exports that are statements have no parenthesis. */
const atStart = /(?:from|import)"(\.[^"]+)"/g;
const onDemand = /import\("(\.[^"]+)"\)/g;

/** Bytes after gzip of a module and of those that it loads. */
function weight(folder: string, file: string, imports: readonly RegExp[]): number {
  const loaded = new Set([join(folder, file)]);
  let sum = 0;
  for (const path of loaded) {
    const text = readFileSync(path, 'utf8');
    sum += gzipSync(text, { level: 9 }).length;
    for (const form of imports) for (const [, found] of text.matchAll(form)) loaded.add(join(path, '..', found!));
  }
  return sum;
}
