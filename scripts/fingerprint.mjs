import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Plain JavaScript, because setup.mjs runs on the machine's own Node before the installation.

/** The sources of the build: a change in any of them makes dist/ out of date. */
export const folders = [
  'values',
  'ir-schema',
  'compiler',
  'runtime',
  'engine',
  'views',
  'server',
  'library',
  'cli',
  'scripts/build',
];
const files = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];

/** The file with the fingerprint of the sources that dist/ was built from. */
export const stampFile = 'dist/.stamp';

/** A text that changes with the name, size or time of any source. */
export function fingerprint(root) {
  const hash = createHash('sha1');
  for (const path of sources(root)) {
    const { mtimeMs, size } = statSync(join(root, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

/** Whether dist/ was built from the current sources. */
export function isBuilt(root) {
  const stamp = join(root, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root);
}

function sources(root) {
  const found = files.filter((path) => existsSync(join(root, path)));
  const visit = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        // The build writes this folder itself.
        if (entry.name !== 'generated') visit(path);
      } else if (entry.isFile() && /\.(tsx?|css|cjs|json)$/.test(entry.name) && !entry.name.endsWith('.test.ts')) {
        found.push(path);
      }
    }
  };
  for (const folder of folders) {
    if (existsSync(join(root, folder))) visit(folder);
  }
  return found.sort();
}
