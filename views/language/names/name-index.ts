/** The names of all policies of a workspace. */

import type { Module } from '../../../compiler/index.js';
import { BuiltinTable, exportsOf, packageKey } from '../../../compiler/index.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { findNames, type ModuleNames } from './module-names.js';
import { anyKey, areAlike, beginsAlike, documentKey, type Occurrence } from './symbol.js';

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

interface KnownNames {
  readonly exports: ReadonlySet<string>;
  readonly names: ModuleNames;
}

const noNames: ModuleNames = {
  occurrences: [],
  byKey: new Map(),
  byLastStep: new Map(),
  same: [],
  computed: [],
  scopes: [],
};
const noExports: ReadonlySet<string> = new Set();

export class NameIndex {
  readonly #workspace: Policies;
  readonly #builtins = new BuiltinTable(undefined);
  readonly #known = new WeakMap<Module, KnownNames>();
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
    const last = path.at(-1) ?? '';
    for (const policy of this.#workspace.policies) {
      const { byKey, byLastStep } = this.of(policy);
      for (const key of byLastStep.get(last) ?? []) {
        const occurrences = byKey.get(key)!;
        if (areAlike(occurrences[0]!.path!, path)) for (const occurrence of occurrences) yield { policy, occurrence };
      }
    }
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
  pathsOf(path: readonly string[], isWide: boolean): readonly (readonly string[])[] {
    const found = new Map([[documentKey(path), path]]);
    const add = (other: readonly string[]): void => {
      if (other.length <= path.length + mostSteps && found.size < mostPaths) found.set(documentKey(other), other);
    };
    for (const each of found.values()) {
      for (const policy of this.#workspace.policies) {
        const { same, byKey, byLastStep } = this.of(policy);
        for (const [a, b] of same) {
          if (each.length > a.length && beginsAlike(each, a)) add([...b, ...each.slice(a.length)]);
          if (each.length > b.length && beginsAlike(each, b)) add([...a, ...each.slice(b.length)]);
        }
        if (!isWide) continue;
        for (const key of byLastStep.get(each.at(-1)!) ?? []) {
          const other = byKey.get(key)![0]!.path!;
          if (areAlike(other, each)) add(each.map((step, i) => (other[i] === anyKey ? anyKey : step)));
        }
      }
    }
    return [...found.values()];
  }

  /** Whether policies have the last key of a path as a value. */
  isComputed(path: readonly string[]): boolean {
    for (const policy of this.#workspace.policies)
      if (this.of(policy).computed.some((each) => areAlike(each, path))) return true;
    return false;
  }
}

/** Documents that are parts of themselves have paths without end. */
const mostSteps = 8;
const mostPaths = 200;

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a === b || (a.size === b.size && a.isSubsetOf(b));
}
