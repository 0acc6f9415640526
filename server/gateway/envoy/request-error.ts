/** A path, query or body of the client that cannot be parsed. */
export class CheckRequestError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RequestError';
  }
}
