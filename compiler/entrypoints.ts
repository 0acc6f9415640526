/** Entrypoints of a plan: documents by their names. */
import { sortStrings } from '../values/compare.js';
import type { Module, Term } from './ast/nodes.js';

export interface Entrypoint {
  /** The path in the source, which is the plan's name. */
  readonly name: string;
  readonly path: readonly string[];
}

/** The entrypoints that annotations of packages and rules declare, in the order of their paths. */
export function annotatedEntrypoints(modules: Iterable<Module>): Entrypoint[] {
  const found = new Map<string, Entrypoint>();
  for (const { annotations } of modules) {
    for (const { entrypoint, scope, path } of annotations) {
      if (!entrypoint || (scope !== 'package' && scope !== 'document')) continue;
      const keys = stringsOf(path);
      if (keys !== undefined) found.set(keys.join('/'), { name: keys.join('/'), path: keys });
    }
  }
  return sortStrings([...found.keys()]).map((name) => found.get(name)!);
}

/** The constants of a path below `data`; undefined if one of them is not a string. */
export function stringsOf(terms: readonly Term[]): string[] | undefined {
  const keys = terms.slice(1).map((term) => (term.type === 'string' ? term.value : undefined));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}
