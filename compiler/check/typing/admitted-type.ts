/**
 * The values that JSON Schemas admit, as types for those who use a policy. The types that policies
 * are checked by (`schema-type.ts`) are the reference's, and leave much out: that a property may be
 * absent, `null` beside another type, and `oneOf`.
 */

import type { SchemaValue } from '../../../values/index.js';
import { sortProperties } from './compare-types.js';
import type { Property, Type } from './type.js';
import {
  anything,
  arrayType,
  booleanType,
  isAnything,
  numberType,
  objectType,
  stringType,
  typeOfNull,
} from './type.js';
import { union } from './union.js';

/** A type that has all values that match a schema, and may have more. */
export function admittedType(schema: SchemaValue): Type {
  return new AdmittedReader().read(schema);
}

class AdmittedReader {
  /** Schemas that are being read: of a part of itself nothing is said. */
  readonly #open = new Set<SchemaValue>();
  readonly #known = new Map<SchemaValue, Type>();

  read(schema: SchemaValue): Type {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    if (this.#open.has(schema)) return anything;
    this.#open.add(schema);
    const type = schema.ref === undefined ? this.#plain(schema) : this.read(schema.ref);
    this.#open.delete(schema);
    // Inside of itself a schema is read in another way.
    if (this.#open.size === 0 || schema.ref !== undefined) this.#known.set(schema, type);
    return type;
  }

  /** Keywords restrict together, so each part alone has all values. */
  #plain(schema: SchemaValue): Type {
    const own = this.#own(schema);
    if (!isAnything(own)) return own;
    for (const alternatives of [schema.anyOf, schema.oneOf]) {
      const type = this.#oneOf(alternatives.map((one) => this.read(one)));
      if (!isAnything(type)) return type;
    }
    return schema.allOf.map((one) => this.read(one)).find((type) => !isAnything(type)) ?? anything;
  }

  #oneOf(types: readonly Type[]): Type {
    if (types.length === 0 || types.some(isAnything)) return anything;
    return types.reduce((all, one) => union(all, one) ?? anything);
  }

  #own(schema: SchemaValue): Type {
    const names = schema.types.length > 0 ? schema.types : impliedNames(schema);
    return this.#oneOf(names.map((name) => this.#named(name, schema)));
  }

  #named(name: string, schema: SchemaValue): Type {
    switch (name) {
      case 'null':
        return typeOfNull;
      case 'boolean':
        return booleanType;
      case 'number':
      case 'integer':
        return numberType;
      case 'string':
        return stringType;
      case 'array':
        return this.#array(schema);
      case 'object':
        return this.#object(schema);
      default:
        return anything;
    }
  }

  #array({ items, additionalItems, minItems = 0 }: SchemaValue): Type {
    if (items === undefined) return arrayType([], anything);
    if (!isTuple(items)) return arrayType([], this.read(items));
    const elements = items.map((item) => this.read(item));
    const more = typeof additionalItems === 'object' ? [this.read(additionalItems)] : [anything];
    const rest = [...elements.slice(minItems), ...(additionalItems === false ? [] : more)];
    return arrayType(elements.slice(0, minItems), rest.length === 0 ? undefined : this.#oneOf(rest));
  }

  #object({ properties, required, additionalProperties }: SchemaValue): Type {
    const fixed = [...properties].map(([key, schema]): Property => {
      return { key, type: this.read(schema), optional: !required.includes(key) };
    });
    if (additionalProperties === false) return objectType(sortProperties(fixed), undefined);
    const value = typeof additionalProperties === 'object' ? this.read(additionalProperties) : anything;
    return objectType(sortProperties(fixed), { key: stringType, value });
  }
}

/**
 * The types that a schema without `type` describes: those of its values, or what its keywords are
 * for.
 */
function impliedNames({ properties, required, items, enum: values, const: value }: SchemaValue): readonly string[] {
  const texts = value === undefined ? values : [value];
  if (texts !== undefined) return [...new Set(texts.map((text) => nameOfText(text)))];
  if (properties.size > 0 || required.length > 0) return ['object'];
  return items !== undefined ? ['array'] : [];
}

/** The type of a JSON text. */
function nameOfText(text: string): string {
  switch (text[0]) {
    case 'n':
      return 'null';
    case 't':
    case 'f':
      return 'boolean';
    case '"':
      return 'string';
    case '[':
      return 'array';
    case '{':
      return 'object';
    default:
      return 'number';
  }
}

function isTuple(items: SchemaValue | readonly SchemaValue[]): items is readonly SchemaValue[] {
  return Array.isArray(items);
}
