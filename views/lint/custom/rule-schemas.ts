/** The schemas that annotations of rules name: of a file's tree, and of aggregates. */

import type { JsonSchema } from '../../../compiler/index.js';

const text = { type: 'string' } as const;
const anything = {};
const listOf = (items: object) => ({ type: 'array', items });
/** An object that has these members alone. */
const node = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

const term = node({ type: text, value: anything, location: text });
const terms = listOf(term);
const flag = { type: 'boolean' };

const annotation = node({
  scope: text,
  title: text,
  description: text,
  entrypoint: flag,
  organizations: listOf(text),
  related_resources: listOf(node({ ref: text, description: text })),
  authors: listOf(node({ name: text, email: text })),
  schemas: listOf(anything),
  custom: { type: 'object' },
  compile: { type: 'object' },
  id: text,
  location: text,
});

const expression = node({
  terms: anything,
  with: listOf(node({ target: term, value: term, location: text })),
  negated: flag,
  interpolated: flag,
  generated: flag,
  location: text,
});

const head = node({ ref: terms, args: terms, key: term, value: term, assign: flag, location: text });

const branch = {
  head,
  body: listOf(expression),
  else: { type: 'object' },
  default: flag,
  location: text,
};

const regal = {
  type: 'object',
  properties: {
    file: {
      type: 'object',
      properties: {
        name: text,
        lines: listOf(text),
        abs: text,
        rego_version: text,
        uri: text,
        root: text,
      },
    },
    environment: { type: 'object', properties: { path_separator: text } },
    operations: listOf(text),
    context: { type: 'object' },
  },
};

/** The tree of a file: `views/lint/custom/compact-tree.ts` makes it. */
const tree = node({
  package: node({ path: terms, annotations: listOf(annotation), location: text }),
  imports: listOf(node({ path: term, alias: text, location: text })),
  rules: listOf(node({ ...branch, else: node(branch), annotations: listOf(annotation) })),
  comments: listOf(text),
  regal,
});

/** Schemas by their names below `schema`. */
export const ruleSchemas: Readonly<Record<string, JsonSchema>> = {
  'regal.ast': tree,
  'regal.aggregate': { type: 'object' },
};
