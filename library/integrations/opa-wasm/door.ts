/** The exports of `writ/opa-wasm` on every platform. */

export { CompileErrors } from '../../../compiler/index.js';
export { BundleError } from '../../../engine/index.js';
export { EvaluationError } from '../../../runtime/index.js';
export type { CustomBuiltin, CustomBuiltins } from './custom-builtins.js';
export type { MemoryDescriptor, PolicyBytes, PolicyModule, PolicySource } from './load-policy.js';
export { LoadedPolicy, type ResultSet } from './loaded-policy.js';
export { OpaWasmError, type OpaWasmErrorCode } from './opa-wasm-error.js';
