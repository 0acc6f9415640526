/** Divides a large repository, so that each thread compiles only the packages of its own tests. */
import type { CompileCapabilities } from '../../../compiler/resolve/options.js';
import { type ParsedFile, parseFile, type SourceFile } from '../../policies.js';
import { PackageGraph, type PackageNode } from './package-graph.js';
import { textPackage } from './text-refs.js';

/** Files that compile as they do among all files, in their order. */
export interface Shard {
  readonly files: readonly SourceFile[];
  /** Those whose tests it runs; other shards may have some of its files for their own tests. */
  readonly own: ReadonlySet<SourceFile>;
}

/** A repository that is divided. */
export interface Division {
  /** How many threads compile and run. */
  readonly threads: number;
  /** At least one for each thread, the longest first: a thread takes the next one each time. */
  readonly shards: readonly Shard[];
}

/**
 * The text that the first thread compiles and runs while another one starts, and ends: where each
 * has one shard, the first one's is longer by this.
 */
const startOfThread = 70_000;

/** With shorter texts a thread saves less time than it takes, which must warm up as well. */
const minOfThread = 300_000;

/** A shard of a shorter text saves little memory. */
const minShard = 30_000;

const shardsOfThread = 16;

/** How much longer the texts of all shards together may be than all texts. */
const maxRepeated = 1.1;

/** With more of the texts in one shard, dividing saves too little. */
const maxPart = 0.8;

/** With more dependencies in all, dividing takes too long. */
const maxDependencies = 300_000;

interface Closure {
  readonly node: PackageNode;
  /** It and the packages that it may depend on. */
  readonly packages: ReadonlySet<PackageNode>;
}

interface Draft {
  readonly packages: Set<PackageNode>;
  /** The length of their texts. */
  size: number;
  /** By how much it is to be shorter than the first one. */
  readonly shorter: number;
}

/** Whether compiling takes a second and more. */
export function isLarge(files: readonly SourceFile[]): boolean {
  return sizeOf(files) >= minOfThread;
}

/** The length of all texts. */
export function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { file }) => sum + file.text.length, 0);
}

/**
 * How many threads pay.
 * @param size the length of all texts
 * @param least the length of the texts for each thread
 */
export function threadsFor(size: number, most: number, least = minOfThread): number {
  return Math.min(most, Math.floor(size / least));
}

/**
 * Undefined where dividing does not pay. A thread compiles and runs shard by shard, so that few
 * syntax trees are in memory at the same time.
 * @param least as for `threadsFor`
 */
export function divide(files: readonly SourceFile[], most: number, least = minOfThread): Division | undefined {
  const total = sizeOf(files);
  const threads = threadsFor(total, most, least);
  if (threads < 2) return undefined;
  const graph = PackageGraph.of(files);
  const closures = graph && closuresOf(graph, maxPart * total);
  if (closures === undefined) return undefined;
  for (let count = threads * shardsOfThread; count >= threads; count /= 2) {
    if (count > threads && total / count < Math.min(minShard, least)) continue;
    // The last shards are a third as long as the first ones, so that all threads end together.
    const step = total / count / (count - 1);
    const delay = Math.min(startOfThread, least / 3);
    const shorter = (i: number) => (count > threads ? i * step : i === 0 ? 0 : delay);
    const drafts = divided(closures, count, shorter).filter(({ size }) => size > 0);
    if (drafts.length < 2 || drafts.some(({ size }) => size > maxPart * total)) return undefined;
    if (count === threads || textOf(drafts) <= maxRepeated * total) return { threads, shards: shardsOf(drafts, files) };
  }
  return undefined;
}

function shardsOf(drafts: readonly Draft[], files: readonly SourceFile[]): readonly Shard[] {
  const taken = new Set<PackageNode>();
  return drafts
    .toSorted((a, b) => b.size - a.size)
    .map(({ packages }) => {
      const own = [...packages].filter((node) => !taken.has(node));
      for (const node of own) taken.add(node);
      const within = new Set([...packages].flatMap(({ files }) => files));
      return { files: files.filter((file) => within.has(file)), own: new Set(own.flatMap(({ files }) => files)) };
    });
}

/**
 * Those of the most packages first. Undefined where the packages depend on too many others.
 * @param most the length of the texts on which one package may depend
 */
function closuresOf(graph: PackageGraph, most: number): readonly Closure[] | undefined {
  const closures: Closure[] = [];
  let dependencies = 0;
  for (const node of graph.packages) {
    const packages = graph.closure(node);
    dependencies += packages.size;
    if (dependencies > maxDependencies || textOf(packages) > most) return undefined;
    closures.push({ node, packages });
  }
  return closures.sort((a, b) => b.packages.size - a.packages.size);
}

/**
 * Each package is in a draft with its dependencies.
 * @param shorter by how much a draft is to be shorter than the first one
 */
function divided(closures: readonly Closure[], count: number, shorter: (i: number) => number): readonly Draft[] {
  const drafts = Array.from({ length: count }, (_, i): Draft => ({ packages: new Set(), size: 0, shorter: shorter(i) }));
  const covered = new Set<PackageNode>();
  for (const { node, packages } of closures) {
    if (covered.has(node)) continue;
    const draft = smallestWith(packages, drafts);
    for (const each of packages) {
      covered.add(each);
      if (!draft.packages.has(each)) draft.size += each.size;
      draft.packages.add(each);
    }
  }
  return drafts;
}

function textOf(parts: Iterable<PackageNode | Draft>): number {
  let all = 0;
  for (const { size } of parts) all += size;
  return all;
}

/** The draft that is the smallest with some more packages. */
function smallestWith(added: ReadonlySet<PackageNode>, drafts: readonly Draft[]): Draft {
  let smallest = drafts[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const draft of drafts) {
    let size = draft.size + draft.shorter;
    for (const node of added) if (!draft.packages.has(node)) size += node.size;
    if (size < least) {
      least = size;
      smallest = draft;
    }
  }
  return smallest;
}

/** Throws if a file is not what its text seemed to be. */
export function parseShard(files: readonly SourceFile[], capabilities: CompileCapabilities | undefined): readonly ParsedFile[] {
  return files.map(({ name, file, version }) => {
    const module = parseFile(file, version, capabilities);
    const path = module.package.path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
    if (JSON.stringify(textPackage(file.text)) !== JSON.stringify(path)) throw new Error(`${name} is of another package`);
    return { name, file, module };
  });
}
