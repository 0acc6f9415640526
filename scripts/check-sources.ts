// Part of `npm run lint`: the order of folders, import cycles, dead exports and sizes.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadExports } from './dead-exports.js';
import { checkLayers, layers } from './layers.js';
import { checkSizes } from './sizes.js';
import { readSources } from './sources.js';

const folders = [...new Set(layers.flat().map((folder) => folder.split('/')[0]!))];
const sources = readSources(dirname(dirname(fileURLToPath(import.meta.url))), folders);
const complaints = [...checkLayers(sources), ...deadExports(sources), ...checkSizes(sources)];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error(`check-sources: ${complaints.length} found; the rules are in scripts/{layers,dead-exports,sizes}.ts`);
  process.exitCode = 1;
}
