/**
 * The part of an engine that all its evaluations share. It is made once and passed as an argument:
 * there is no global.
 */

import { ArrayIndexes, type CodegenMode, type EngineContext, KeptResults } from '../runtime/index.js';
import { CacheSet, type Host, type PlainObject, type Value } from '../values/index.js';
import { buildInfo } from './build-info.js';

export interface SharedContext extends EngineContext {
  /** Loaded by an engine when a policy or a plan may need it. */
  parseModule?: EngineContext['parseModule'];
}

interface ContextOptions {
  /** Members of the result of `opa.runtime`, beside the version and an empty environment. */
  readonly runtime?: PlainObject | undefined;
  /** Hosts that built-ins may talk to; undefined allows all, an empty list none. */
  readonly allowNet?: readonly string[] | undefined;
  /** When plans become JavaScript. Default: once they have run often. */
  readonly codegen?: CodegenMode | undefined;
  /** See `EngineContext`. Default: they are written to the console. */
  readonly onFault?: EngineContext['onFault'];
}

/** The context of an engine on a platform: its host, new caches, and facts of the runtime. */
export function createContext(
  { host }: { readonly host: Host },
  { runtime, allowNet, codegen, onFault }: ContextOptions = {},
): SharedContext {
  return {
    host,
    caches: new CacheSet(),
    runtime: { env: {}, version: buildInfo.version, commit: buildInfo.commit, ...runtime } as Value,
    dataIndexes: new ArrayIndexes(),
    keptResults: new KeptResults(),
    parseModule: undefined,
    allowNet,
    codegen,
    onFault: onFault ?? ((fault) => console.error(`writ: ${fault}`)),
  };
}
