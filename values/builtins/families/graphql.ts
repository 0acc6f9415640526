/** GraphQL: documents to syntax trees, and queries against schemas. */
import { any, anyOf, boolean, object, string, tuple } from '../../type.js';
import type { ObjectValue } from '../../value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import {
  checkedSchema,
  queryOperand,
  readQuery,
  readSchema,
  reporting,
  schemaOperand,
  treeOf,
  unlessWrong,
  validated,
} from '../lib/graphql/checked-operands.js';
import { loadGraphql, validateQuery } from '../lib/graphql/validate.js';
import { unchecked } from '../read-operands.js';

const document = anyOf(string, object(any, any));

const tree = object(any, any);

const options = { load: loadGraphql, cost: counted } as const;

// For built-ins that answer whether a document is valid, other types are not an error.
const anySchema = arg('schema', document, unchecked);

const anyDocuments = [arg('query', document, unchecked), anySchema] as const;

export const graphql: readonly Builtin[] = [
  builtin(
    'graphql.parse',
    [arg('query', document, queryOperand), arg('schema', document, schemaOperand)],
    tuple(tree, tree),
    (query, schema, context) => reporting(() => validated(query, schema, context)),
    options,
  ),
  builtin(
    'graphql.parse_and_verify',
    anyDocuments,
    tuple(boolean, tree, tree),
    (query, schema, context) => {
      return unlessWrong<readonly [boolean, ObjectValue, ObjectValue]>([false, {}, {}], () => [
        true,
        ...validated(readQuery(query, context), readSchema(schema, context), context),
      ]);
    },
    options,
  ),
  builtin(
    'graphql.parse_query',
    [arg('query', string)],
    tree,
    (query, context) => reporting(() => treeOf(readQuery(query, context))),
    {
      cost: counted,
    },
  ),
  builtin(
    'graphql.parse_schema',
    [arg('schema', string)],
    tree,
    (schema, context) => reporting(() => treeOf(readSchema(schema, context))),
    { cost: counted },
  ),
  builtin(
    'graphql.is_valid',
    anyDocuments,
    boolean,
    (query, schema, context) => {
      return unlessWrong(false, () => {
        validateQuery(checkedSchema(readSchema(schema, context), context), readQuery(query, context).document, context);
        return true;
      });
    },
    options,
  ),
  builtin(
    'graphql.schema_is_valid',
    [anySchema],
    boolean,
    (schema, context) => {
      return unlessWrong(false, () => checkedSchema(readSchema(schema, context), context) !== undefined);
    },
    { cost: counted },
  ),
];
