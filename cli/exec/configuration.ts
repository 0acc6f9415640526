/** The parts of a server's configuration that matter to `exec`. */

import { type DecisionLog, defaultDecision, type Engine, type VerificationConfig } from '../../engine/index.js';
import type { Logger } from '../../server/index.js';
import type { PlainObject } from '../../values/index.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';

export interface Configuration {
  /** The configuration without its secrets. */
  readonly shown: PlainObject;
  /** The name of the default decision. */
  readonly decision: string;
  /** Keys that verify signatures. */
  readonly keys: VerificationConfig['keys'];
  /**
   * Starts its plugins; absent where it has none. Rejects if a bundle of the configuration is not
   * activated.
   */
  start?(engine: Engine, loggers: Loggers): Promise<Plugins>;
}

export interface Plugins {
  /** Undefined where decisions are not logged. */
  readonly decisionLog: DecisionLog | undefined;
  readonly logger: Logger;
  stop(): Promise<void>;
}

/** They are made when something is logged: most runs log nothing. */
export interface Loggers {
  logger(): Promise<Logger>;
  /** For decision logs. */
  console(): Promise<Logger>;
}

/** The configuration. Without one, nothing of the server is loaded. Rejects with a ConfigError. */
export async function configurationOf(flags: FlagValues, io: Io): Promise<Configuration> {
  const isGiven = ['config-file', 'set', 'set-file'].some((name) => flags.has(name));
  if (!isGiven) return { shown: {}, decision: defaultDecision, keys: {} };
  const { readConfiguration } = await import('./server-configuration.js');
  return readConfiguration(flags, io);
}
