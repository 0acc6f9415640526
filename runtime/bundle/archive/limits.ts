/** What a bundle may cost to read. */
export interface BundleLimits {
  /** Bytes of one file, and of an archive's content together. The reference's limit, which stops gzip bombs. */
  readonly size: number;
  /** UTF-16 units of a file's name with its path. */
  readonly nameLength: number;
}

export const defaultLimits: BundleLimits = { size: 1024 ** 3, nameLength: 4096 };
