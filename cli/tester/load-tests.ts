/** The sources of tests: policies, documents, fixtures, snapshots, and tables of cases. */
import type { CompileCapabilities } from '../../compiler/index.js';
import { languageVersion } from '../compile-flags.js';
import { usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { type LoadOptions, loadBundles, loadPolicies, type ParsedFile, type Policies } from '../load-policies.js';

/** Whether a module may name a table of cases. */
function mayNameTable({ module }: ParsedFile): boolean {
  return module.comments.some(({ text }) => /^\s*cases:\s/.test(text));
}

/** Loads loose files but for tables of cases: these are no data. */
async function loadFolders(paths: readonly string[], options: LoadOptions): Promise<Policies> {
  const loading = loadPolicies(paths, options);
  // Where two tables are data, they have the same names.
  const written = await loading.catch(
    async () => await loadPolicies(paths, { ...options, onlyRego: true }).catch(() => undefined),
  );
  if (written?.parsed.some(mayNameTable) !== true) return await loading;
  const { tablesOf } = await import('./tables/case-files.js');
  const tables = written.parsed.flatMap((file) => tablesOf(file).map(({ path }) => path));
  return await loadPolicies(paths, { ...options, without: new Set(tables) });
}

/**
 * Loads policies with their documents: fixtures, snapshots and tables of cases among them. Rejects
 * with an Error that names a source.
 */
export async function loadTests(
  paths: readonly string[],
  flags: FlagValues,
  capabilities: CompileCapabilities | undefined,
  { progress }: Io,
): Promise<Policies> {
  const options = {
    version: languageVersion(flags),
    capabilities,
    ignore: flags.all('ignore'),
    bundleFailure: 'unable to load bundle',
    progress,
  };
  const loaded = flags.on('bundle') ? await loadBundles(paths, options) : await loadFolders(paths, options);
  const fixtures = flags.text('fixtures');
  const data =
    fixtures === undefined
      ? loaded.data
      : await (await import('./tables/fixtures.js')).withFixtures(loaded.data, fixtures);
  const snapshots = flags.text('snapshots');
  if (snapshots === undefined && flags.on('update')) throw usageError('--update needs --snapshots FILE');
  const parsed = loaded.parsed.some(mayNameTable)
    ? await (await import('./tables/case-files.js')).withTables(loaded.parsed)
    : loaded.parsed;
  if (snapshots === undefined) return { ...loaded, parsed, data };
  const { withSnapshots } = await import('./snapshots/snapshots.js');
  return { ...loaded, parsed, data: withSnapshots(data, snapshots, flags.on('update')) };
}
