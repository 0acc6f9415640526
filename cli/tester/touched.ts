/** The tests that a change of files touches: those that read a changed rule or document. */
import type { Compiled, CompiledRule, Ref, Term } from '../../compiler/index.js';
import { equal, isObject, lookup, objectKeys, type PlainObject, type Value } from '../../values/index.js';
import type { ParsedFile } from '../load-policies.js';

/** The sources of tests. */
export interface TestSources {
  readonly parsed: readonly ParsedFile[];
  readonly data: PlainObject;
  readonly compiled: Compiled;
}

export interface SourceChange {
  /** Names of modules that are new, gone, or have another text. */
  readonly files: ReadonlySet<string>;
  /** Paths of documents with other values. */
  readonly data: readonly (readonly string[])[];
}

/** Undefined where nothing is different: something else has changed. */
export function changeBetween(before: TestSources, after: TestSources): SourceChange | undefined {
  const [old, current] = [textsOf(before), textsOf(after)];
  const names = new Set([...old.keys(), ...current.keys()]);
  const files = new Set([...names].filter((name) => old.get(name) !== current.get(name)));
  const data = [...differentPaths(before.data, after.data)];
  return files.size === 0 && data.length === 0 ? undefined : { files, data };
}

/** A file may stand in a bundle under the name of another one: its text alone decides. */
function textsOf({ parsed }: TestSources): ReadonlyMap<string, string> {
  return new Map(parsed.map(({ name, file }) => [name, file.text]));
}

/** The most keys of a path: a document below is compared as a whole. */
const deepest = 8;

function* differentPaths(
  before: Value | undefined,
  after: Value | undefined,
  path: readonly string[] = [],
): Generator<readonly string[]> {
  if (before !== undefined && after !== undefined && equal(before, after)) return;
  const isLeaf =
    before === undefined || after === undefined || !isObject(before) || !isObject(after) || path.length === deepest;
  const keys = isLeaf ? [] : [...new Set([...objectKeys(before), ...objectKeys(after)])];
  if (isLeaf || keys.some((key) => typeof key !== 'string')) yield path;
  else
    for (const key of keys as string[]) yield* differentPaths(lookup(before, key), lookup(after, key), [...path, key]);
}

/** The rules that a change touches, in one state of the policies. */
export function touchedRules({ graph }: Compiled, { files, data }: SourceChange): ReadonlySet<CompiledRule> {
  const touched = new Set<CompiledRule>();
  // Each group stands behind those that it reads.
  for (const group of graph.groups) {
    for (const rule of group) {
      const reads = () => rule.reads.some((refs) => refs.some((ref) => data.some((path) => mayMeet(ref, path))));
      const isTouched =
        files.has(rule.module.name) || [...graph.dependencies(rule)].some((read) => touched.has(read)) || reads();
      if (isTouched) touched.add(rule);
    }
  }
  return touched;
}

/** Whether a ref into data may read a part of the document at a path, or the document around it. */
function mayMeet(ref: Ref, path: readonly string[]): boolean {
  return path.every((key, i) => {
    const term: Term | undefined = ref[i + 1];
    return term === undefined || term.type !== 'string' || term.value === key;
  });
}
