// Makes what is not in the repository: the plan validator, the bundles in dist/, and their type declarations. Runs after `npm ci`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { fingerprint, stampFile } from './fingerprint.mjs';
import { generateValidator } from './generate-validator.js';
import { inlineOpcodes } from './inline-opcodes.js';
import { builtinsOnDemand } from './node-builtins.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');

/** The command, which is one file, and the library's entries, which share chunks. */
const command = 'cli/main.ts';
const libraries = { index: 'runtime/index.ts', compiler: 'compiler/index.ts' };

/**
 * What `bin/writ` starts. The command is a script rather than a module, for V8 can then be given its compiled code, with all functions that
 * an evaluation used (Node's own compile cache keeps only what runs at load). The code fits one V8; any other compiles the source.
 */
const mainModule = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(\`writ: Node \${process.versions.node} is too old: install Node 22.19 or newer\`);
  process.exit(2);
}
const fs = process.getBuiltinModule('node:fs');
const vm = process.getBuiltinModule('node:vm');
const filename = import.meta.dirname + '/command.cjs';
const cache = import.meta.dirname + (['build', 'check', 'test'].includes(process.argv[2]) ? '/compile.cache' : '/command.cache');
const script = new vm.Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData: fs.existsSync(cache) ? fs.readFileSync(cache) : undefined });
`;
const runScript = 'script.runInThisContext();\n';

/** Runs to learn from which functions commands need: of those that evaluate, and of those that compile. To load what is not needed takes time as well. */
const typicalRuns = [
  ['eval', '-b', 'fixtures/bundles/example', '-i', 'fixtures/bundles/example-input.json', 'data.authz.allow'],
  ['build', '-t', 'plan', '-e', 'example/result', '-o', join(dist, 'learned.tar.gz'), 'fixtures/compile'],
];

async function main(): Promise<void> {
  // Taken first: a source that changes while the build runs leaves dist/ out of date.
  const sources = fingerprint(root);
  await generateValidator(root);
  const present = Object.fromEntries(Object.entries(libraries).filter(([, path]) => existsSync(join(root, path))));
  for (const path of [command, ...Object.values(libraries)]) {
    if (!existsSync(join(root, path))) console.error(`build: ${path} does not exist and is left out`);
  }
  const withCommand = existsSync(join(root, command));
  const files = [
    ...(withCommand ? await bundle({ command }, { format: 'iife', outExtension: { '.js': '.cjs' }, minifyIdentifiers: true }) : []),
    ...(await bundle(present, { format: 'esm', splitting: true, chunkNames: 'chunks/[name]-[hash]' })),
  ];
  // Only now: a build that fails leaves the last good one.
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  for (const { path, contents } of files) writeFileSync(path, contents);
  if (withCommand) {
    writeFileSync(join(dist, 'main.js'), mainModule + runScript);
    compileCommand();
  }
  if (Object.keys(present).length > 0) declareTypes();
  writeFileSync(join(root, stampFile), sources);
}

async function bundle(entryPoints: Record<string, string>, shape: BuildOptions): Promise<OutputFile[]> {
  if (Object.keys(entryPoints).length === 0) return [];
  const { outputFiles, metafile } = await build({
    ...shape,
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    platform: 'node',
    target: 'node22',
    // In the library names stay, for stack traces: esbuild's `keepNames` would cost a call for each closure made. The command is read at each start, so it is as
    // small as can be.
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'ascii',
    legalComments: 'none',
    sourcemap: process.env.WRIT_SOURCEMAP ? 'linked' : false,
    define: buildInfo(),
    plugins: [builtinsOnDemand, inlineOpcodes],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const unbundled = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (unbundled.length > 0) throw new Error(`dist/ would need packages beside it: ${unbundled.map(({ path }) => path).join(', ')}`);
  return outputFiles;
}

/** Leaves the code that V8 made of the command in typical runs where `dist/main.js` looks for it. */
function compileCommand(): void {
  const learner = join(dist, 'learn.mjs');
  writeFileSync(learner, `${mainModule}process.on('exit', () => fs.writeFileSync(cache, script.createCachedData()));\n${runScript}`);
  for (const args of typicalRuns) {
    const done = spawnSync(process.execPath, [learner, ...args], { cwd: root, encoding: 'utf8' });
    if (done.status !== 0)
      console.error(`build: 'writ ${args.join(' ')}' failed, so such commands will start slowly:\n${done.stdout}${done.stderr}`);
  }
  rmSync(learner);
  rmSync(join(dist, 'learned.tar.gz'), { force: true });
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
