import type { Evaluation } from '../../../runtime/index.js';
import type { Json } from '../../../values/index.js';

/** A loaded policy: OPA's WebAssembly, or plans of ours. */
export interface PolicyCode {
  /** The numbers of the entrypoints. */
  readonly entrypoints: Readonly<Record<string, number>>;
  /**
   * Whether a number names an entrypoint. The rules of a bundle that declares no entrypoints are
   * asked by name: their order says nothing.
   */
  readonly hasDefault: boolean;
  /** Replaces the base documents. Throws an OpaWasmError. */
  setData(data: unknown): void;
  /** The result set. Throws an EvaluationError, an OpaWasmError, or a Suspension. */
  run(entrypoint: number, input: unknown, evaluation: Evaluation): Json;
}
