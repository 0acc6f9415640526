import { BundleError } from '../bundle-error.js';

/** Errors of signatures. */
type SignatureProblem =
  | 'unsigned' // no signature, though one is required
  | 'malformed' // a signature that cannot be read
  | 'key' // an unknown or malformed key
  | 'invalid' // a signature that was not made with the key
  | 'scope' // a signature for another scope
  | 'changed' // a file that was changed after it was signed
  | 'added' // a file that was not signed
  | 'missing'; // a signed file that the bundle lacks

/** A bundle with a faulty signature. */
export class SignatureError extends BundleError {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string, file?: string) {
    super('signature', message, file);
    this.name = 'SignatureError';
    this.problem = problem;
  }
}
