// Writes the reports of the package's declarations, which a test compares: `npm run api`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reports, reportsFolder } from './reports.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, reportsFolder);
const found = reports(root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of found) writeFileSync(join(folder, name), text);
