/**
 * JSON Schemas → TypeScript types. Restrictions that a type cannot express are left
 * out; a value of unknown type is `unknown`.
 */
import type { PlainObject, Value } from '../../../values/index.js';
import {
  ExactNumber,
  fragmentSegment,
  fragmentSegments,
  isArray,
  isObject,
  valueBehind,
} from '../../../values/index.js';
import { Refused } from './refused.js';
import type { MemberText, PrefixText } from './type-text.js';
import {
  arrayText,
  commentText,
  givenObjectText,
  grouped,
  intersectionText,
  objectText,
  openObjectText,
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
    const root = schema as Value;
    return new SchemaReader(root, (target, reference, direct) => this.#named(target, reference, root, direct)).read(
      root,
    );
  }

  /**
   * The type of a schema by a name, that of its title if it has one: several documents may have the
   * schema.
   */
  named(schema: unknown, name: string): string {
    if (typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0) return this.typeOf(schema);
    const { title } = schema as { readonly title?: unknown };
    const root = schema as Value;
    return this.#named(root, typeof title === 'string' && /[A-Za-z]/.test(title) ? title : name, root, new Set([root]));
  }

  #named(target: Value, reference: string, root: Value, direct: Direct): string {
    if (typeof target !== 'object') return this.typeOf(target);
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const name = this.#freeName(reference);
    this.#names.set(target, name);
    const reader = new SchemaReader(root, (inner, by, beside) => this.#named(inner, by, root, beside));
    const type = reader.read(target, direct);
    this.#declarations.push(`${commentText(descriptionOf(target))}export type ${name} = ${type};`);
    return name;
  }

  #freeName(reference: string): string {
    const words = fragmentSegment(reference.split('/').at(-1)!)
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

/** Types that are a part of themselves need an object or an array between. */
type Direct = ReadonlySet<Value>;
const within: Direct = new Set();

class SchemaReader {
  readonly #root: Value;
  readonly #named: (target: Value, reference: string, direct: Direct) => string;
  /** Before 2019 a reference hid what stood beside it. */
  readonly #mergesReferences: boolean;
  #depth = 0;

  constructor(root: Value, named: (target: Value, reference: string, direct: Direct) => string) {
    this.#root = root;
    this.#named = named;
    const dialect = isObject(root) ? (root as PlainObject).$schema : undefined;
    this.#mergesReferences = typeof dialect === 'string' && /\/20(?:19-09|20-12)\//.test(dialect);
  }

