/** Writes the page about built-ins. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinsPage, pagePath } from './page.js';

writeFileSync(join(import.meta.dirname, '../../..', pagePath), await builtinsPage());
