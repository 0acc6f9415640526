/** The names of all policies of a workspace. */

import { BuiltinTable, exportsOf, type Module, packageKey } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { findNames, type ModuleNames } from './module-names.js';
import { anyKey, areAlike, beginsAlike, documentKey, type Occurrence } from './symbol.js';
import type { SamePaths } from './value-paths.js';

/** The policies of a workspace, in the version of now. */
interface Policies {
  readonly revision: number;
  readonly policies: Iterable<PolicyFile>;
}

/** A name in a file. */
export interface PlacedOccurrence {
  readonly policy: PolicyFile;
  readonly occurrence: Occurrence;
}

/** The occurrences of one path in a policy. */
interface PathPlaces {
  readonly policy: PolicyFile;
  readonly occurrences: readonly Occurrence[];
}

interface AllDocuments {
  readonly revision: number;
  /** Pairs of paths of one document, by the root of the first. */
  readonly same: ReadonlyMap<string, readonly SamePaths[]>;
  readonly byKey: ReadonlyMap<string, readonly PathPlaces[]>;
  readonly byLastStep: ReadonlyMap<string, readonly PathPlaces[]>;
  /** The paths with a step of any key. */
  readonly anyByLastStep: ReadonlyMap<string, readonly PathPlaces[]>;
  /** Paths whose last key policies have as a value, by their root. */
  readonly computed: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Paths with a value whose fields policies do not state, by their root. */
  readonly opaque: ReadonlyMap<string, readonly (readonly string[])[]>;
}

interface KnownNames {
  readonly exports: ReadonlySet<string>;
  readonly names: ModuleNames;
}

const noNames: ModuleNames = {
  occurrences: [],
  byKey: new Map(),
  same: [],
  computed: [],
  opaque: [],
  scopes: [],
};
const noExports: ReadonlySet<string> = new Set();

export class NameIndex {
  readonly #workspace: Policies;
  readonly #builtins = new BuiltinTable(undefined);
  readonly #known = new WeakMap<Module, KnownNames>();
  #documents: AllDocuments | undefined;
  #exports: { readonly revision: number; readonly byPackage: ReadonlyMap<string, ReadonlySet<string>> } | undefined;

  constructor(workspace: Policies) {
    this.#workspace = workspace;
  }

  get builtins(): BuiltinTable {
    return this.#builtins;
  }

