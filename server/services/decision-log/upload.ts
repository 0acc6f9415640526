/** Events for one request. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** The number of events. */
  readonly count: number;
  /** Where the buffer needs them to take them back. */
  readonly texts?: readonly string[];
}
