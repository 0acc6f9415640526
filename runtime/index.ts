/** The library on Node: `import { Engine } from 'writ'`. */
import type { Bundle } from './bundle/bundle.js';
import { type DiskOptions, readBundle as readFromDisk } from './bundle/disk.js';
import { usePlatform } from './engine/platform.js';
import { nodeHost } from './host/node.js';

export { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
export { PlanError } from '../ir-schema/plan-error.js';
export { arg, asyncBuiltin, type Builtin, type BuiltinBody, type BuiltinOptions, builtin, type Operand } from './builtins/builtin.js';
export type { BuiltinContext } from './builtins/context.js';
export { BuiltinError, HaltError } from './builtins/errors.js';
export type { Bundle } from './bundle/bundle.js';
export type { DiskOptions } from './bundle/disk.js';
export { BundleError } from './bundle/errors.js';
export { type Decision, Engine, EngineError, type EngineOptions, type PolicySources } from './engine/engine.js';
export { PolicyError } from './engine/policy-engine.js';
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
 * Reads a bundle from a directory, a `.tar.gz` or a plan file, and with `verification` checks its signature. Rejects with a BundleError.
 * @example const engine = await Engine.open([await readBundle('bundle.tar.gz', { verification: { keys: { k: { key: pem } } } })]);
 */
export function readBundle(source: string, options: DiskOptions = {}): Promise<Bundle> {
  return readFromDisk(source, { crypto: nodeHost.crypto, ...options });
}

usePlatform({
  host: nodeHost,
  readBundle: (source) => readBundle(source),
});
