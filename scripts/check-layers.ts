// Part of `npm run lint`: fails for imports against the order of the folders.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkLayers, layers } from './layers.js';
import { readSources } from './sources.js';

const folders = [...new Set(layers.flat().map((folder) => folder.split('/')[0]!))];
const complaints = checkLayers(readSources(dirname(dirname(fileURLToPath(import.meta.url))), folders));
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error(`check-layers: ${complaints.length} found; the order and its reasons are in scripts/layers.ts`);
  process.exitCode = 1;
}
