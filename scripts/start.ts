// What `npm start` runs: a decision over an example bundle, and where to go from there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const example = 'fixtures/bundles/example';
const runs = [
  ['inspect', example],
  ['eval', '-b', example, '-i', `${example}-input.json`, '-f', 'pretty', 'data.authz.allow'],
];

if (!existsSync(join(root, 'dist/main.js'))) {
  console.error('start: dist/main.js is missing: run `npm run build` and see what it says');
  process.exit(1);
}
for (const args of runs) {
  console.log(`$ bin/writ ${args.join(' ')}`);
  const done = spawnSync(join(root, 'bin/writ'), args, { cwd: root, stdio: 'inherit' });
  if (done.error || done.status !== 0) {
    console.error(`start: bin/writ ${args[0]} failed${done.error ? `: ${done.error.message}` : ''}`);
    process.exit(1);
  }
  console.log();
}
console.log('Next: bin/writ eval --help, bin/writ inspect PLAN-OR-BUNDLE --listing, README.md, docs/architecture.md');
