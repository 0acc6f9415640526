/** Packages that import each other. */

import { leadingKeys, nameOfKey, type RefTerm } from '../../../../compiler/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import { foundAt, type LintFile } from '../../frame/lint-file.js';
import type { FileFacts, LintRule } from '../../frame/lint-rule.js';
import { importPath } from './imports.js';
import { allRefs } from './resolution.js';

interface Facts {
  readonly package: string;
  /** Paths that the file imports or names. */
  readonly names: readonly { readonly path: string; readonly at: FoundAt }[];
}

type Files = readonly FileFacts<Facts>[];

export const circularRules: readonly LintRule[] = [
  {
    name: 'circular-import',
    category: 'imports',
    finds: 'Packages import each other',
    collect: namesOf,
    conclude: (files: Files, { report }) => {
      for (const cycle of cyclesOf(files)) {
        const edge = cycle.flatMap((target) => cycle.flatMap((source) => edgesOf(files, source, target)))[0];
        if (edge) report(edge.file, { ...edge.at, text: null }, `Packages import each other: ${cycle.join(', ')}`);
      }
    },
  },
];

/** The places at which the files of a package name another one. */
function edgesOf(files: Files, source: string, target: string): { file: string; at: FoundAt }[] {
  return files
    .filter(({ facts }) => facts.package === source)
    .flatMap(({ file, facts }) => facts.names.filter(({ path }) => path === target).map(({ at }) => ({ file, at })));
}

function namesOf(file: LintFile): Facts {
  const names = file.module.imports.map((node) => ({ path: importPath(node).join('.'), at: foundAt(node.path.loc) }));
  const add = ({ terms, loc }: RefTerm): void => {
    const keys = leadingKeys(terms.slice(1));
    if (nameOfKey(terms[0]) !== 'data' || keys.length < terms.length - 1) return;
    names.push({ path: ['data', ...keys].join('.'), at: foundAt(loc) });
  };
  for (const { ref, isCall } of file.once(allRefs)) if (!isCall) add(ref);
  return { package: ['data', ...file.packagePath].join('.'), names };
}

/** Sets of packages that reach each other, each sorted. */
function cyclesOf(files: Files): readonly (readonly string[])[] {
  const edges = new Map<string, Set<string>>();
  for (const { facts } of files) edges.set(facts.package, edges.get(facts.package) ?? new Set());
  for (const { facts } of files)
    for (const { path } of facts.names) if (edges.has(path)) edges.get(facts.package)!.add(path);
  const reached = new Map([...edges.keys()].map((name) => [name, reachable(edges, name)]));
  const cycles = new Map<string, readonly string[]>();
  for (const [name, all] of reached) {
    if (!all.has(name)) continue;
    const members = [...all].filter((other) => reached.get(other)?.has(name)).sort();
    cycles.set(members.join(), members);
  }
  return [...cycles.values()];
}

function reachable(edges: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const left = [...(edges.get(start) ?? [])];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    left.push(...(edges.get(next) ?? []));
  }
  return seen;
}
