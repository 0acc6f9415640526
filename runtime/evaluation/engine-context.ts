import type { Caches, Host, ObjectValue, Value } from '../../values/index.js';
import type { ArrayIndexes } from './array-indexes.js';
import type { KeptResults } from './kept-results.js';

/**
 * When functions of plans become JavaScript: once a plan has run often, at its first run, or never.
 */
export type CodegenMode = 'warm' | 'always' | 'never';

/** The state that all evaluations of an engine share. */
export interface EngineContext {
  readonly host: Host;
  readonly caches: Caches;
  readonly runtime: Value;
  /** Indexes of arrays in the base documents, kept across evaluations. */
  readonly dataIndexes: ArrayIndexes;
  /** Results of rules of the base documents alone; undefined keeps none. */
  readonly keptResults?: KeptResults | undefined;
  readonly parseModule?: ((filename: string, text: string) => ObjectValue) | undefined;
  /** The hosts that built-ins may talk to; undefined allows all, an empty list none. */
  readonly allowNet?: readonly string[] | undefined;
  /** Called with each fault of the engine that it has noticed itself, in a sentence. */
  readonly onFault?: ((fault: string) => void) | undefined;
  /** Default: `warm`. */
  readonly codegen?: CodegenMode | undefined;
}
