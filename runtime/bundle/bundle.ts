/** What a bundle is once it is read. */
import type { PlainObject, Value } from '../values/value.js';
import { emptyManifest, type Manifest } from './manifest.js';

/** The names of a file. */
export interface FilePlace {
  /** Its name in messages: the path as the archive has it, or the directory that was read and the path below it. */
  readonly path: string;
  /** Where it came from: the archive's name and the path in it. */
  readonly url: string;
  /** Its place in the bundle, as the manifest's `file_rego_versions` names it: `/a/b.rego`. */
  readonly bundlePath: string;
}

/** A policy's source. */
export interface ModuleFile extends FilePlace {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The version that the archive it came from gives it; for a bundle's own modules its manifest says it. */
  readonly regoVersion?: 0 | 1;
}

/** A compiled plan. `policy` is its JSON (parsed without loss), not yet validated. */
export interface PlanFile extends FilePlace {
  readonly policy: unknown;
  /** The file as it was read; a plan just compiled has none. */
  readonly bytes?: Uint8Array;
}

/** A Wasm module: carried along, never run. */
export interface WasmFile extends FilePlace {
  readonly bytes: Uint8Array;
}

/** `.signatures.json`. */
export interface SignaturesConfig {
  /** JSON web tokens that list the files with their hashes. */
  readonly signatures?: readonly string[];
  readonly plugin?: string;
}

/** One change of a delta bundle. */
export interface PatchOperation {
  readonly op: string;
  /** Slashes between segments. */
  readonly path: string;
  readonly value: Value | undefined;
}

/** Policies, plans and data that are activated together. */
export interface Bundle {
  readonly manifest: Manifest;
  readonly data: PlainObject;
  /** The files that the data was put together from. */
  readonly dataFiles: readonly FilePlace[];
  readonly modules: readonly ModuleFile[];
  readonly plans: readonly PlanFile[];
  readonly wasm: readonly WasmFile[];
  readonly signatures: SignaturesConfig | undefined;
  /** The changes of a delta bundle; undefined for a snapshot, which holds everything. */
  readonly patch: readonly PatchOperation[] | undefined;
  /** All files as they were read, by their place in the bundle. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A bundle with nothing in it, to be spread into one that has something. */
export const emptyBundle: Bundle = {
  manifest: emptyManifest,
  data: {},
  dataFiles: [],
  modules: [],
  plans: [],
  wasm: [],
  signatures: undefined,
  patch: undefined,
  files: new Map(),
};
