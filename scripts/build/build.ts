// Builds the files that are not in the repository: the plan validator, the bundles in dist/, and
// their type declarations. Runs after `npm ci`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import { fingerprint, stampFile } from '../fingerprint.mjs';
import { bundleBrowser } from './bundle-browser.js';
import { bundleCommand } from './command/bundle-command.js';
import { commandModules, packageImports } from './command/command-modules.js';
import { compile } from './compile.js';
import { entryPoints, entrySources, entryTypes } from './entries.js';
import { generateValidator } from './generate-validator.js';
import { bundleLibrary } from './library/bundle-library.js';
import { bundlePackages } from './library/packages.js';
import { licences } from './licences.js';
import { moduleUnits } from './module-units.js';
import { bundlePage } from './pages/bundle-page.js';
import { bundlePlayground } from './pages/bundle-playground.js';
import { bundleUi } from './pages/bundle-ui.js';
import { sbom } from './sbom.js';
import { sharedRuntime, unitsBeside } from './shared-runtime.js';
import { bundleDeclarations } from './types/bundle-declarations.js';
import { unpluginLoaders } from './unplugin-loaders.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const dist = join(root, 'dist');

const command = 'cli/main.ts';
/**
 * The scripts of threads are loaded by path from the directory of the library's entry; no file
 * imports them.
 */
const threads = { 'evaluation-thread': 'library/evaluation-thread.ts' };
const webThreads = { 'evaluation-thread': 'library/web/evaluation-thread.ts' };

async function main(): Promise<void> {
  // Computed first: a source that changes during the build leaves dist/ out of date.
  const sources = fingerprint(root);
  generateValidator(root);
  const options = { absWorkingDir: root, define: buildInfo() };
  const library = { ...entryPoints('node'), ...threads };
  const compiled = compile(root, [command, ...Object.values(threads), ...entrySources]);
  const packages = await bundlePackages(
    packageImports([command], compiled),
    packageImports(Object.values(library), compiled),
    options,
  );
  const bundles = [
    { files: packages.scripts, metafile: packages.metafile },
    await bundleLibrary(dist, packages, { ...options, entryPoints: { ...library, ...unpluginLoaders } }),
    await bundleBrowser(entryPoints('browser'), { ...options, workers: webThreads }),
  ];
  const units = await moduleUnits(options);
  const page = await bundlePage(options);
  const playground = await bundlePlayground(options);
  const ui = await bundleUi(options);
  const metafiles = [
    ...[...bundles, units, playground].map(({ metafile }) => metafile),
    ...[page, ui].flatMap((bundled) => bundled.metafiles),
  ];
  const scripts = await bundleCommand(await commandModules(command, compiled, options), packages.scripts);
  const types = bundleDeclarations(entryTypes, compiled);
  // Only after a successful bundle: a failed build keeps the last good one.
  rmSync(dist, { recursive: true, force: true });
  for (const { path, contents } of [...bundles, page, playground, ui, { files: scripts }, { files: types }].flatMap(
    ({ files }) => files,
  )) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), contents);
  }
  mkdirSync(join(dist, 'shared'), { recursive: true });
  const shared = sharedRuntime(units.units);
  writeFileSync(join(dist, 'shared/module-runtime.js'), shared);
  writeFileSync(
    join(dist, 'module-units.json.gz'),
    gzipSync(JSON.stringify(unitsBeside(shared, units.units)), { level: 9 }),
  );
  writeFileSync(join(dist, 'shared/package.json'), '{ "type": "module", "sideEffects": false }\n');
  // The sources are ES modules, but dist/ and its declarations are CommonJS.
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(join(dist, 'licences.txt'), licences(root, metafiles));
  writeFileSync(join(dist, 'sbom.json'), sbom(root, metafiles));
  writeFileSync(join(root, stampFile), sources);
}

/** The names that `engine/build-info.ts` reads, each with its literal. */
function buildInfo(): Record<string, string> {
  return {
    WRIT_VERSION: JSON.stringify(manifest.version),
    WRIT_COMMIT: JSON.stringify(commit()),
    WRIT_TIMESTAMP: JSON.stringify(
      timestamp()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    ),
    WRIT_HOSTNAME: JSON.stringify(hostname()),
  };
}

/** The same sources give the same bytes: of committed ones the time is that of the commit. */
function timestamp(): Date {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return new Date(Number(given) * 1000);
  const head = commit();
  const committed = head === '' || head.endsWith('-dirty') ? undefined : git('log', '-1', '--format=%ct');
  return committed === undefined ? new Date() : new Date(Number(committed) * 1000);
}

function commit(): string {
  // An image is built from files without their repository.
  const given = process.env.SOURCE_COMMIT ?? '';
  if (given !== '') return given;
  // A package unpacked inside another repository must not report that repository's commit.
  if (!existsSync(join(root, '.git'))) return '';
  const head = git('rev-parse', 'HEAD');
  if (head === undefined) return '';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? head : `${head}-dirty`;
}

function git(...args: string[]): string | undefined {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

try {
  await main();
} catch (error) {
  // esbuild has already printed its own errors at length.
  console.error(`build: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  process.exitCode = 1;
}
