/** The content of a bundle. */
import type { PlainObject, Value } from '../../values/index.js';
import { emptyManifest, type Manifest } from './manifest.js';

/** The names of a file. */
export interface FilePlace {
  /**
   * The name in messages: the path in the archive, or the directory that was read with the path
   * below it.
   */
  readonly path: string;
  /** The name of the archive with the path in it. */
  readonly url: string;
  /** The path in the bundle, as in the manifest's `file_rego_versions`: `/a/b.rego`. */
  readonly bundlePath: string;
}

/** A policy's source. */
export interface ModuleFile extends FilePlace {
  readonly text: string;
  readonly bytes: Uint8Array;
  /**
   * The version that its archive gives a loose module. A bundle's manifest has those of its
   * modules.
   */
  readonly regoVersion?: 0 | 1;
}

/** A compiled plan. `policy` is its JSON, parsed without loss and not validated. */
export interface PlanFile extends FilePlace {
  readonly policy: unknown;
  /** The bytes of the file. A compiled plan that was not read has none. */
  readonly bytes?: Uint8Array;
  /** The file with debug information beside it, if there is one. */
  readonly debugInfo?: Uint8Array;
}

/** A Wasm module, which is kept but never run. */
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
export interface BundlePatch {
  readonly op: string;
  /** The path, with slashes between segments. */
  readonly path: string;
  readonly value: Value | undefined;
}

/** Policies, plans and data that are activated together. */
export interface Bundle {
  readonly manifest: Manifest;
  /** The version, as the server that gave it names it. */
  readonly etag?: string;
  readonly data: PlainObject;
  /** The files whose documents make up the data. */
  readonly dataFiles: readonly FilePlace[];
  readonly modules: readonly ModuleFile[];
  readonly plans: readonly PlanFile[];
  readonly wasm: readonly WasmFile[];
  readonly signatures: SignaturesConfig | undefined;
  /** The changes of a delta bundle; undefined for a snapshot. */
  readonly patch: readonly BundlePatch[] | undefined;
  /** The bytes of all files by their path in the bundle. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A bundle without content, to make others from. */
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
