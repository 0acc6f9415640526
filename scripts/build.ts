// Makes what is not in the repository: the plan validator, the bundles in dist/, and their type declarations. Runs after `npm ci`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { fingerprint, stampFile } from './fingerprint.mjs';
import { generateValidator } from './generate-validator.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** The bundles: the file in dist/ and the module it is made of. */
const entries = { command: 'cli/main.ts', index: 'runtime/index.ts', compiler: 'compiler/index.ts' };

/**
 * What `bin/writ` starts. It stands in front of the bundle so that the compile cache is on before the bundle is read, and so that a Node
 * too old for the bundle gets a sentence rather than a syntax error.
 */
const mainModule = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(\`writ: Node \${process.versions.node} is too old: install Node 22.19 or newer\`);
  process.exit(2);
}
process.getBuiltinModule('node:module').enableCompileCache(import.meta.dirname + '/.cache');
await import('./command.js');
`;

/**
 * Node's own modules are fetched by a call rather than imported: an import reads every export to make its list of names, and with it
 * loads parts that Node would load when first used (2 ms for node:fs, 25 ms for node:http; a bare start takes 24).
 */
const builtinsOnDemand: Plugin = {
  name: 'builtins-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:]/ }, ({ path }) => (isBuiltin(path) ? { path, namespace: 'node-builtin' } : undefined));
    onLoad({ filter: /.*/, namespace: 'node-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

async function main(): Promise<void> {
  // Taken first: a source that changes while the build runs leaves dist/ out of date.
  const sources = fingerprint(root);
  await generateValidator(root);
  const present = Object.entries(entries).filter(([, path]) => existsSync(join(root, path)));
  for (const [name, path] of Object.entries(entries)) {
    if (!existsSync(join(root, path))) console.error(`build: ${path} does not exist, so dist/${name}.js is left out`);
  }
  const files = await bundle(Object.fromEntries(present));
  // Only now: a build that fails leaves the last good one.
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  for (const { path, contents } of files) writeFileSync(path, contents);
  if (present.some(([name]) => name === 'command')) writeFileSync(join(dist, 'main.js'), mainModule);
  if (present.some(([name]) => name !== 'command')) declareTypes();
  writeFileSync(join(root, stampFile), sources);
}

async function bundle(entryPoints: Record<string, string>): Promise<OutputFile[]> {
  if (Object.keys(entryPoints).length === 0) return [];
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Names stay: stack traces show them, and esbuild's `keepNames` would cost a call for each closure made.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: process.env.WRIT_SOURCEMAP ? 'linked' : false,
    chunkNames: 'chunks/[name]-[hash]',
    define: buildInfo(),
    plugins: [builtinsOnDemand],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const unbundled = Object.values(result.metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (unbundled.length > 0) throw new Error(`dist/ would need packages beside it: ${unbundled.map(({ path }) => path).join(', ')}`);
  return result.outputFiles;
}

/** The names that `runtime/engine/build-info.ts` reads, each as a literal. */
function buildInfo(): Record<string, string> {
  return {
    WRIT_VERSION: JSON.stringify(manifest.version),
    WRIT_COMMIT: JSON.stringify(commit()),
    WRIT_TIMESTAMP: JSON.stringify(new Date().toISOString().replace(/\.\d+Z$/, 'Z')),
    WRIT_HOSTNAME: JSON.stringify(hostname()),
  };
}

function commit(): string {
  // A package unpacked inside somebody else's repository must not take that repository's commit for its own.
  if (!existsSync(join(root, '.git'))) return '';
  const head = git('rev-parse', 'HEAD');
  if (head === undefined) return '';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? head : `${head}-dirty`;
}

function git(...args: string[]): string | undefined {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

function declareTypes(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const done = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}`);
    throw new Error('tsc could not write the declarations');
  }
}

try {
  await main();
} catch (error) {
  // esbuild has printed its own findings by now, and says so at length.
  console.error(`build: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  process.exitCode = 1;
}
