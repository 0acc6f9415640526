/** GraphQL: documents to syntax trees, and queries against schemas. */
import { any, anyOf, boolean, object, string, tuple } from '../../values/type.js';
import type { ObjectValue } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import { checkedSchema, parseBoth, readQuery, readSchema, reporting, treeOf, unlessWrong } from '../lib/graphql/documents.js';
import { loadGraphql, validateQuery } from '../lib/graphql/validate.js';

const document = anyOf(string, object(any, any));

const tree = object(any, any);

// For built-ins that answer whether a document is valid, other types are not an error.
const options = { load: loadGraphql, checksOperands: true, cost: counted } as const;

export const graphql: readonly Builtin[] = [
  builtin(
    'graphql.parse',
    [arg('query', document), arg('schema', document)],
    tuple(tree, tree),
    (query, schema, context) => reporting(() => parseBoth(query, schema, context)),
    { ...options, description: 'The syntax trees of a query and of a schema that it fits.' },
  ),
  builtin(
    'graphql.parse_and_verify',
    [arg('query', document), arg('schema', document)],
    tuple(boolean, tree, tree),
    (query, schema, context) => {
      return unlessWrong<readonly [boolean, ObjectValue, ObjectValue]>([false, {}, {}], () => [true, ...parseBoth(query, schema, context)]);
    },
    { ...options, description: 'Whether a query fits a schema, and if so the syntax trees of both.' },
  ),
  builtin('graphql.parse_query', [arg('query', string)], tree, (query, context) => reporting(() => treeOf(readQuery(query, context))), {
    cost: counted,
    description: 'The syntax tree of a query.',
  }),
  builtin(
    'graphql.parse_schema',
    [arg('schema', string)],
    tree,
    (schema, context) => reporting(() => treeOf(readSchema(schema, context))),
    { cost: counted, description: 'The syntax tree of a schema.' },
  ),
  builtin(
    'graphql.is_valid',
    [arg('query', document), arg('schema', document)],
    boolean,
    (query, schema, context) => {
      return unlessWrong(false, () => {
        validateQuery(checkedSchema(readSchema(schema, context), context), readQuery(query, context).document, context);
        return true;
      });
    },
    { ...options, description: 'Whether a query fits a schema.' },
  ),
  builtin(
    'graphql.schema_is_valid',
    [arg('schema', document)],
    boolean,
    (schema, context) => {
      return unlessWrong(false, () => checkedSchema(readSchema(schema, context), context) !== undefined);
    },
    { checksOperands: true, cost: counted, description: 'Whether a schema is well formed.' },
  ),
];
