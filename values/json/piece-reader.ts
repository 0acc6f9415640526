/** The size of a piece: about a millisecond. */
export const bytesPerPiece = 512 * 1024;

/** Reads values of one kind in JSON texts from bytes: short ones at once, long ones in pieces. */
export abstract class PieceReader {
  protected readonly bytes: Uint8Array;
  /** The pieces read so far. */
  protected before = '';
  /** Memory since the last call of `taken`. */
  protected takenBytes = 0;
  /** Whether the current value has further pieces. */
  isInside = false;
  /** The error message of Go's decoder, if the value is invalid. */
  problem: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Bytes of memory taken by values since the last call. */
  taken(): number {
    const taken = this.takenBytes;
    this.takenBytes = 0;
    return taken;
  }

  /**
   * Reads the value that begins at a position, or its next piece; returns its end, or the position
   * of an error.
   */
  abstract read(start: number): number;
}
