/** Divides a large repository, so that each thread compiles only the packages of its own tests. */
import type { ParsedFile } from '../policies.js';
import { PackageGraph, type PackageNode } from './package-graph.js';

/** Files that compile as they do among all files, in their order. */
export interface Shard {
  readonly files: readonly ParsedFile[];
  /** Those whose tests it runs; other shards may have some of its files for their own tests. */
  readonly own: ReadonlySet<ParsedFile>;
}

/** With shorter texts a shard saves less time than a thread takes, which must warm up as well. */
const minShard = 300_000;

/** With more of the texts in one shard, dividing saves too little. */
const maxPart = 0.8;

interface Draft {
  readonly packages: Set<PackageNode>;
  size: number;
}

/** Whether compiling takes a second and more. */
export function isLarge(parsed: readonly ParsedFile[]): boolean {
  return sizeOf(parsed) >= minShard;
}

function sizeOf(parsed: readonly ParsedFile[]): number {
  return parsed.reduce((sum, { file }) => sum + file.text.length, 0);
}

/**
 * Undefined where dividing does not pay.
 * @param least the length of the texts for each shard
 */
export function shardsOf(parsed: readonly ParsedFile[], most: number, least = minShard): readonly Shard[] | undefined {
  const total = sizeOf(parsed);
  const count = Math.min(most, Math.floor(total / least));
  if (count < 2) return undefined;
  const drafts = divided(new PackageGraph(parsed), count).filter(({ size }) => size > 0);
  if (drafts.length < 2 || drafts.some(({ size }) => size > maxPart * total)) return undefined;
  const taken = new Set<PackageNode>();
  return drafts.map(({ packages }) => {
    const own = [...packages].filter((node) => !taken.has(node));
    for (const node of own) taken.add(node);
    const within = new Set([...packages].flatMap(({ files }) => files));
    return { files: parsed.filter((file) => within.has(file)), own: new Set(own.flatMap(({ files }) => files)) };
  });
}

/** Each package is in a draft with its dependencies; drafts get about the same size. */
function divided(graph: PackageGraph, count: number): readonly Draft[] {
  const drafts = Array.from({ length: count }, (): Draft => ({ packages: new Set(), size: 0 }));
  const covered = new Set<PackageNode>();
  const closures = graph.packages.map((node) => ({ node, closure: graph.closure(node) }));
  // Those of the most packages first: they cover others.
  for (const { node, closure } of closures.sort((a, b) => b.closure.size - a.closure.size)) {
    if (covered.has(node)) continue;
    const draft = smallestWith(closure, drafts);
    for (const each of closure) {
      covered.add(each);
      if (!draft.packages.has(each)) draft.size += each.size;
      draft.packages.add(each);
    }
  }
  return drafts;
}

/** The draft that is the smallest with some more packages. */
function smallestWith(added: ReadonlySet<PackageNode>, drafts: readonly Draft[]): Draft {
  let smallest = drafts[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const draft of drafts) {
    let size = draft.size;
    for (const node of added) if (!draft.packages.has(node)) size += node.size;
    if (size < least) {
      least = size;
      smallest = draft;
    }
  }
  return smallest;
}
