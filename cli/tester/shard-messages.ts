/** Messages between `test` and threads that compile and run a part of the tests. */
import type { CompileCapabilities, CompileOptions } from '../../compiler/resolve/options.js';
import type { ModuleFile } from '../../runtime/bundle/bundle.js';
import type { ReportedError } from './messages.js';
import type { TestResult } from './result.js';
import type { TestOptions } from './run.js';

export interface ShardData {
  readonly kind: 'shard';
  readonly files: readonly { readonly name: string; readonly file: Omit<ModuleFile, 'bytes'>; readonly version: 'v0' | 'v1' }[];
  /** The documents, as JSON. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: CompileCapabilities | undefined;
  readonly compile: Pick<CompileOptions, 'errorLimit' | 'schemaAnnotations'>;
  readonly options: Pick<TestOptions, 'timeout' | 'explain'>;
  /** The full names of the tests to run. */
  readonly tests: ReadonlySet<string>;
}

export type ShardReport =
  /** All files of the shard have compiled. */
  | 'ready'
  /** They have not, or something else went wrong. */
  | 'failed'
  /** The results of the next tests, in order. */
  | { readonly results: readonly ReportedResult[] };

/** A result whose error is sent as its parts. */
export type ReportedResult = Omit<TestResult, 'error'> & { readonly reported?: ReportedError };
