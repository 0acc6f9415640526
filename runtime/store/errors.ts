/** What can be wrong with a write or a read of base documents, by the reference's codes. */
export type StoreErrorCode =
  | 'storage_not_found_error' // nothing stands at the path, or its parent is missing
  | 'storage_write_conflict_error' // an object was to be made where something else stands
  | 'storage_invalid_patch_error' // an operation that makes no sense where it is
  | 'storage_invalid_txn_error' // a transaction that has ended, or a second one beside it
  | 'storage_internal_error'; // documents too deep or too large to be changed

/** A read or write that failed; nothing was changed. The message is the reference's, the code in front. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, problem: string) {
    super(`${code}: ${problem}`);
    this.name = 'StoreError';
    this.code = code;
  }
}
