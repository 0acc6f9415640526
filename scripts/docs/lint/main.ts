/** `npm run lint-pages` writes the pages of the linter's rules. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lintPages, pagesFolder } from './pages.js';

const root = join(import.meta.dirname, '../../..');
rmSync(join(root, pagesFolder), { recursive: true, force: true });
for (const [path, text] of lintPages()) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
