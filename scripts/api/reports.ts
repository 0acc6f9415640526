/** The reports of the package's declarations, in `docs/api/`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReport } from './api-report.js';

export const reportsFolder = 'docs/api';

/**
 * A report for each file of declarations, by its name: of `writ` itself `index.txt`, of its form
 * for browsers `browser-index.txt`.
 * @param root of the project, whose `dist/` is up to date
 */
export function reports(root: string): Map<string, string> {
  const dist = join(root, 'dist');
  return new Map(
    globSync('{types,browser}/**/*.d.ts', { cwd: dist })
      .sort()
      .map((path) => [
        path
          .replace(/^types\//, '')
          .replaceAll('/', '-')
          .replace(/\.d\.ts$/, '.txt'),
        `The declarations of dist/${path}, npm run api writes them.\n\n${apiReport(readFileSync(join(dist, path), 'utf8'))}`,
      ]),
  );
}
