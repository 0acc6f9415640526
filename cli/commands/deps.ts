import { termToJson } from '../../compiler/ast/json.js';
import type { RefTerm } from '../../compiler/ast/nodes.js';
import { printTerm } from '../../compiler/ast/print.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { bundleFlag, dataFlag, ignoreFlag, languageVersion, v0Flag, v1Flag, yamlFlag } from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { type Dependencies, dependenciesOf } from '../inspect/dependencies.js';
import { errorText } from '../output/error-output.js';
import { orderedJson } from '../output/ordered-json.js';
import { tableText } from '../output/table.js';
import { loadBundles, loadPolicies, modulesOf, type ParsedFile } from '../policies.js';

export const depsCommand: Command = {
  name: 'deps',
  use: '<query>',
  long: `Shows what a query needs: base documents, which are loaded as data, and virtual documents, which rules compute.`,
  examples: [
    ['Show what a decision reads', 'writ deps -d policies data.authz.allow'],
    ['The same as JSON, of a bundle', 'writ deps -f json -b bundle.tar.gz data.authz.allow'],
  ],
  flags: [
    bundleFlag,
    dataFlag,
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the output', default: 'pretty' },
    ignoreFlag,
    v0Flag,
    v1Flag,
    yamlFlag,
  ],
  async run(args, io) {
    if (args.positionals.length !== 1) throw usageError('specify exactly one query argument');
    try {
      const found = await analyze(args);
      io.stdout(args.flags.text('format') === 'json' ? asJson(found) : asTable(found));
      return exitCodes.ok;
    } catch (error) {
      io.stderr(`${errorText(error, io)}\n`);
      return exitCodes.failure;
    }
  },
};

async function analyze({ flags, positionals }: Arguments): Promise<Dependencies> {
  const load = { version: languageVersion(flags), ignore: flags.all('ignore') };
  const query = parseQuery(positionals[0]!, { regoVersion: load.version === 'v1' ? 'v1' : 'v0' });
  let parsed: readonly ParsedFile[] = flags.has('data') ? (await loadPolicies(flags.all('data'), load)).parsed : [];
  if (flags.has('bundle')) parsed = [...parsed, ...(await loadBundles(flags.all('bundle'), load)).parsed];
  return dependenciesOf(query, compileOrThrow({ modules: modulesOf(parsed) }));
}

function asJson({ base, virtual }: Dependencies): string {
  const refs = (list: readonly RefTerm[]) => (list.length === 0 ? undefined : list.map((ref) => ref.terms.map((term) => termToJson(term))));
  return orderedJson({ base: refs(base), virtual: refs(virtual) });
}

function asTable({ base, virtual }: Dependencies): string {
  const columns = [
    ['Base Documents', base.map(printTerm)],
    ['Virtual Documents', virtual.map(printTerm)],
  ] as const;
  const filled = columns.filter(([, refs]) => refs.length > 0);
  if (filled.length === 0) return '';
  const rowCount = Math.max(...filled.map(([, refs]) => refs.length));
  const rows = Array.from({ length: rowCount }, (_, i) => filled.map(([, refs]) => refs[i] ?? ''));
  return tableText(
    filled.map(([title]) => title),
    rows,
    { capitals: true },
  );
}
