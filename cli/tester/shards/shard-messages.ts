/** Messages between `test` and threads that compile and run a part of the tests. */
import type { CompileCapabilities, CompileOptions } from '../../../compiler/resolve/options.js';
import type { ModuleFile } from '../../../runtime/bundle/bundle.js';
import type { SourceFile } from '../../policies.js';
import type { ListedTest } from '../discover.js';
import type { ReportedError } from '../messages.js';
import type { TestResult } from '../result.js';
import type { Part, TestOptions } from '../run.js';

export interface ShardData {
  readonly kind: 'shard';
  readonly files: readonly SentFile[];
  readonly part: Part;
  /** The documents, as JSON. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: CompileCapabilities | undefined;
  readonly compile: Pick<CompileOptions, 'errorLimit' | 'schemaAnnotations'>;
  readonly options: Pick<TestOptions, 'timeout' | 'explain' | 'pattern' | 'parallel'>;
  /** The `shared` of a TurboFanPause. */
  readonly pause: Int32Array;
}

type SentFile = Omit<SourceFile, 'file'> & { readonly file: Omit<ModuleFile, 'bytes'> };

export type ShardReport =
  /** All files of the shard have compiled; these tests will have results, in this order. */
  | { readonly tests: readonly ListedTest[] }
  /** They have not, or something else went wrong. */
  | 'failed'
  /** The results of the next tests that run. */
  | { readonly results: readonly ReportedResult[] };

/** A result whose error is sent as its parts. */
export type ReportedResult = Omit<TestResult, 'error'> & { readonly reported?: ReportedError };
