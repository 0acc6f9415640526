/** The library on Node: `import { Engine } from 'writ'`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeNetwork } from '../builtins/host/network.js';
import { nodeHost } from '../builtins/host/node.js';
import type { Bundle } from '../bundle/bundle.js';
import { type DiskOptions, readBundle as readFromDisk } from '../bundle/disk/file-source.js';
import { readPolicyFile } from '../bundle/disk/policy-file.js';
import type { Platform } from '../engine/platform.js';
import { EngineError } from './engine-error.js';
import type { EngineOptions } from './engine-options.js';
import { LibraryEngine } from './library-engine.js';
import type { Source } from './sources/sources.js';

export {
  arg,
  asyncBuiltin,
  type Builtin,
  type BuiltinBody,
  type BuiltinOptions,
  builtin,
  type Operand,
  type OperandReader,
  relation,
} from '../builtins/builtin.js';
export { BuiltinError, HaltError } from '../builtins/builtin-errors.js';
export type { BuiltinContext } from '../builtins/context.js';
export type { Bundle } from '../bundle/bundle.js';
export { BundleError } from '../bundle/bundle-error.js';
export type { DiskOptions } from '../bundle/disk/file-source.js';
export { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
export type { CompileCapabilities } from '../compiler/resolve/options.js';
export { PolicyError } from '../engine/policy-error.js';
export type { Policy } from '../ir-schema/plan.js';
export { PlanError } from '../ir-schema/plan-error.js';
export { VerifyError } from '../ir-schema/verify/verify-error.js';
export { FilterError, type FilterProblem } from '../query/filters/filter-error.js';
export type { Explanation } from '../query/why/explanation.js';
export { type ExplanationStyle, explanationText } from '../query/why/text.js';
export { EvaluationError } from '../runtime/evaluation/evaluation-errors.js';
export type { EvaluationOptions, Limits } from '../runtime/evaluation/options.js';
export type { Json } from '../values/json/json.js';
export { JsonError, parseJson, toJson } from '../values/json/json.js';
export { ExactNumber } from '../values/numbers/number.js';
export { RegoObject } from '../values/object.js';
export { RegoSet } from '../values/set.js';
export * as types from '../values/type.js';
export type { Value } from '../values/value.js';
export type { AsyncDecisionOptions, DecisionOptions } from './decision-options.js';
export { EngineError, type EngineErrorCode } from './engine-error.js';
export type { EngineOptions } from './engine-options.js';
export type {
  FilterFor,
  FilterMappings,
  FilterOptions,
  FilterTarget,
  PrismaFilter,
  SqlFilter,
  UcastFilter,
} from './filters/filter-options.js';
export type { PartialDecision, PartialOptions } from './partial/partial-decision.js';
export type { BatchedDecision, Decision, PreparedDecision } from './prepared-decision.js';
export type { PolicySources, Source } from './sources/sources.js';
export type { WatchedDecision } from './watches/watched-decisions.js';
export type { ExplainedDecision, ExplainOptions } from './why.js';

/**
 * Reads a bundle from a directory, a `.tar.gz` or a plan file. With `verification`, a bundle that
 * is not signed by one of the keys is refused. Rejects with a BundleError.
 * @example
 * const verification = { keys: { main: { key: pem } } };
 * const engine = await Engine.open([await readBundle('bundle.tar.gz', { verification })]);
 */
export function readBundle(source: string, options: DiskOptions = {}): Promise<Bundle> {
  return readFromDisk(source, { crypto: nodeHost.crypto, ...options });
}

const node: Platform = {
  host: nodeHost,
  openHost: () => ({ ...nodeHost, network: nodeNetwork() }),
  readBundle: (source) => readBundle(source),
  readPolicy: readPolicyFile,
  threads: async () => {
    const script = join(import.meta.dirname, 'evaluation-thread.js');
    if (!existsSync(script)) throw new EngineError('no_threads', unbundled);
    const { EvaluationPool } = await import('../engine/threads/pool.js');
    return new EvaluationPool(script);
  },
};

/** A bundler copies the library into another file, but not the script of its threads. */
const unbundled =
  'the script of threads is not beside the library, which a bundler has copied: leave the package out of the bundle ' +
  '(`external` in esbuild, Rollup and Vite, `serverExternalPackages` in Next), or decide without a thread';

/** Policies and data, ready to decide, on Node. */
export class Engine extends LibraryEngine {
  /** See `LibraryEngine.open`. */
  static override async open(sources: Source | readonly Source[], options: EngineOptions = {}): Promise<Engine> {
    return (await LibraryEngine.open(sources, options.platform === undefined ? { ...options, platform: node } : options)) as Engine;
  }
}
