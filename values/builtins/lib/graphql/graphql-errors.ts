import { StacklessError } from '../../../stackless-error.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { GraphqlPosition } from './lexer.js';

/** A mistake in a GraphQL document, said as the reference says it. */
export class GraphqlError extends StacklessError {
  readonly position: GraphqlPosition | undefined;

  constructor(message: string, position: GraphqlPosition | undefined) {
    super(message);
    this.name = 'GraphqlError';
    this.position = position;
  }

  /** The error of the built-in. */
  toBuiltinError(): BuiltinError {
    if (this.position === undefined) return new BuiltinError(`GraphQL parse error: input: ${this.message}`);
    return new BuiltinError(
      `${this.message} in GraphQL string at location ${this.position.line}:${this.position.column}`,
    );
  }
}
