/** One state of an engine's policies and bundles. A decision sees one version from start to end. */

import { type Compiled, type Module, VersionedMap } from '../compiler/index.js';
import type { Steps } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import { Entrypoints } from './paths/entrypoints.js';
import type { ProgramSource } from './policies/program-source.js';
import type { Programs } from './policies/programs.js';

/** A policy: its text and its syntax tree. */
export interface PolicyRecord {
  readonly id: string;
  readonly raw: string;
  readonly module: Module;
  /** The module, parsed in steps if that has not been done. Default: it has. */
  readonly moduleSteps?: () => Steps<Module>;
  /** The bundle that brought it. */
  readonly bundle: string | undefined;
}

/** The state of a bundle that is active. */
export interface ActiveBundle {
  readonly name: string;
  readonly revision: string;
  readonly roots: readonly string[];
}

/** The policies of a version, compiled. */
export interface CompiledPolicies {
  /** Compiles now if that has not been done: see `RestoredPrograms`. */
  readonly compiled: () => Promise<Compiled>;
  readonly programs: ProgramSource;
  /** Undefined for programs of a snapshot, which may first have to be compiled. */
  readonly atOnce: Programs | undefined;
}

export interface Version {
  readonly number: number;
  /** The revision of the log of writes from which it was made: 0 before the first write. */
  readonly revision: number;
  readonly records: VersionedMap<PolicyRecord>;
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly active: readonly ActiveBundle[];
  /** Undefined before the first policy: an engine over plans alone never loads the compiler. */
  readonly policies: CompiledPolicies | undefined;
  /** Plans of bundles. They answer before policies and documents. */
  readonly plans: Entrypoints;
}

export function firstVersion(): Version {
  return {
    number: 0,
    revision: 0,
    records: VersionedMap.of([]),
    bundles: new Map(),
    active: [],
    policies: undefined,
    plans: new Entrypoints(new Map()),
  };
}
