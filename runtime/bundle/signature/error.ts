import { BundleError } from '../errors.js';

/** What is wrong with a signature. */
export type SignatureProblem =
  | 'unsigned' // no signature where one is wanted
  | 'malformed' // a signature that cannot be read
  | 'key' // a key that is unknown, or is none
  | 'invalid' // a signature that was not made with the key
  | 'scope' // a signature for another purpose
  | 'changed' // a file that is not what was signed
  | 'added' // a file that was not signed
  | 'missing'; // a signed file that is not there

/** A bundle whose signature does not hold. */
export class SignatureError extends BundleError {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string, file?: string) {
    super('signature', message, file);
    this.name = 'SignatureError';
    this.problem = problem;
  }
}
