/**
 * Work that takes long in one step and is done in a thread: reading long YAML, compiling long
 * queries. Types of messages: side-thread.ts sends them, chore-worker.ts answers.
 */
import type { CompileOptions } from '../../compiler/index.js';

interface YamlChore {
  readonly kind: 'yaml';
  readonly bytes: Uint8Array;
}

export interface QueryChore {
  readonly kind: 'query';
  readonly text: string;
  readonly language: 'v0' | 'v1';
  /** The policies that the query may name, as they were compiled before. */
  readonly modules: readonly {
    readonly name: string;
    readonly file: string;
    readonly text: string;
    readonly language: 'v0' | 'v1';
  }[];
  /** Tells one set of policies from another. */
  readonly policies: number;
  readonly options: Pick<CompileOptions, 'capabilities' | 'errorLimit' | 'print' | 'strict' | 'schemas'>;
  readonly unsafeBuiltins: ReadonlySet<string> | undefined;
  readonly instrument: boolean;
}

export type Chore = YamlChore | QueryChore;

/** A compiled query: a packed program whose plan is `query`, or diagnostics; and the timers. */
export type CompiledQueryReport = {
  readonly timers: readonly (readonly [name: string, nanoseconds: number])[];
} & ({ readonly program: Uint8Array } | { readonly diagnostics: string });

export type ChoreReport =
  /** The value as `exactText` has it; undefined where there is nothing but spaces. */
  | { readonly yaml: Uint8Array | undefined }
  | { readonly query: CompiledQueryReport }
  /** The error in the given text. */
  | { readonly problem: string };

/** A chore that is not done, because the memory is short. */
export interface OutOfMemory {
  readonly outOfMemory: true;
}

/** The message to a worker. */
export interface ChoreMessage {
  readonly chore: Chore;
}
