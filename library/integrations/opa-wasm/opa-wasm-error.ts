export type OpaWasmErrorCode =
  /** Neither a policy's WebAssembly nor a bundle, or one that cannot be loaded. */
  | 'invalid_policy'
  /** WebAssembly of another version of OPA's interface. */
  | 'unsupported_abi'
  | 'invalid_entrypoint'
  /** Input or data that is no JSON. */
  | 'invalid_document'
  /** The WebAssembly ended the evaluation itself: a conflict between rules, no more memory. */
  | 'policy_abort'
  /** The input or the data need more memory than the policy may have. */
  | 'memory_exceeded'
  /** A call of a built-in that nobody implements. */
  | 'missing_builtin'
  /** A call of a built-in that `loadPolicySync` could not load. */
  | 'not_loaded'
  /** A built-in evaluated the policy that called it. */
  | 'policy_busy';

/** A position that a message of the policy begins with. */
const place = /^(.+?):(\d+):(\d+): /;

/** An error of a policy that was loaded from WebAssembly or a bundle. */
export class OpaWasmError extends Error {
  override readonly name = 'OpaWasmError';
  readonly code: OpaWasmErrorCode;
  /** The place in the policy, where the policy says it. */
  readonly file: string | undefined;
  readonly row: number | undefined;
  readonly col: number | undefined;

  constructor(code: OpaWasmErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    const found = code === 'policy_abort' ? place.exec(message) : null;
    this.file = found?.[1];
    this.row = found === null ? undefined : Number(found[2]);
    this.col = found === null ? undefined : Number(found[3]);
  }
}

/** Neither the Rego nor the WebAssembly of a bundle answers an entrypoint of its manifest. */
export function noRule(name: string): OpaWasmError {
  return new OpaWasmError('invalid_policy', `entrypoint ${JSON.stringify(name)} of the bundle is no rule`);
}
