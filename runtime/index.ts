/** The library on Node: `import { Engine } from 'writ'`. */
import { join } from 'node:path';
import type { Bundle } from './bundle/bundle.js';
import { type DiskOptions, readBundle as readFromDisk, readPolicyFile } from './bundle/disk.js';
import { usePlatform } from './engine/platform.js';
import { nodeNetwork } from './host/network.js';
import { nodeHost } from './host/node.js';

export { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
export type { CompileCapabilities } from '../compiler/resolve/options.js';
export type { Policy } from '../ir-schema/plan.js';
export { PlanError } from '../ir-schema/plan-error.js';
export { arg, asyncBuiltin, type Builtin, type BuiltinBody, type BuiltinOptions, builtin, type Operand } from './builtins/builtin.js';
export type { BuiltinContext } from './builtins/context.js';
export { BuiltinError, HaltError } from './builtins/errors.js';
export type { Bundle } from './bundle/bundle.js';
export type { DiskOptions } from './bundle/disk.js';
export { BundleError } from './bundle/errors.js';
export type { AsyncDecisionOptions, DecisionOptions } from './engine/decision-options.js';
export { type Decision, Engine } from './engine/engine.js';
export { EngineError, type EngineErrorCode } from './engine/engine-error.js';
export type { EngineOptions } from './engine/engine-options.js';
export { PolicyError } from './engine/policy-engine.js';
export type { PolicySources, Source } from './engine/sources.js';
export { VerifyError } from './program/verify.js';
export type { Json } from './values/json.js';
export { JsonError, parseJson, toJson } from './values/json.js';
export { ExactNumber } from './values/number.js';
export { RegoObject } from './values/object.js';
export { RegoSet } from './values/set.js';
export * as types from './values/type.js';
export type { Value } from './values/value.js';
export { EvaluationError } from './vm/errors.js';
export type { EvaluationOptions } from './vm/evaluation.js';
export type { Limits } from './vm/limits.js';

/**
 * Reads a bundle from a directory, a `.tar.gz` or a plan file, and with `verification` checks its
 * signature. Rejects with a BundleError.
 * @example const engine = await Engine.open([await readBundle('bundle.tar.gz', { verification: { keys: { k: { key: pem } } } })]);
 */
export function readBundle(source: string, options: DiskOptions = {}): Promise<Bundle> {
  return readFromDisk(source, { crypto: nodeHost.crypto, ...options });
}

usePlatform({
  host: nodeHost,
  openHost: () => ({ ...nodeHost, network: nodeNetwork() }),
  readBundle: (source) => readBundle(source),
  readPolicy: readPolicyFile,
  threads: async () => {
    const { EvaluationPool } = await import('./threads/pool.js');
    return new EvaluationPool(join(import.meta.dirname, 'evaluation-thread.js'));
  },
});
