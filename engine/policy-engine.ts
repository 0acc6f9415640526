/** What a server needs of an engine: policies, documents and decisions that change while it runs. Types only; live-engine.ts has the implementation. */
import type { Module } from '../compiler/ast/nodes.js';
import type { Bundle } from '../runtime/bundle/bundle.js';
import type { EvaluationOptions } from '../runtime/evaluation/options.js';
import type { DataOperation, HeldVersion } from '../runtime/store/store.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import type { Metrics } from './evaluation/metrics.js';

/** A policy as it was given, and as it reads. */
export interface PolicyRecord {
  readonly id: string;
  readonly raw: string;
  readonly module: Module;
  /** The bundle that brought it. */
  readonly bundle: string | undefined;
}

/** What is to become visible at once, or not at all. */
export interface Change {
  /** By id; undefined deletes. */
  readonly policies?: ReadonlyMap<string, string | undefined>;
  /** Names of files by policy's id, for the locations of errors; left out, a policy's id is its file. */
  readonly files?: ReadonlyMap<string, string>;
  /** Carried out in order, after bundles. */
  readonly data?: readonly DataOperation[];
  /** Bundles to activate by name, each in the place of what the name had before; undefined takes a bundle out. */
  readonly bundles?: ReadonlyMap<string, Bundle | undefined>;
  /** Whether the bundles' documents are handed over, as those of a data operation may be: otherwise they stay as they are. */
  readonly bundlesTransferred?: boolean;
}

export interface CommitOptions {
  readonly metrics?: Metrics;
  /** What comes from the command line or from plugins may lie within bundles' roots; what comes from clients may not. */
  readonly ignoreRoots?: boolean;
  /** A reading of `performance.now()`: what is not done by then is given up. Default: no limit. */
  readonly until?: number;
  /** How many tokens a statement of a policy may have. Default: no limit. */
  readonly maxStatementTokens?: number;
  /** Sees the policies as they would be, once they are compiled, and throws where they are not to be. */
  readonly check?: ((policies: readonly PolicyRecord[]) => void) | undefined;
  /** Nothing is done where a document is at this path by the time that it is this commit's turn. */
  readonly unlessAt?: readonly string[];
}

export interface CommitReport {
  /** Counts commits: the version that holds this one. */
  readonly version: number;
  /** False where `unlessAt` kept it from being done. */
  readonly done: boolean;
}

/** The state of a bundle that is active. */
export interface ActiveBundle {
  readonly name: string;
  readonly revision: string;
  readonly roots: readonly string[];
}

export interface DecideOptions extends EvaluationOptions {
  /** Takes the timers by the reference's names. */
  readonly metrics?: Metrics | undefined;
  /** Timers of compiler stages as well. */
  readonly instrument?: boolean;
  /** What programs are looked up under: requests of different endpoints do not share a cache entry in what they report. */
  readonly cache?: string;
}

/** Whoever waits for an answer. */
export interface Caller {
  /** Asked for only where an evaluation takes its time, which ends when this is aborted. */
  readonly signal: AbortSignal;
  /** Tells clients apart, which share threads: an address. */
  readonly client?: string;
  /** Told of so many bytes of memory that results need which were evaluated elsewhere; throws where there is not so much. */
  readonly take?: (bytes: number) => void;
  /** Whether values may come as JSON has them: sets as sorted arrays. */
  readonly wantsJson?: boolean;
}

export interface Decided {
  /** Undefined where the document is. */
  readonly value: Value | undefined;
  /** Bundles that were active when it was decided. */
  readonly bundles: readonly ActiveBundle[];
  /** Keeps the documents as they are, which the value may share parts with, until the one that this answers is released. */
  readonly hold: () => HeldVersion;
}

export interface QueryOptions extends DecideOptions {
  /** Built-ins that the query itself may not call. */
  readonly unsafeBuiltins?: ReadonlySet<string>;
}

/** Why a change was turned down, apart from CompileErrors (a policy that does not parse or compile), BundleError and StoreError. */
export type PolicyErrorCode =
  | 'storage_not_found_error' // a policy that is not there
  | 'owned_by_bundle' // within a bundle's roots
  | 'rule_conflict' // a document where a rule is
  | 'timed_out'; // not done by the time that was given

/** The message is the reference's. */
export class PolicyError extends Error {
  readonly code: PolicyErrorCode;

  constructor(code: PolicyErrorCode, message: string) {
    super(message);
    this.name = 'PolicyError';
    this.code = code;
  }
}

/** An engine's programs as bytes, for its next start. */
export interface ProgramSnapshots {
  /** Those of the policies as they are, undefined where none was made since the last call. */
  pack(): Promise<Uint8Array | undefined>;
  /** Programs that were packed before: bundles that then make the policies what they were need not be compiled. Other bytes do no harm. */
  offer(bytes: Uint8Array): Promise<void>;
}

/** Readers see one version from beginning to end and never wait; writers are queued. */
export interface PolicyEngine {
  /** Absent where programs cannot be kept. */
  readonly keeper?: ProgramSnapshots | undefined;
  /** In order of their ids. */
  policies(): readonly PolicyRecord[];
  policy(id: string): PolicyRecord | undefined;
  /** The tree of a policy with its rules as they are run: names and imports resolved, locals renamed, calls and refs moved out. */
  compiledModule(id: string): Promise<Module | undefined>;
  /** In order of their names. */
  bundles(): readonly ActiveBundle[];
  /** Parses, compiles and checks, then makes all of it visible. Rejects with CompileErrors, PolicyError, StoreError or BundleError, and then nothing has changed. */
  commit(change: Change, options?: CommitOptions): Promise<CommitReport>;
  /** The base document at a path, undefined where there is none: good until the next commit. */
  readData(path: readonly string[]): Value | undefined;
  /** Whether a rule is at the path or on the way to it: there may then be a document, which depends on the input. */
  isVirtual(path: readonly string[]): boolean;
  /**
   * The document at a path, base and virtual; a segment that is a whole number indexes arrays. It may share parts with documents that the next commit
   * writes in place: `use` sees it before that can happen. Rejects with an EvaluationError or CompileErrors.
   */
  decide(path: readonly string[], input: Value | undefined, options?: DecideOptions): Promise<Decided>;
  decide<T>(
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions,
    use: (decided: Decided) => T,
    caller?: Caller,
  ): Promise<T>;
  /** The solutions of a query: what each binds; `use` as above. Rejects with CompileErrors for a query that does not compile. */
  query<T>(
    text: string,
    input: Value | undefined,
    options: QueryOptions,
    use: (solutions: readonly PlainObject[], hold: Decided['hold']) => T,
    caller?: Caller,
  ): Promise<T>;
}
