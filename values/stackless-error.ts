/**
 * An `Error` that collects no stack, for those that built-ins throw. A stack takes 5 µs, and
 * policies come by thousands of errors that make a call undefined only.
 */
export class StacklessError implements Error {
  name = 'Error';
  readonly message: string;

  // Not by `extends`: the constructor of errors collects the stack.
  static {
    Object.setPrototypeOf(StacklessError.prototype, Error.prototype);
  }

  constructor(message = '') {
    this.message = message;
  }
}
