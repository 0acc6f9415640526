/** Limits of reading a bundle. */
export interface BundleLimits {
  /**
   * Bytes of one file, and of an archive's whole content. The default is the reference's; it stops
   * gzip bombs.
   */
  readonly size: number;
  /** UTF-16 units of a file's name with its path. */
  readonly nameLength: number;
}

export const defaultLimits: BundleLimits = { size: 1024 ** 3, nameLength: 4096 };
