/** Errors of bundles. */
export type BundleErrorCode =
  | 'not_found' // a path that cannot be read
  | 'archive' // no gzip, no tar, damaged or cut off
  | 'limit' // larger, longer or more than the limits allow
  | 'path' // a file name that leaves the bundle
  | 'duplicate' // one file twice
  | 'syntax' // malformed JSON or YAML, or a file of another structure
  | 'manifest' // a manifest that contradicts itself
  | 'conflict' // two files that define the same document
  | 'roots' // content outside of the manifest's roots, or roots of bundles that overlap
  | 'signature' // a signature that is missing, wrong, or does not cover the files
  | 'patch' // a delta bundle with more than a patch
  | 'wasm'; // rules that only WebAssembly has, which is not run

/**
 * A bundle that cannot be used. Messages are the reference's where it has one. `file` is the faulty
 * file's name.
 */
export class BundleError extends Error {
  readonly code: BundleErrorCode;
  readonly file: string | undefined;

  constructor(code: BundleErrorCode, message: string, file?: string) {
    super(message);
    this.name = 'BundleError';
    this.code = code;
    this.file = file;
  }

  /** The same error, with the name of the bundle before its message. */
  within(bundle: string): this {
    this.message = `bundle ${bundle}: ${this.message}`;
    return this;
  }
}
