import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { chunksByUse } from './browser-chunks.js';
import { browserPlugins } from './browser-plugins.js';
import type { BuiltFile } from './library/split-modules.js';
import type { Inputs } from './licences.js';
import { plainText } from './plain-text.js';

/**
 * What pages do, one step after the other, with the modules that are loaded on demand for it.
 * Others, such as families of built-ins and packages, are chunks of their own.
 */
const steps = {
  open: [
    'library/sources/open-sources.ts',
    'library/sources/web-bundles.ts',
    'engine/bundle/data-files.ts',
    'engine/policies/bundles/bundle-changes.ts',
  ],
  compile: [
    'library/sources/parse-sources.ts',
    'engine/policies/bundles/unowned.ts',
    'engine/policies/compile-policies.ts',
    'engine/policies/module-value.ts',
    'engine/policies/next-policies.ts',
    'engine/policies/path-queries.ts',
    'engine/policies/policy-changes.ts',
    'engine/plan-program.ts',
  ],
};

const besides = {
  query: [
    'engine/evaluation/partial-query.ts',
    'engine/evaluation/plan-trace.ts',
    'engine/evaluation/rule-labels.ts',
    'engine/evaluation/trace-question.ts',
    'engine/watches/watches.ts',
    'engine/why/why-decision.ts',
    'library/filters/filter.ts',
    'library/partial/partial-decision.ts',
  ],
  drafts: [
    'node_modules/ajv-draft-04/dist/refs/json-schema-draft-04.json',
    'node_modules/ajv/dist/refs/json-schema-draft-06.json',
    'node_modules/ajv/dist/refs/json-schema-draft-07.json',
  ],
  threads: ['library/web/web-threads.ts', 'runtime/bytecode/pack.ts', 'runtime/codegen/packed-executable.ts'],
};

interface BrowserOptions {
  readonly absWorkingDir: string;
  readonly define: Record<string, string>;
  /** Of scripts that no module imports, such as those of workers: sources by names of files. */
  readonly workers: Readonly<Record<string, string>>;
}

/**
 * Bundles entries for browsers, workers and edge runtimes, as ES modules: one for each to start
 * with, and chunks that they share and load when they are first needed.
 * @param entries sources by names of files
 */
export async function bundleBrowser(
  entries: Readonly<Record<string, string>>,
  { absWorkingDir, define, workers }: BrowserOptions,
): Promise<{ files: BuiltFile[]; metafile: Inputs }> {
  const inRoot = (path: string) => join(absWorkingDir, path);
  const input = Object.fromEntries(
    Object.entries({ ...entries, ...workers }).map(([name, source]) => [name, inRoot(source)]),
  );
  const bundle = await rolldown({
    cwd: absWorkingDir,
    input,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'module', 'default'], mainFields: ['module', 'main'] },
    transform: { target: 'es2022', define },
    tsconfig: false,
    preserveEntrySignatures: 'allow-extension',
    plugins: [...browserPlugins(absWorkingDir)],
    // Where a module stands is up to the chunks, and a busy machine is no fault.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const placed = (named: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(named).map(([name, paths]) => [name, paths.map(inRoot)]));
  const uses = { steps: placed(steps), besides: placed(besides) };
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    comments: false,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: {
      groups: [{ debugName: 'by use', name: chunksByUse(input, uses), includeDependenciesRecursively: false }],
    },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const extended = chunks.filter(
    ({ isEntry, fileName }) => isEntry && chunks.some(({ imports }) => imports.includes(fileName)),
  );
  if (extended.length > 0)
    throw new Error(`chunks would import from entries: ${extended.map(({ name }) => name).join(', ')}`);
  // Virtual modules begin with NUL.
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => !id.startsWith('\0')));
  const lost = Object.values({ ...uses.steps, ...uses.besides }).flatMap((paths) =>
    paths.filter((path) => !modules.includes(path)),
  );
  if (lost.length > 0) throw new Error(`no module for browsers, so in no chunk: ${lost.join(', ')}`);
  const scripts = chunks.map(({ fileName, code }) => ({ path: join('browser', fileName), contents: plainText(code) }));
  return {
    files: [...scripts, { path: 'browser/package.json', contents: '{ "type": "module", "sideEffects": false }\n' }],
    metafile: { inputs: Object.fromEntries(modules.map((id) => [relative(absWorkingDir, id), {}])) },
  };
}
