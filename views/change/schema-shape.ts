/** The part of a JSON Schema that a proof assumes. Each input of the schema has the shape. */
import type { Value } from '../../values/index.js';
import { fragmentSegments, isArray, isObject, isPlainObject, isString, valueBehind } from '../../values/index.js';
import type { KindName, Shape } from './prove/shapes.js';

/** Schemas inside of schemas: a schema may hold itself. */
const deepest = 8;

export function shapeOfSchema(schema: Value): Shape {
  return shapeAt(schema, schema, 0) ?? {};
}

function shapeAt(schema: Value | undefined, root: Value, depth: number): Shape | undefined {
  if (depth > deepest || !isPlainObject(schema)) return undefined;
  const { $ref: reference, allOf } = schema;
  if (isString(reference ?? null)) return shapeAt(referredSchema(reference as string, root), root, depth + 1);
  const inner = isArray(allOf ?? null) ? (allOf as readonly Value[]) : [];
  const all = [ownShape(schema, root, depth), ...inner.map((part) => shapeAt(part, root, depth + 1))];
  return all.reduce<Shape | undefined>(bothShapes, undefined);
}

function ownShape(schema: { readonly [key: string]: Value }, root: Value, depth: number): Shape {
  const inner = (value: Value | undefined) => shapeAt(value, root, depth + 1);
  const { properties, required, additionalProperties, items, minimum, maximum, minLength } = schema;
  const values =
    'const' in schema ? [schema.const!] : isArray(schema.enum ?? null) ? (schema.enum as readonly Value[]) : undefined;
  const isClosed = additionalProperties === false && schema.patternProperties === undefined;
  const isAlone = values === undefined && schema.anyOf === undefined && schema.oneOf === undefined;
  return {
    kinds: values === undefined ? kindsOf(schema.type) : [...new Set(values.map(kindOfJson))],
    properties: isPlainObject(properties)
      ? new Map(Object.entries(properties).map(([key, value]) => [key, inner(value) ?? {}]))
      : undefined,
    required: isArray(required ?? null) ? new Set((required as readonly Value[]).filter(isString)) : undefined,
    others: isClosed ? 'never' : schema.patternProperties === undefined ? inner(additionalProperties) : undefined,
    items: isPlainObject(items) && schema.prefixItems === undefined ? inner(items) : undefined,
    isInteger: isAlone && schema.type === 'integer',
    minimum: typeof minimum === 'number' ? minimum : undefined,
    maximum: typeof maximum === 'number' ? maximum : undefined,
    minLength: typeof minLength === 'number' ? minLength : undefined,
    texts: values?.filter(isString),
  };
}

/** The shape of values that have two. Where both tell of a member, one of them counts. */
function bothShapes(a: Shape | undefined, b: Shape | undefined): Shape | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const kinds = a.kinds === undefined ? b.kinds : a.kinds.filter((kind) => b.kinds?.includes(kind) !== false);
  const properties = new Map([...(b.properties ?? []), ...(a.properties ?? [])]);
  for (const [key, own] of a.properties ?? []) properties.set(key, bothShapes(own, b.properties?.get(key)) ?? own);
  return {
    ...b,
    ...Object.fromEntries(Object.entries(a).filter(([, value]) => value !== undefined)),
    kinds,
    properties,
    required: new Set([...(a.required ?? []), ...(b.required ?? [])]),
    // A member that one closes out may be a property of the other.
    others: undefined,
  };
}

function kindsOf(type: Value | undefined): readonly KindName[] | undefined {
  if (isString(type ?? null)) return kindNames.get(type as string);
  if (!isArray(type ?? null)) return undefined;
  const all = (type as readonly Value[]).map((one) => kindNames.get(String(one)));
  return all.some((one) => one === undefined) ? undefined : all.flatMap((one) => one!);
}

const kindNames: ReadonlyMap<string, readonly KindName[]> = new Map<string, readonly KindName[]>(
  Object.entries({
    null: ['null'],
    boolean: ['false', 'true'],
    number: ['number'],
    integer: ['number'],
    string: ['string'],
    array: ['array'],
    object: ['object'],
  }),
);

function kindOfJson(value: Value): KindName {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (isString(value)) return 'string';
  if (isArray(value)) return 'array';
  return isObject(value) ? 'object' : 'number';
}

/** `#/definitions/user` in the whole schema; undefined for a schema elsewhere. */
function referredSchema(reference: string, root: Value): Value | undefined {
  const segments = fragmentSegments(reference);
  return segments && valueBehind(root, segments);
}
