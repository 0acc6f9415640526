/** Divides a large repository, so that each thread compiles only the packages of its own tests. */
import type { CompileCapabilities } from '../../../compiler/resolve/options.js';
import { type ParsedFile, parseFile, type SourceFile } from '../../policies.js';
import { PackageGraph, type PackageNode } from './package-graph.js';
import { textRefs } from './text-refs.js';

/** Files that compile as they do among all files, in their order. */
export interface Shard {
  readonly files: readonly SourceFile[];
  /** Those whose tests it runs; other shards may have some of its files for their own tests. */
  readonly own: ReadonlySet<SourceFile>;
}

/** With shorter texts a shard saves less time than a thread takes, which must warm up as well. */
const minShard = 300_000;

/**
 * The text that the first thread compiles and runs while another one starts, and ends. The first
 * shard is longer by this, so that all end at about the same time.
 */
const startOfThread = 70_000;

/** With more of the texts in one shard, dividing saves too little. */
const maxPart = 0.8;

/** With more dependencies in all, dividing takes too long. */
const maxDependencies = 300_000;

interface Draft {
  readonly packages: Set<PackageNode>;
  /** The length of their texts. */
  size: number;
  /** The length of the texts for which the main thread has time before this one is ready. */
  readonly delay: number;
}

/** Whether compiling takes a second and more. */
export function isLarge(files: readonly SourceFile[]): boolean {
  return sizeOf(files) >= minShard;
}

function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { file }) => sum + file.text.length, 0);
}

/**
 * Undefined where dividing does not pay.
 * @param least the length of the texts for each shard
 */
export function shardsOf(files: readonly SourceFile[], most: number, least = minShard): readonly Shard[] | undefined {
  const total = sizeOf(files);
  const count = Math.min(most, Math.floor(total / least));
  if (count < 2) return undefined;
  const graph = PackageGraph.of(files);
  const delay = Math.min(startOfThread, least / 3);
  const drafts = graph && divided(graph, count, maxPart * total, delay)?.filter(({ size }) => size > 0);
  if (drafts === undefined || drafts.length < 2 || drafts.some(({ size }) => size > maxPart * total)) return undefined;
  const taken = new Set<PackageNode>();
  return drafts.map(({ packages }) => {
    const own = [...packages].filter((node) => !taken.has(node));
    for (const node of own) taken.add(node);
    const within = new Set([...packages].flatMap(({ files }) => files));
    return { files: files.filter((file) => within.has(file)), own: new Set(own.flatMap(({ files }) => files)) };
  });
}

/**
 * Each package is in a draft with its dependencies; drafts get about the same size. Undefined where
 * the packages depend on too many others.
 * @param most the length of the texts on which one package may depend
 * @param delay of the drafts after the first one
 */
function divided(graph: PackageGraph, count: number, most: number, delay: number): readonly Draft[] | undefined {
  const drafts = Array.from({ length: count }, (_, i): Draft => ({ packages: new Set(), size: 0, delay: i === 0 ? 0 : delay }));
  const covered = new Set<PackageNode>();
  const closures: { readonly node: PackageNode; readonly closure: ReadonlySet<PackageNode> }[] = [];
  let dependencies = 0;
  for (const node of graph.packages) {
    const closure = graph.closure(node);
    dependencies += closure.size;
    if (dependencies > maxDependencies || textOf(closure) > most) return undefined;
    closures.push({ node, closure });
  }
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

function textOf(packages: Iterable<PackageNode>): number {
  let size = 0;
  for (const node of packages) size += node.size;
  return size;
}

/** The draft that is the smallest with some more packages. */
function smallestWith(added: ReadonlySet<PackageNode>, drafts: readonly Draft[]): Draft {
  let smallest = drafts[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const draft of drafts) {
    let size = draft.size + draft.delay;
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
    if (JSON.stringify(textRefs(file.text)?.package) !== JSON.stringify(path)) throw new Error(`${name} is of another package`);
    return { name, file, module };
  });
}
