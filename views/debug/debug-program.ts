/** The program of a session: a plan, with all that is known of its sources. */

import type { Compiled, Environment } from '../../compiler/index.js';
import type { DebugInfo, Policy } from '../../ir-schema/index.js';
import type { EngineContext } from '../../runtime/index.js';
import type { Builtin, Value } from '../../values/index.js';
import type { SessionSource } from './session.js';

export interface DebugProgram {
  readonly policy: Policy;
  /** The name of the plan to evaluate. */
  readonly plan: string;
  /** Undefined for a plan without its debug information: statements are grouped by line. */
  readonly info: DebugInfo | undefined;
  /** The policies that expressions can refer to; undefined where there is no source. */
  readonly compiled: Compiled | undefined;
  /** The replacements by `with` for functions of the plan, by their names. */
  readonly environments?: ReadonlyMap<string, Environment>;
  readonly sources: readonly SourceText[];
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: EngineContext;
  readonly input: Value | undefined;
  readonly data: Value;
  /** How the outermost frame is called. */
  readonly name: string;
  /** The meaning of the plan's result set: its solutions, and the value of the first. */
  readonly answer: (results: readonly Value[]) => {
    readonly value: Value | undefined;
    readonly solutions: readonly Value[];
  };
  readonly strictBuiltinErrors?: boolean;
  /** Recorded results of non-deterministic built-ins, and the time of the decision. */
  readonly known?: ReadonlyMap<string, Value | undefined>;
  readonly timeNs?: bigint | undefined;
  /** The result that the decision log has. */
  readonly logged?: Value;
}

export interface SourceText extends SessionSource {
  readonly text: string;
  /** Why its lines may not be those that an author knows. */
  readonly note?: string;
}
