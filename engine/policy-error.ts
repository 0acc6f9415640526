/**
 * Why a change was rejected, apart from CompileErrors (a policy that does not parse or compile),
 * BundleError and StoreError.
 */
type PolicyErrorCode =
  | 'storage_not_found_error' // a policy that is not there
  | 'owned_by_bundle' // within a bundle's roots
  | 'rule_conflict' // a document where a rule is
  | 'timed_out' // not done within its time
  | 'too_large'; // not done within the memory of the process

/** The message is the reference's. */
export class PolicyError extends Error {
  readonly code: PolicyErrorCode;

  constructor(code: PolicyErrorCode, message: string) {
    super(message);
    this.name = 'PolicyError';
    this.code = code;
  }
}
