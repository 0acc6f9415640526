/**
 * JSON Schemas as types. Of a schema's keywords those count that the reference's type checker
 * knows: `type`, `properties`, `items`, `$ref`, `anyOf`, `allOf`.
 */

import { SchemaError, type SchemaValue } from '../../../values/index.js';
import { sortProperties } from './compare-types.js';
import type { ObjectType, Property, Type } from './type.js';
import { anything, arrayType, booleanType, numberType, objectType, stringType } from './type.js';
import { union } from './union.js';

/**
 * The type of the values that match a schema. Throws a SchemaError for an `allOf` that nothing
 * matches.
 */
export function typeOfSchema(schema: SchemaValue): Type {
  return new SchemaReader().read(schema);
}

/** The parts of a schema that decide on its type; `allOf` merges several. */
interface Shape {
  readonly types: readonly string[];
  readonly properties: readonly (readonly [string, SchemaValue])[];
  readonly items: readonly SchemaValue[];
  readonly isList: boolean;
}

class SchemaReader {
  /** Objects that `$ref`s lead to. One that is being read is a part of itself. */
  readonly #objects = new Map<SchemaValue, ObjectType>();
  readonly #open = new Set<SchemaValue>();

  read(schema: SchemaValue): Type {
    if (schema.ref) return this.#referenced(schema.ref);
    return this.#plain(schema, undefined);
  }

  #referenced(target: SchemaValue): Type {
    const known = this.#objects.get(target);
    if (known) return known;
    // A schema that is nothing but itself says nothing.
    if (this.#open.has(target)) return anything;
    this.#open.add(target);
    const type = target.ref ? this.#referenced(target.ref) : this.#plain(target, target);
    this.#open.delete(target);
    return type;
  }

  #plain(schema: SchemaValue, name: SchemaValue | undefined): Type {
    if (schema.anyOf.length > 0) return this.#anyOf(schema);
    return this.#core(schema, name);
  }

  #anyOf(schema: SchemaValue): Type {
    let type: Type | undefined;
    if (schema.types.length > 0) {
      const core = this.#core(schema, undefined);
      if (core.kind === 'object' && core.rest === undefined) type = core;
    }
    for (const each of schema.anyOf) type = union(this.read(each), type);
    return type ?? anything;
  }

  #core(schema: SchemaValue, name: SchemaValue | undefined): Type {
    const own = shapeOf(schema);
    if (schema.allOf.length === 0) return this.#shape(own, name);
    const all = schema.allOf.map(shapeOf).map(withImpliedType).reduce(mergeShapes);
    if (own.types.length === 0) return this.#shape(all, undefined);
    if (both(own, all, 'object') || both(own, all, 'array'))
      return this.#shape(mergeShapes(all, withImpliedType(own)), undefined);
    if (typesText(own) !== typesText(all)) throw new SchemaError('unable to merge these schemas');
    return this.#shape(all, undefined);
  }

  #shape(shape: Shape, name: SchemaValue | undefined): Type {
    const { types, properties, items } = shape;
    if (types.length === 0 && (properties.length > 0 || items.length > 0))
      return this.#shape(withImpliedType(shape), name);
    if (types.includes('boolean')) return booleanType;
    if (types.includes('string')) return stringType;
    if (types.includes('integer') || types.includes('number')) return numberType;
    if (types.includes('object')) return this.#object(properties, name);
    if (types.includes('array')) {
      if (items.length === 0) return arrayType([], anything);
      if (!shape.isList) return arrayType([], this.read(items[0]!));
      return arrayType(
        items.map((item) => this.read(item)),
        undefined,
      );
    }
    return anything;
  }

  #object(properties: readonly (readonly [string, SchemaValue])[], name: SchemaValue | undefined): Type {
    if (properties.length === 0) return objectType([], { key: anything, value: anything });
    const schemas = new Map<string, SchemaValue>();
    // The last of several schemas for a property counts.
    for (const [key, schema] of properties) schemas.set(key, schema);
    const fixed = sortProperties([...schemas.keys()].map((key): Property => ({ key, type: undefined })));
    // It is entered before its parts are read, for they may refer to it.
    const type: ObjectType = {
      ...objectType(fixed, undefined),
      size: 1,
      depth: 1,
      unknown: false,
      named: name !== undefined,
    };
    if (name) this.#objects.set(name, type);
    for (const property of fixed) (property as { type: Type }).type = this.read(schemas.get(property.key as string)!);
    const { size, depth } = objectType(fixed, undefined);
    return Object.assign(type, { size, depth });
  }
}

function shapeOf({ types, properties, items }: SchemaValue): Shape {
  const isList = Array.isArray(items);
  return {
    types,
    properties: [...properties],
    items: isList ? (items as readonly SchemaValue[]) : items ? [items as SchemaValue] : [],
    isList,
  };
}

/** A schema with properties is an object's, one with items an array's. */
function withImpliedType(shape: Shape): Shape {
  const implied = shape.properties.length > 0 ? 'object' : shape.items.length > 0 ? 'array' : undefined;
  return implied === undefined || shape.types.includes(implied)
    ? shape
    : { ...shape, types: [...shape.types, implied] };
}

function both(a: Shape, b: Shape, type: string): boolean {
  return a.types.includes(type) && b.types.includes(type);
}

function typesText({ types }: { readonly types: readonly string[] }): string {
  return types.length === 0 ? 'undefined' : types.length === 1 ? types[0]! : `[${types.join(',')}]`;
}

function mergeShapes(a: Shape, b: Shape): Shape {
  if (typesText(a) !== typesText(b)) {
    throw new SchemaError(`unable to merge these schemas: type mismatch: ${typesText(a)} and ${typesText(b)}`);
  }
  if (both(a, b, 'object') && a.properties.length > 0 && b.properties.length > 0) {
    return { ...a, properties: [...a.properties, ...b.properties] };
  }
  if (both(a, b, 'array') && a.items.length > 0 && b.items.length > 0) {
    const common = Math.min(a.items.length, b.items.length);
    for (let i = 0; i < common; i++) {
      if (typesText(a.items[i]!) !== typesText(b.items[i]!)) throw new SchemaError('unable to merge these schemas');
    }
    return { ...a, items: [...a.items, ...b.items.slice(a.items.length)] };
  }
  return a;
}
