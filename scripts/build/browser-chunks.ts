import { basename } from 'node:path';
import type { CodeSplittingNameFunction } from 'rolldown';

/** What a name may ask about modules. */
type Graph = Parameters<CodeSplittingNameFunction>[1];

interface Uses {
  /** What users of the first entry do, one after the other: what two need is of the first. */
  readonly steps: Named;
  /** What some of them do besides. */
  readonly besides: Named;
}

/** The paths of modules that are loaded on demand for something, by its name. */
type Named = Readonly<Record<string, readonly string[]>>;

/**
 * Names the chunk of a module after what needs it. Modules that are loaded together are one chunk:
 * many small chunks take more bytes after gzip, and more rounds to load.
 *
 * What a module imports is needed wherever the module is. So a chunk imports only chunks that are
 * needed in more places: never one that waits for it, nor one that its page has no use for.
 * @param entries paths of entries, by names that begin with different letters
 */
export function chunksByUse(
  entries: Readonly<Record<string, string>>,
  { steps, besides }: Uses,
): CodeSplittingNameFunction {
  const [first] = Object.values(entries);
  const own = new Set(Object.values(entries));
  const useOf = new Map(
    Object.entries({ ...steps, ...besides }).flatMap(([name, paths]) => paths.map((path) => [path, name] as const)),
  );
  return (id, graph) => {
    // An entry exports its own names alone: what others import is not with it.
    if (own.has(id)) return null;
    const atStart = users(id, graph, false);
    const everywhere = users(id, graph, true);
    // A letter for each entry that needs it, a capital one where the entry starts with it.
    const letters = Object.entries(entries).map(([[letter = ''], path]) =>
      atStart.has(path) ? letter.toUpperCase() : everywhere.has(path) ? letter : '',
    );
    const onDemand = [...atStart].filter((path) => graph.getModuleInfo(path)!.dynamicImporters.length > 0);
    const needed = new Set(onDemand.map((path) => useOf.get(path) ?? basename(path).split('.')[0]!));
    const step = Object.keys(steps).find((name) => needed.has(name)) ?? (needed.size > 1 ? 'shared' : [...needed][0]);
    return `${atStart.has(first!) ? 'start' : (step ?? 'start')}-${letters.join('')}`;
  };
}

/** The module and those that import it, also through others. */
function users(id: string, graph: Graph, onDemand: boolean): ReadonlySet<string> {
  const found = new Set([id]);
  for (const path of found) {
    const { importers, dynamicImporters } = graph.getModuleInfo(path)!;
    for (const user of onDemand ? [...importers, ...dynamicImporters] : importers) found.add(user);
  }
  return found;
}
