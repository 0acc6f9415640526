/** Messages between `test` and threads that compile and run a part of the tests. */
import type { CompileCapabilities, CompileOptions } from '../../../compiler/resolve/options.js';
import type { ModuleFile } from '../../../runtime/bundle/bundle.js';
import type { SourceFile } from '../../policies.js';
import type { ListedTest } from '../discover.js';
import type { ReportedError } from '../messages.js';
import type { TestResult } from '../result.js';
import type { TestOptions } from '../run.js';

/** The data of a new thread; the shards follow in a message. */
export interface ShardThreadData {
  readonly kind: 'shards';
  /** The `shared` of a TurboFanPause. */
  readonly pause: Int32Array;
}

/** The first message to a thread. */
export interface ShardsData {
  readonly files: readonly SentFile[];
  readonly shards: readonly SentShard[];
  readonly turns: Turns;
  /** How many threads may share long tests. */
  readonly threads: number;
  /** The documents, as JSON. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: CompileCapabilities | undefined;
  readonly compile: Pick<CompileOptions, 'errorLimit' | 'schemaAnnotations'>;
  readonly options: Pick<TestOptions, 'timeout' | 'explain' | 'pattern' | 'parallel'>;
}

/** The numbers of the shards that a thread takes. */
export interface Turns {
  readonly first: number;
  /** The number of the next one, which all threads count up. */
  readonly next: Int32Array;
}

type SentFile = Omit<SourceFile, 'file'> & { readonly file: Omit<ModuleFile, 'bytes'> };

/** A shard as the positions of its files. */
interface SentShard {
  readonly files: readonly number[];
  readonly own: readonly number[];
}

/** The second message: all files of all threads have compiled, so tests may have effects. */
export const runTheRest = 'run the rest';

/** A test of a shard that has compiled, with its result if it had one at once. */
export type Entry<Result> =
  | { readonly file: string; readonly result: Result }
  /** Its result comes later, unless it is not run. */
  | { readonly file: string; readonly test: ListedTest };

export type ShardReport =
  /** A shard has compiled, with these tests. */
  | { readonly entries: readonly Entry<ReportedResult>[] }
  /** There is no shard left to take. */
  | 'compiled'
  /** A shard has not compiled, or something else went wrong. */
  | 'failed'
  /** The results of the next tests without one. */
  | { readonly results: readonly ReportedResult[] };

/** A result whose error is sent as its parts. */
export type ReportedResult = Omit<TestResult, 'error'> & { readonly reported?: ReportedError };