  read(schema: Value | undefined, direct: Direct = within): string {
    if (schema === false) return 'never';
    if (schema === undefined || !isObject(schema) || this.#depth >= maxDepth) return unknown;
    this.#depth++;
    const type = this.#type(schema as PlainObject, direct);
    this.#depth--;
    return type;
  }

  #type(schema: PlainObject, direct: Direct): string {
    const { $ref, enum: values } = schema;
    const parts: string[] = [];
    if (typeof $ref === 'string') {
      const type = this.#reference($ref, direct);
      if (!this.#mergesReferences) return type;
      parts.push(type);
    }
    const refused = new Refused(schema.not);
    if (schema.const !== undefined || (values !== undefined && isArray(values))) {
      const literals = schema.const === undefined ? (values as readonly Value[]) : [schema.const];
      parts.push(literalsText(literals, schema, refused));
    } else parts.push(this.#ownType(schema, refused));
    if (refused.members.size > 0) parts.push(openObjectText([...refused.members].map(absentMember)));
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const list = schema[keyword];
      if (isList(list)) parts.push(unionText(list.map((one) => this.read(one, direct))));
    }
    if (isList(schema.allOf)) parts.push(...schema.allOf.map((one) => this.read(one, direct)));
    return intersectionText(parts);
  }

  #reference(reference: string, direct: Direct): string {
    if (!reference.startsWith('#')) return unknown;
    const target =
      reference.length > 1 && !reference.startsWith('#/')
        ? anchored(this.#root, reference.slice(1))
        : this.#at(reference);
    if (target === undefined || direct.has(target)) return unknown;
    return this.#named(target, reference, new Set([...direct, target]));
  }

  #at(pointer: string): Value | undefined {
    return valueBehind(this.#root, fragmentSegments(pointer) ?? []);
  }

  #ownType(schema: PlainObject, refused: Refused): string {
    const named = typeNames(schema);
    const names = named.length === 0 && refused.hasTypes ? allTypes : named;
    if (names.length === 0) return unknown;
    return unionText(names.filter((name) => !refused.hasType(name)).map((name) => this.#typeNamed(name, schema)));
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

  #array({ items, prefixItems, additionalItems, minItems, maxItems }: PlainObject): string {
    const [first, rest] = isList(prefixItems)
      ? [prefixItems, items]
      : isList(items)
        ? [items, additionalItems]
        : [[], items];
    if (first.length === 0) return arrayText(this.read(rest));
    const least = typeof minItems === 'number' ? minItems : 0;
    const most = typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY;
    const elements = first.slice(0, most).map((one, i) => (i < least ? this.read(one) : `${grouped(this.read(one))}?`));
    return tupleText(elements, rest === false || most <= first.length ? undefined : this.read(rest));
  }

  #object({ properties, required, additionalProperties, patternProperties }: PlainObject): string {
    const names = new Set(isList(required) ? required.filter((name) => typeof name === 'string') : []);
    const known = entriesOf(properties);
    const patterns = entriesOf(patternProperties).map(([pattern, schema]) => [pattern, this.read(schema)] as const);
    const prefixes = patterns.flatMap(([pattern, type]): PrefixText[] => {
      const prefix = prefixOf(pattern);
      return prefix === undefined ? [] : [{ prefix, type }];
    });
    const unclear = patterns.filter(([pattern]) => prefixOf(pattern) === undefined).map(([, type]) => type);
    const others = unionText([...unclear, this.read(additionalProperties)]);
    const patterned = (name: string) =>
      prefixes.filter(({ prefix }) => name.startsWith(prefix)).map(({ type }) => type);
    const members = known.map(([name, schema]): MemberText => {
      const type = intersectionText([this.read(schema), ...patterned(name)]);
      return { name, type, optional: !names.has(name), description: descriptionOf(schema) };
    });
    for (const name of names) {
      const types = patterned(name);
      const type = types.length > 0 ? intersectionText(types) : others;
      if (!known.some(([other]) => other === name)) members.push({ name, type, optional: false });
    }
    return others === unknown
      ? openObjectText(members)
      : givenObjectText(members, others === 'never' ? undefined : others, prefixes);
  }
}

const allTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'];

function absentMember(name: string): MemberText {
  return { name, type: 'undefined', optional: true };
}

function entriesOf(schemas: Value | undefined): readonly (readonly [string, Value])[] {
  return schemas !== undefined && isObject(schemas) ? Object.entries(schemas as PlainObject) : [];
}

/** The text that the names begin with that match a pattern, if that is all it says. */
function prefixOf(pattern: string): string | undefined {
  const found = /^\^((?:[\w\-/:@ ]|\\[.\-/])+)(?:\.\*\$?)?$/.exec(pattern);
  return found === null ? undefined : found[1]!.replaceAll('\\', '');
}

/** A schema with properties describes objects, one with items arrays. */
function typeNames({ type, properties, required, items, prefixItems }: PlainObject): readonly Value[] {
  if (typeof type === 'string') return [type];
  if (isList(type)) return type;
  if (properties !== undefined || required !== undefined) return ['object'];
  return items !== undefined || prefixItems !== undefined ? ['array'] : [];
}

/** The schema with an anchor, or what drafts before 2019 have for one. */
function anchored(schema: Value, name: string, depth = maxDepth): Value | undefined {
  if (depth === 0 || typeof schema !== 'object' || schema === null) return undefined;
  if (isArray(schema)) return firstOf(schema, (one) => anchored(one, name, depth - 1));
  if (!isObject(schema)) return undefined;
  const { $anchor, $id, id } = schema as PlainObject;
  if ($anchor === name || $id === `#${name}` || id === `#${name}`) return schema;
  return firstOf(Object.values(schema as PlainObject), (one) => anchored(one, name, depth - 1));
}

function firstOf(values: readonly Value[], find: (value: Value) => Value | undefined): Value | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isList(value: Value | undefined): value is readonly Value[] {
  return value !== undefined && isArray(value) && value.length > 0;
}

/** The values of an `enum` that have the type beside it, and are not refused. */
function literalsText(values: readonly Value[], { type }: PlainObject, refused: Refused): string {
  const names = typeof type === 'string' ? [type] : isList(type) ? type : undefined;
  const left = values.filter(
    (value) =>
      (names === undefined || names.some((name) => isOfType(value, name))) &&
      !refused.hasValue(value) &&
      !allTypes.some((name) => refused.hasType(name) && isOfType(value, name)),
  );
  return unionText(left.map(literalText));
}

function isOfType(value: Value, name: Value): boolean {
  switch (name) {
    case 'null':
      return value === null;
    case 'integer':
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === name;
  }
}

function literalText(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ExactNumber) return 'number';
  if (isArray(value)) return tupleText(value.map(literalText), undefined);
  if (!isObject(value)) return unknown;
  return objectText(
    Object.entries(value as PlainObject).map(([name, member]) => ({
      name,
      type: literalText(member),
      optional: false,
    })),
    undefined,
  );
}

function descriptionOf(schema: Value): string | undefined {
  if (!isObject(schema)) return undefined;
  const { description, title } = schema as PlainObject;
  const text = description ?? title;
  return typeof text === 'string' ? text : undefined;
}
