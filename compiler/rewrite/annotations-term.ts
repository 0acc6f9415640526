/** Metadata as terms of the language. */

import { booleanTerm, nullTerm, numberTerm, stringTerm } from '../ast/make.js';
import type { Annotations, ObjectEntry, RefTerm, Term } from '../ast/nodes.js';
import type { Span } from '../source/location.js';

/** A JSON value as a term. */
export function jsonTerm(loc: Span, value: unknown): Term {
  switch (typeof value) {
    case 'string':
      return stringTerm(loc, value);
    case 'boolean':
      return booleanTerm(loc, value);
    case 'number':
    case 'bigint':
      return numberTerm(loc, String(value));
    case 'object':
      break;
    default:
      return nullTerm(loc);
  }
  if (value === null) return nullTerm(loc);
  if (Array.isArray(value)) return { type: 'array', loc, items: value.map((item) => jsonTerm(loc, item)) };
  if ('text' in value && Object.getPrototypeOf(value) !== Object.prototype) return numberTerm(loc, String(value.text));
  return {
    type: 'object',
    loc,
    entries: Object.entries(value).map(([key, member]) => entry(loc, key, jsonTerm(loc, member))),
  };
}

function entry(loc: Span, key: string, value: Term): ObjectEntry {
  return { key: stringTerm(loc, key), value };
}

/** A path without its first term, `data`. */
export function pathTerm(loc: Span, path: readonly Term[]): Term {
  return { type: 'array', loc, items: path.slice(1).map((term) => ({ ...term, loc })) };
}

/** All terms of a ref, the head as a string. */
function refPath(loc: Span, { terms }: RefTerm): Term {
  return {
    type: 'array',
    loc,
    items: terms.map((term) => (term.type === 'var' ? stringTerm(loc, term.name) : { ...term, loc })),
  };
}

/**
 * A block as `rego.metadata` shows it, without `compile`: fields that are not in the text are left
 * out.
 */
export function annotationsTerm(loc: Span, block: Annotations): Term {
  const entries: ObjectEntry[] = [entry(loc, 'scope', stringTerm(loc, block.scope))];
  const add = (key: string, value: Term): void => void entries.push(entry(loc, key, value));
  if (block.title) add('title', stringTerm(loc, block.title));
  if (block.entrypoint) add('entrypoint', booleanTerm(loc, true));
  if (block.description) add('description', stringTerm(loc, block.description));
  if (block.organizations.length > 0) add('organizations', jsonTerm(loc, block.organizations));
  if (block.relatedResources.length > 0) {
    const resources = block.relatedResources.map(({ ref, description }) =>
      description ? { ref, description } : { ref },
    );
    add('related_resources', jsonTerm(loc, resources));
  }
  if (block.authors.length > 0) {
    const authors = block.authors.map(({ name, email }) => ({ ...(name && { name }), ...(email && { email }) }));
    add('authors', jsonTerm(loc, authors));
  }
  if (block.schemas.length > 0) {
    const items = block.schemas.map(({ path, schema, definition }): Term => {
      const fields = [entry(loc, 'path', refPath(loc, path))];
      if (schema) fields.push(entry(loc, 'schema', refPath(loc, schema)));
      if (definition !== undefined) fields.push(entry(loc, 'definition', jsonTerm(loc, definition)));
      return { type: 'object', loc, entries: fields };
    });
    add('schemas', { type: 'array', loc, items });
  }
  if (Object.keys(block.custom).length > 0) add('custom', jsonTerm(loc, block.custom));
  if (Object.keys(block.labels).length > 0) add('labels', jsonTerm(loc, block.labels));
  return { type: 'object', loc, entries };
}
