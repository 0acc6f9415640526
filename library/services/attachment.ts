/** Services beside an engine: an attachment changes the engine, and follows its decisions. */

import type { Engine } from '../../engine/index.js';
import type { Value } from '../../values/index.js';
import type { AsyncDecisionOptions } from '../decision-options.js';
import type { AskedDecision, Follow, Follower } from '../follow.js';

export interface Attachment {
  /** Gets the engine once it has its sources. */
  attach(engine: Engine): void;
  /** A decision that is followed, made by somebody else. Undefined where nothing follows it. */
  begin(asked: AskedDecision, input: Value | undefined, options: AsyncDecisionOptions): Follower | undefined;
  readonly follow: Follow;
  /** Ends all that it does, and resolves when it has. */
  close(): Promise<void>;
}
