/** Errors of the log of writes. */
type StorageErrorCode =
  | 'storage_unavailable' // it cannot be reached, or does not answer in time
  | 'storage_corrupt' // an entry or a snapshot is not what was written
  | 'storage_diverged' // its history is not the one that was followed
  | 'storage_unsupported' // it was written by a release that this one does not understand
  | 'storage_refused'; // an entry cannot be applied to the policies and documents of this process

/** The message names the revision, where one entry or snapshot is meant. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** The revision of the entry or snapshot. */
  readonly revision: number | undefined;

  constructor(code: StorageErrorCode, message: string, revision?: number) {
    super(message);
    this.name = 'StorageError';
    this.code = code;
    this.revision = revision;
  }
}

export function isUnavailable(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'storage_unavailable';
}
