/** Whether a query fits a schema, by the rules of the `graphql` package and the one that only the reference has. */
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { QueryDocument } from './ast.js';
import { GraphqlError } from './errors.js';
import type { Position } from './lexer.js';
import { type Node, queryNodes, schemaNodes } from './nodes.js';
import type { Schema } from './schema.js';

let library: typeof import('graphql') | undefined;

/** Loads the `graphql` package, which `validateQuery` needs. */
export async function loadGraphql(): Promise<void> {
  library ??= await import('graphql');
}

const compiled = new WeakMap<Schema, GraphQLSchema>();

/** Throws a GraphqlError for the first mistake. */
export function validateQuery(schema: Schema, document: QueryDocument): void {
  for (const { Operation, Position } of document.Operations) {
    if (!schema.roots.has(Operation)) throw new GraphqlError(`Schema does not support operation type "${Operation}"`, Position);
  }
  if (library === undefined) throw new Error('the graphql package was not loaded');
  try {
    let types = compiled.get(schema);
    if (types === undefined) {
      types = library.buildASTSchema(schemaNodes(schema), { assumeValid: true });
      compiled.set(schema, types);
    }
    const [first] = library.validate(types, queryNodes(document), undefined, { maxErrors: 1 });
    // The reference drops the full stop, of these messages alone.
    if (first !== undefined) throw new GraphqlError(first.message.replace(/\.$/, ''), positionOf(first));
  } catch (error) {
    // Documents given as objects may hold names that no text could: the package refuses them by an error of its own.
    if (error instanceof library.GraphQLError) throw new GraphqlError(error.message, positionOf(error));
    if (error instanceof RangeError) throw new GraphqlError('nested too deeply', undefined);
    throw error;
  }
}

/** Mistakes that lie between two nodes, of which the reference reports the second. */
const atSecond = /^(?:There can be only one|The directive "|Fields ".*" conflict|Variable "\$.*" used in position)/s;
/** Mistakes in arguments, which the reference reports at the field or directive that has them: the package tells only the argument. */
const unknownArgument = /^Unknown argument /;

function positionOf(error: GraphQLError): Position | undefined {
  const nodes = (error.nodes ?? []) as unknown as readonly Node[];
  const node = unknownArgument.test(error.message) ? nodes[0] : atSecond.test(error.message) ? nodes.at(-1) : nodes[0];
  return node?.position;
}
