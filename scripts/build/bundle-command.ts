import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Metafile } from 'esbuild';
import { bundle } from './bundle.js';
import type { BuiltFile } from './bundle-library.js';

/**
 * The first lines of `bin/writ`. They check the Node release first, in syntax that old releases
 * accept.
 */
const start = `'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(\`writ: Node \${process.versions.node} is too old: install Node 22.19 or newer\`);
  process.exit(2);
}
const fs = require('node:fs');
const path = require('node:path');
const command = path.join(__dirname, 'command.js');
const kind = ['build', 'check', 'test'].includes(process.argv[2]) ? 'compile' : 'command';
const cache = path.join(__dirname, \`\${kind}-\${process.versions.v8}.cache\`);
const run = (cachedData) => {
  const { Script } = require('node:vm');
  const script = new Script(fs.readFileSync(command, 'latin1'), { filename: command, cachedData });
  script.runInThisContext();
  return script;
};
`;

/**
 * V8's compiler takes half of the start time. The build's own code cache holds all functions that a
 * typical run used, but it fits one V8 release only, so its file is named for that release, and the
 * package does not include it. Without it, Node's compile cache is used, in the user's cache
 * folder.
 */
const runCommand = `if (fs.existsSync(cache)) run(fs.readFileSync(cache));
else {
  const { HOME, XDG_CACHE_HOME = HOME && path.join(HOME, '.cache') } = process.env;
  if (XDG_CACHE_HOME) require('node:module').enableCompileCache(path.join(XDG_CACHE_HOME, 'writ'));
  require(command);
}
`;

const learn = `const script = run();
process.on('exit', () => fs.writeFileSync(cache, script.createCachedData()));
`;

/**
 * Typical runs, from which V8 learns the functions that commands need: one evaluates, one compiles.
 * Loading unneeded functions takes time as well.
 */
const typicalRuns = (scratch: string) => [
  ['eval', '-b', 'fixtures/bundles/example', '-i', 'fixtures/bundles/example-input.json', 'data.authz.allow'],
  ['build', '-t', 'plan', '-e', 'example/result', '-o', scratch, 'fixtures/compile'],
];

/**
 * Bundles the command as a script, which `vm.Script` can compile: Node's own compile cache holds
 * only functions that ran at load.
 */
export async function bundleCommand(
  dist: string,
  entry: string,
  options: BuildOptions,
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafile: Metafile }> {
  const { files, metafile } = await bundle({
    ...options,
    entryPoints: { command: entry },
    outdir: dist,
    format: 'iife',
    // Minified, since it is read at each start.
    minifyIdentifiers: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
  const built = files.map(({ path, contents }) => ({ path: path.slice(dist.length + 1), contents }));
  return { files: [...built, { path: 'main.js', contents: start + runCommand }], metafile };
}

/**
 * Writes V8's code cache of the command after typical runs to the path where `dist/main.js` looks
 * for it.
 */
export function cacheCommand(root: string, dist: string): void {
  const learner = join(dist, 'learn.js');
  const scratch = join(dist, 'learned.tar.gz');
  writeFileSync(learner, start + learn);
  for (const args of typicalRuns(scratch)) {
    const done = spawnSync(process.execPath, [learner, ...args], { cwd: root, encoding: 'utf8' });
    if (done.status !== 0)
      console.error(`build: 'writ ${args.join(' ')}' failed, so such commands will start slowly:\n${done.stdout}${done.stderr}`);
  }
  rmSync(learner);
  rmSync(scratch, { force: true });
}