  /** The names of a policy. */
  of({ module, text, parsed }: PolicyFile): ModuleNames {
    if (module === undefined) return noNames;
    const exports = this.exportsOf(module);
    const known = this.#known.get(module);
    if (known !== undefined && isSame(known.exports, exports)) return known.names;
    const names = findNames(module, exports, this.#builtins, { text, stretches: parsed.broken });
    this.#known.set(module, { exports, names });
    return names;
  }

  /** The names that the rules of a module's package define, in all its files. */
  exportsOf(module: Module): ReadonlySet<string> {
    const { revision, policies } = this.#workspace;
    if (this.#exports?.revision !== revision) {
      const modules = [...policies].flatMap((policy) => policy.module ?? []);
      this.#exports = { revision, byPackage: exportsOf(modules) };
    }
    return this.#exports.byPackage.get(packageKey(module.package)) ?? noExports;
  }

  /** The name at an offset: the shortest, if several are there. */
  at(policy: PolicyFile, offset: number): Occurrence | undefined {
    let found: Occurrence | undefined;
    for (const each of this.of(policy).occurrences) {
      if (each.start > offset) break;
      if (each.end < offset) continue;
      if (found === undefined || each.end - each.start <= found.end - found.start) found = each;
    }
    return found;
  }

  /** All places of what a key stands for, but for documents. */
  *places(key: string): Iterable<PlacedOccurrence> {
    for (const policy of this.#workspace.policies)
      for (const occurrence of this.of(policy).byKey.get(key) ?? []) yield { policy, occurrence };
  }

  /** All places of a document: a step of any key in one of the paths is like each key. */
  *placesOf(path: readonly string[]): Iterable<PlacedOccurrence> {
    const { byKey, byLastStep, anyByLastStep } = this.#all;
    const last = path.at(-1) ?? '';
    const isExact = !path.includes(anyKey);
    const exact = isExact ? (byKey.get(documentKey(path)) ?? []) : [];
    for (const { policy, occurrences } of exact) for (const occurrence of occurrences) yield { policy, occurrence };
    for (const { policy, occurrences } of (isExact ? anyByLastStep : byLastStep).get(last) ?? [])
      if (areAlike(occurrences[0]!.path!, path)) for (const occurrence of occurrences) yield { policy, occurrence };
  }

  /** The rules and package statements that define a document of a path. */
  *definitions(path: readonly string[]): Iterable<PlacedOccurrence> {
    for (const place of this.placesOf(path)) {
      const { role } = place.occurrence;
      if (role === 'definition' || role === 'package') yield place;
    }
  }

  /**
   * The paths of a document: that of a rule and of the document that is its value, of an argument
   * and of the parameter. With `isWide`, keys that are read together with others are any keys.
   */
  *pathsOf(path: readonly string[], isWide: boolean): Iterable<readonly string[]> {
    const found = new Map([[documentKey(path), path]]);
    const add = (other: readonly string[]): void => {
      if (other.length <= path.length + mostSteps && !repeats(other) && found.size < mostPaths)
        found.set(documentKey(other), other);
    };
    for (const each of found.values()) {
      yield each;
      for (const [a, b] of this.#all.same.get(each[0]!) ?? [])
        if (each.length > a.length && beginsAlike(each, a)) add([...b, ...each.slice(a.length)]);
      if (!isWide) continue;
      for (const { occurrences } of this.#all.anyByLastStep.get(each.at(-1)!) ?? []) {
        const other = occurrences[0]!.path!;
        if (areAlike(other, each)) add(each.map((step, i) => (other[i] === anyKey ? anyKey : step)));
      }
    }
  }

  /** The documents of all policies, in the version of now. */
  get #all(): AllDocuments {
    const { revision, policies } = this.#workspace;
    if (this.#documents?.revision !== revision) {
      const names = [...policies].map((policy) => ({ policy, ...this.of(policy) }));
      const pairs = names.flatMap(({ same }) =>
        same.flatMap(([a, b]): SamePaths[] => [
          [a, b],
          [b, a],
        ]),
      );
      const places = names.flatMap(({ policy, byKey }) =>
        [...byKey.values()].flatMap((occurrences) =>
          occurrences[0]!.path === undefined ? [] : [{ policy, occurrences }],
        ),
      );
      this.#documents = {
        revision,
        same: Map.groupBy(pairs, ([[root]]) => root!),
        byKey: Map.groupBy(places, ({ occurrences }) => occurrences[0]!.key),
        byLastStep: Map.groupBy(places, lastStep),
        anyByLastStep: Map.groupBy(
          places.filter(({ occurrences }) => occurrences[0]!.path!.includes(anyKey)),
          lastStep,
        ),
        computed: Map.groupBy(
          names.flatMap((each) => each.computed),
          ([root]) => root!,
        ),
        opaque: Map.groupBy(
          names.flatMap((each) => each.opaque),
          ([root]) => root!,
        ),
      };
    }
    return this.#documents;
  }

  /** The beginning of a path whose value no policy writes out: nothing is known of its fields. */
  opaquePart(path: readonly string[]): readonly string[] | undefined {
    const found = this.#all.opaque.get(path[0]!)?.find((each) => each.length < path.length && beginsAlike(path, each));
    return found && path.slice(0, found.length);
  }

  /** Whether policies have the last key of a path as a value. */
  isComputed(path: readonly string[]): boolean {
    return this.#all.computed.get(path[0]!)?.some((each) => areAlike(each, path)) ?? false;
  }
}

function lastStep({ occurrences }: PathPlaces): string {
  return occurrences[0]!.path!.at(-1)!;
}

/** Whether two steps follow each other twice: where a document is now itself and now its part. */
function repeats(path: readonly string[]): boolean {
  const pairs = path.slice(1).map((step, i) => `${path[i]}\u0001${step}`);
  return new Set(pairs).size < pairs.length;
}

/** Documents that are parts of themselves have paths without end. */
const mostSteps = 8;
export const mostPaths = 20_000;

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a === b || (a.size === b.size && a.isSubsetOf(b));
}
