/** The library on Node: `import { Engine } from 'writ'`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from '../runtime/bundle/bundle.js';
import { type DiskOptions, readBundle as readFromDisk } from '../runtime/bundle/disk/file-source.js';
import { readPolicyFile } from '../runtime/bundle/disk/policy-file.js';
import { nodeNetwork } from '../runtime/host/network.js';
import { nodeHost } from '../runtime/host/node.js';
import { EngineError } from './library/engine-error.js';
import type { EngineOptions } from './library/engine-options.js';
import { LibraryEngine } from './library/library-engine.js';
import type { Source } from './library/sources/sources.js';
import type { Platform } from './platform.js';

export { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
export type { CompileCapabilities } from '../compiler/resolve/options.js';
export type { Policy } from '../ir-schema/plan.js';
export { PlanError } from '../ir-schema/plan-error.js';
export { FilterError, type FilterProblem } from '../query/filters/filter-error.js';
export type { Explanation } from '../query/why/explanation.js';
export { type ExplanationStyle, explanationText } from '../query/why/text.js';
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
} from '../runtime/builtins/builtin.js';
export type { BuiltinContext } from '../runtime/builtins/context.js';
export { BuiltinError, HaltError } from '../runtime/builtins/errors.js';
export type { Bundle } from '../runtime/bundle/bundle.js';
export type { DiskOptions } from '../runtime/bundle/disk/file-source.js';
export { BundleError } from '../runtime/bundle/errors.js';
export { EvaluationError } from '../runtime/evaluation/errors.js';
export type { EvaluationOptions, Limits } from '../runtime/evaluation/options.js';
export { VerifyError } from '../runtime/lowering/verify/verify-error.js';
export type { Json } from '../runtime/values/json/json.js';
export { JsonError, parseJson, toJson } from '../runtime/values/json/json.js';
export { ExactNumber } from '../runtime/values/numbers/number.js';
export { RegoObject } from '../runtime/values/object.js';
export { RegoSet } from '../runtime/values/set.js';
export * as types from '../runtime/values/type.js';
export type { Value } from '../runtime/values/value.js';
export type { AsyncDecisionOptions, DecisionOptions } from './library/decision-options.js';
export { EngineError, type EngineErrorCode } from './library/engine-error.js';
export type { EngineOptions } from './library/engine-options.js';
export type { ExplainedDecision, ExplainOptions } from './library/explain.js';
export type {
  FilterFor,
  FilterMappings,
  FilterOptions,
  FilterTarget,
  PrismaFilter,
  SqlFilter,
  UcastFilter,
} from './library/filters/filter-options.js';
export type { PartialDecision, PartialOptions } from './library/partial/partial-decision.js';
export type { BatchedDecision, Decision, PreparedDecision } from './library/prepared-decision.js';
export type { PolicySources, Source } from './library/sources/sources.js';
export type { WatchedDecision } from './library/watches/watched-decisions.js';
export { PolicyError } from './policy-error.js';

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
    const { EvaluationPool } = await import('./threads/pool.js');
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
