/** Messages between `test --mutate` and its threads. */

import type { CompileCapabilities } from '../../../compiler/index.js';
import type { ModuleFile } from '../../../engine/index.js';
import type { Trial, Verdict } from './try-mutant.js';

/** A policy's file. */
interface SentFile {
  readonly name: string;
  readonly file: ModuleFile;
  readonly version: 'v0' | 'v1';
}

/** The first message to a thread. */
export interface MutantThreadData {
  readonly files: readonly SentFile[];
  /** The documents, as exact JSON. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: CompileCapabilities | undefined;
  /** Schemas as exact JSON, by name. */
  readonly schemas: readonly (readonly [string, string])[] | undefined;
  readonly strict: boolean;
  readonly timeMs: number;
  /** The full names of the tests that run. */
  readonly names: ReadonlySet<string>;
  /** The instructions of each test. */
  readonly budgets: readonly number[];
  readonly trials: readonly Trial[];
  /** The number of the next mutant, which all threads count up. */
  readonly next: Int32Array;
  /** The number of the thread's last mutant; -1 before the first. */
  readonly current: Int32Array;
}

export interface MutantReport {
  readonly number: number;
  readonly verdict: Verdict;
}
