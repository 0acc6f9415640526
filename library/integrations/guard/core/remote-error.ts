export type RemoteErrorCode = 'remote_unreachable' | 'remote_timeout' | 'remote_status' | 'remote_response';

/** A server of decisions that did not decide. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: RemoteErrorCode;
  /**
   * The status that it answered. Not named `status`: frameworks would answer the client with it,
   * and a server that refuses our token would look like a denial.
   */
  readonly remoteStatus: number | undefined;

  constructor(
    code: RemoteErrorCode,
    message: string,
    { remoteStatus, cause }: { remoteStatus?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.remoteStatus = remoteStatus;
  }
}
