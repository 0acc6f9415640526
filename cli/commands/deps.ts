import type { Body, RefTerm, RuleTree } from '../../compiler/index.js';
import {
  childNames,
  childOf,
  closest,
  compileOrThrow,
  isRoot,
  parseQuery,
  printTerm,
  termToJson,
} from '../../compiler/index.js';
import { missingText } from '../../engine/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { bundleFlag, dataFlag, ignoreFlag, languageVersion, v0Flag, v1Flag, yamlFlag } from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import { type Dependencies, dependenciesOf } from '../inspect/dependencies.js';
import { dependencyDot, dependencyGraph, dependencyMermaid } from '../inspect/dependency-graph.js';
import { loadBundles, loadPolicies, modulesByFile, type ParsedFile } from '../load-policies.js';
import { errorText } from '../output/error-output.js';
import { orderedJson } from '../output/ordered-json.js';
import { tableText } from '../output/table.js';

export const depsCommand: Command = {
  name: 'deps',
  use: '[query]',
  long: `Shows what a query needs: base documents, which are loaded as data, and virtual documents, which rules compute.

As a graph, each arrow is a rule that reads a rule or document. A graph without a query has all rules.`,
  examples: [
    ['Show what a decision reads', 'writ deps -d policies data.authz.allow'],
    ['The same as JSON, of a bundle', 'writ deps -f json -b bundle.tar.gz data.authz.allow'],
    ['Draw which packages read which, for Markdown', 'writ deps -d policies -f mermaid --packages'],
  ],
  flags: [
    bundleFlag,
    dataFlag,
    {
      name: 'format',
      short: 'f',
      type: ['pretty', 'json', 'dot', 'mermaid'],
      usage: 'form of the output',
      default: 'pretty',
    },
    ignoreFlag,
    { name: 'packages', type: 'bool', usage: 'with -f dot or mermaid: packages in the place of rules' },
    v0Flag,
    v1Flag,
    yamlFlag,
  ],
  async run(args, io) {
    const [query, ...others] = args.positionals;
    const format = args.flags.text('format') ?? 'pretty';
    const isGraph = format === 'dot' || format === 'mermaid';
    if (others.length > 0 || (query === undefined && !isGraph)) throw usageError('specify exactly one query argument');
    if (args.flags.on('packages') && !isGraph) throw usageError('--packages goes with --format dot or mermaid');
    try {
      const found = await analyze(query ?? 'data', args);
      io.stdout(isGraph ? asGraph(found, args.flags) : format === 'json' ? asJson(found) : asTable(found));
      for (const hint of found.hints) io.stderr(`hint: ${hint}\n`);
      return exitCodes.ok;
    } catch (error) {
      io.stderr(`${errorText(error, io)}\n`);
      return exitCodes.failure;
    }
  },
};

interface Analysis extends Dependencies {
  /** The text of the query, if it is more than the path of a document. */
  readonly query: string | undefined;
  readonly hints: readonly string[];
}

async function analyze(text: string, { flags }: Arguments): Promise<Analysis> {
  const load = { version: languageVersion(flags), ignore: flags.all('ignore') };
  const query = parseQuery(text, { regoVersion: load.version === 'v1' ? 'v1' : 'v0' });
  let parsed: readonly ParsedFile[] = flags.has('data') ? (await loadPolicies(flags.all('data'), load)).parsed : [];
  if (flags.has('bundle')) parsed = [...parsed, ...(await loadBundles(flags.all('bundle'), load)).parsed];
  const compiled = compileOrThrow({ modules: modulesByFile(parsed) });
  const found = dependenciesOf(query, compiled);
  const ofQuery = found.reads.flatMap(({ from, to }) => (from === undefined && !('module' in to) ? [to] : []));
  const hints = ofQuery.flatMap((ref) => misspelt(compiled.ruleTree, ref) ?? []);
  return { ...found, query: isPath(query) ? undefined : text.trim(), hints };
}

function isPath(query: Body): boolean {
  const [expr, ...more] = query;
  return more.length === 0 && expr?.kind === 'term' && expr.term.type === 'ref' && expr.with.length === 0;
}

/** The hint for a path to which no rule leads, where a rule or a package has a name like it. */
function misspelt(tree: RuleTree, { terms: [head, ...path] }: RefTerm): string | undefined {
  if (!isRoot(head, 'data')) return undefined;
  let node = tree;
  const above: string[] = [];
  for (const term of path) {
    const child = childOf(node, term);
    if (term.type !== 'string') return undefined;
    if (child === undefined) {
      const meant = closest(term.value, childNames(node));
      return meant && missingText({ above, name: term.value, meant });
    }
    node = child;
    above.push(term.value);
  }
  return undefined;
}

function asGraph(found: Analysis, flags: FlagValues): string {
  const graph = dependencyGraph(found, { query: found.query, packages: flags.on('packages') });
  return flags.text('format') === 'dot' ? dependencyDot(graph) : dependencyMermaid(graph);
}

function asJson({ base, virtual }: Dependencies): string {
  const refs = (list: readonly RefTerm[]) =>
    list.length === 0 ? undefined : list.map((ref) => ref.terms.map((term) => termToJson(term)));
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
