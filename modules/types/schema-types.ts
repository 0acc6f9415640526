/**
 * JSON Schemas → TypeScript types. Restrictions that a type cannot express are left
 * out; a value of unknown type is `unknown`.
 */
import { ExactNumber } from '../../values/numbers/number.js';
import { isArray, isObject, type PlainObject, type Value } from '../../values/value.js';
import {
  arrayText,
  commentText,
  grouped,
  intersectionText,
  type MemberText,
  objectText,
  tupleText,
  unionText,
  unknown,
} from './type-text.js';

/** Definitions that schemas refer to, as types with names: they may be parts of themselves. */
export class SchemaTypes {
  readonly #taken: Set<string>;
  readonly #names = new Map<Value, string>();
  readonly #declarations: string[] = [];

  /** @param taken names that the declarations have already */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The declarations of the types that others refer to. */
  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** The type of the values that match a schema. */
  typeOf(schema: unknown): string {
    return new SchemaReader(schema as Value, (target, reference) => this.#named(target, reference, schema as Value)).read(schema as Value);
  }

  /** The same as a type with a name: several documents may have the schema. */
  named(schema: unknown, name: string): string {
    return typeof schema === 'object' && schema !== null ? this.#named(schema as Value, name, schema as Value) : this.typeOf(schema);
  }

  #named(target: Value, reference: string, root: Value): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const name = this.#freeName(reference);
    this.#names.set(target, name);
    const reader = new SchemaReader(root, (inner, by) => this.#named(inner, by, root));
    const type = reader.read(target);
    this.#declarations.push(`${commentText(descriptionOf(target))}export type ${name} = ${type};`);
    return name;
  }

  #freeName(reference: string): string {
    const words = decoded(reference.split('/').at(-1)!)
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== '');
    const plain = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('') || 'Schema';
    const base = /^\d/.test(plain) ? `Schema${plain}` : plain;
    let name = base;
    for (let i = 2; this.#taken.has(name); i++) name = `${base}${i}`;
    this.#taken.add(name);
    return name;
  }
}

/** Deeper schemas are unknown: each level is a call. */
const maxDepth = 100;

class SchemaReader {
  readonly #root: Value;
  readonly #named: (target: Value, reference: string) => string;
  #depth = 0;

  constructor(root: Value, named: (target: Value, reference: string) => string) {
    this.#root = root;
    this.#named = named;
  }

  read(schema: Value | undefined): string {
    if (schema === false) return 'never';
    if (schema === undefined || !isObject(schema) || this.#depth >= maxDepth) return unknown;
    this.#depth++;
    const type = this.#type(schema as PlainObject);
    this.#depth--;
    return type;
  }

  #type(schema: PlainObject): string {
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref);
    if ('const' in schema) return literalText(schema.const!);
    if (isList(schema.enum)) return unionText(schema.enum.map(literalText));
    const parts = [this.#ownType(schema)];
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const list = schema[keyword];
      if (isList(list)) parts.push(unionText(list.map((one) => this.read(one))));
    }
    if (isList(schema.allOf)) parts.push(...schema.allOf.map((one) => this.read(one)));
    return intersectionText(parts);
  }

  #reference(reference: string): string {
    if (!reference.startsWith('#')) return unknown;
    let target: Value | undefined = this.#root;
    for (const segment of reference.slice(1).split('/').slice(1)) {
      const key = decoded(segment);
      target = target !== undefined && isObject(target) && Object.hasOwn(target, key) ? (target as PlainObject)[key] : undefined;
    }
    return target === undefined ? unknown : this.#named(target, reference);
  }

  #ownType(schema: PlainObject): string {
    const { type } = schema;
    const names = typeof type === 'string' ? [type] : isList(type) ? type : impliedTypes(schema);
    return names.length === 0 ? unknown : unionText(names.map((name) => this.#typeNamed(name, schema)));
  }

  #typeNamed(name: Value, schema: PlainObject): string {
    switch (name) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return name;
      case 'integer':
        return 'number';
      case 'array':
        return this.#array(schema);
      case 'object':
        return this.#object(schema);
      default:
        return unknown;
    }
  }

  #array({ items, prefixItems, additionalItems }: PlainObject): string {
    const [first, rest] = isList(prefixItems) ? [prefixItems, items] : isList(items) ? [items, additionalItems] : [[], items];
    if (first.length === 0) return arrayText(this.read(rest));
    // An array may be shorter than its schema's list.
    const elements = first.map((one) => `${grouped(this.read(one))}?`);
    return tupleText(elements, rest === false ? undefined : this.read(rest));
  }

  #object({ properties, required, additionalProperties }: PlainObject): string {
    const names = new Set(isList(required) ? required : []);
    const known = properties !== undefined && isObject(properties) ? Object.entries(properties as PlainObject) : [];
    const members = known.map(([name, schema]): MemberText => {
      return { name, type: this.read(schema), optional: !names.has(name), description: descriptionOf(schema) };
    });
    for (const name of names)
      if (typeof name === 'string' && !known.some(([other]) => other === name)) members.push({ name, type: unknown, optional: false });
    return objectText(members, additionalProperties === false ? undefined : this.read(additionalProperties));
  }
}

/** A schema with properties describes objects, one with items arrays. */
function impliedTypes({ properties, required, items, prefixItems }: PlainObject): readonly string[] {
  if (properties !== undefined || required !== undefined) return ['object'];
  return items !== undefined || prefixItems !== undefined ? ['array'] : [];
}

function isList(value: Value | undefined): value is readonly Value[] {
  return value !== undefined && isArray(value) && value.length > 0;
}

function literalText(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ExactNumber) return 'number';
  if (isArray(value)) return tupleText(value.map(literalText), undefined);
  if (!isObject(value)) return unknown;
  return objectText(
    Object.entries(value as PlainObject).map(([name, member]) => ({ name, type: literalText(member), optional: false })),
    undefined,
  );
}

function descriptionOf(schema: Value): string | undefined {
  if (!isObject(schema)) return undefined;
  const { description, title } = schema as PlainObject;
  const text = description ?? title;
  return typeof text === 'string' ? text : undefined;
}

/** A segment of a JSON pointer in a URL. */
function decoded(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // Not encoded.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
