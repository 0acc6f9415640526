// Part of `npm run lint`: the order of folders, import cycles, sizes, and the paths
// and links in the pages of documentation.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLinks } from './doc-links.js';
import { unknownPaths } from './doc-paths.js';
import { checkLayers, folders } from './layers.js';
import { checkSizes } from './sizes.js';
import { readSources } from './sources.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = readSources(root, folders);
const tree = filesOf(root);
const pages = new Map(
  tree
    .filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);
/** Pages about the sources of today. Recipes make new files. */
const maps = [...pages].filter(([path]) => /^(docs\/(architecture|internals\/.*)|CONTRIBUTING)\.md$/.test(path));
const complaints = [
  ...checkLayers(sources),
  ...checkSizes(sources),
  ...maps.flatMap(([path, page]) => unknownPaths(path, page.split('\n## Recipes\n')[0]!, tree)),
  ...deadLinks(pages, tree),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error(
    `check-sources: ${complaints.length} found; the rules are in scripts/{layers,sizes,doc-paths,doc-links}.ts`,
  );
  process.exitCode = 1;
}

/** All files that are neither installed nor built. */
function filesOf(folder: string): string[] {
  const skipped = new Set(['node_modules', 'dist', '.git', '.package-examples', '.types']);
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    if (!entry.isDirectory()) return [entry.name];
    return readdirSync(join(folder, entry.name), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${entry.name}/${name}`,
    );
  });
}
