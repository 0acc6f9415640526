/** The reports of all entries, in `docs/api/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries } from '../build/entries.js';
import { apiReport } from './api-report.js';

export const reportsFolder = 'docs/api';

/**
 * Reports by their names: of `writ` itself `index.txt`, of its form for browsers `browser.txt`.
 * @param root of the project, whose `dist/` is up to date
 */
export function reports(root: string): Map<string, string> {
  const types = join(root, 'dist/types');
  const read = (path: string) => readFileSync(join(types, path), 'utf8');
  const found = new Map<string, string>();
  for (const { name, node, browser } of entries) {
    const source = node ?? browser!;
    const file = name === '.' ? 'index' : name.slice('./'.length);
    found.set(
      `${file}.txt`,
      `The declarations of writ${name.slice(1)}; npm run api writes them.\n\n${apiReport(declarationsOf(source), read)}`,
    );
  }
  return found;
}

function declarationsOf(source: string): string {
  return source.replace(/\.tsx?$/, '.d.ts');
}
