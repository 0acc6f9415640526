/** Errors of reads and writes of base documents, with the reference's codes. */
type StoreErrorCode =
  | 'storage_not_found_error' // the path does not exist, or its parent is missing
  | 'storage_write_conflict_error' // the parent of the path is not an object
  | 'storage_invalid_patch_error' // the operation is not valid at this path
  | 'storage_invalid_txn_error' // the transaction has ended, or another one is open
  | 'storage_internal_error'; // documents are too deep or too large to be changed

/**
 * A failed read or write; no document has changed. The message is the reference's, after the code.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, problem: string) {
    super(`${code}: ${problem}`);
    this.name = 'StoreError';
    this.code = code;
  }
}
