/** Options of an engine. */

import type { CompileOptions } from '../compiler/index.js';
import type { Builtin, PlainObject } from '../values/index.js';
import type { Change } from './change.js';
import type { LongEvaluations } from './evaluation/long-evaluations.js';
import type { PlanLoading } from './load-program.js';
import type { CompileElsewhere } from './policies/compile-query.js';
import type { Language } from './policies/language.js';
import type { SharedContext } from './shared-context.js';

export interface EngineOptions {
  /** Shared by all evaluations. Default: one of a platform without a host. */
  readonly context?: SharedContext;
  readonly builtins?: ReadonlyMap<string, Builtin> | undefined;
  readonly language?: Language;
  readonly compile?: Omit<CompileOptions, 'builtins'>;
  /**
   * The first documents. Left out, the engine has documents of its own in `data.system`, which it
   * does not show in `data` as a whole.
   */
  readonly data?: PlainObject;
  /** Whether `data.system` of `data` is the engine's own, too. */
  readonly hidesSystem?: boolean | undefined;
  /** Whether the engine may write into `data`. Otherwise each version is held for good. */
  readonly transferred?: boolean;
  /** See `PolicySettings`. */
  readonly loadsLibraries?: boolean;
  /** See `Platform`. */
  readonly endsSoon?: boolean;
  readonly onWarning?: PlanLoading['onWarning'];
  /** Takes evaluations that take long; without it they stay, and others wait. */
  readonly longEvaluations?: LongEvaluations | undefined;
  /**
   * Called with each change just before it is made: afterwards the store may write into its
   * documents. The function that it returns is called once the change is made, and the commit
   * resolves when that has ended. No other commit comes in between.
   */
  readonly replicate?: ((change: Change, revision: number) => () => Promise<void>) | undefined;
  /** Compiles long queries; it must know the same built-ins. */
  readonly compileElsewhere?: CompileElsewhere | undefined;
}
