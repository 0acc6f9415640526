/** Checks documents against the plan schema, which uses few keywords of JSON Schema. */
import { isJson, type Json } from './nesting.js';
import schema from './plan.schema.json' with { type: 'json' };

/** The first violation in a document, in the order in which JSON Schema's validators look. */
export interface Violation {
  readonly keyword: 'type' | 'required' | 'additionalProperties' | 'kind' | 'anyOf';
  /** The types, the name of a property, or the kind that is not known. */
  readonly detail: unknown;
  /** The way to the value at fault. */
  readonly path: readonly (string | number)[];
}

/** Undefined for a valid value. */
type Check = (value: unknown) => Violation | undefined;

/** The keywords of the plan schema; an object has no properties but those that are named. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema | true>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly const?: string;
  /** A schema or null. */
  readonly anyOf?: readonly [Schema, Schema];
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Schema[];
}

const definitions = schema.$defs as unknown as Readonly<Record<string, Schema>>;
const checks = new Map<string, Check>();

/** A definition becomes a check when it is first used: a document has few kinds of statements. */
export function checkSchema(definition: string, value: unknown): Violation | undefined {
  let check = checks.get(definition);
  if (check === undefined) {
    check = checkOf(definitions[definition]!);
    checks.set(definition, check);
  }
  return check(value);
}

function checkOf(schema: Schema): Check {
  const { $ref, anyOf, type = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice('#/$defs/'.length);
    return (value) => checkSchema(name, value);
  }
  if (anyOf !== undefined) return nullable(checkOf(anyOf[0]));
  const types = [type].flat();
  if (types.includes('array') && schema.items) return array(types, checkOf(schema.items));
  return types.includes('object') && schema.properties ? object(schema) : ofTypes(types);
}

/** A fault of the value itself may also be that it is not null. */
function nullable(check: Check): Check {
  return (value) => {
    const violation = value === null ? undefined : check(value);
    return violation?.keyword === 'type' && violation.path.length === 0 ? { ...violation, keyword: 'anyOf' } : violation;
  };
}

function ofTypes(types: readonly string[]): Check {
  const [only] = types;
  if (types.length === 1 && only === 'integer') return (value) => (Number.isInteger(value) ? undefined : violation('type', types));
  if (types.length === 1 && only === 'string') return (value) => (typeof value === 'string' ? undefined : violation('type', types));
  return (value) => (types.some((type) => hasType(value, type)) ? undefined : violation('type', types));
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'object':
      return isJson(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function array(types: readonly string[], check: Check): Check {
  const isType = ofTypes(types);
  return (value) => {
    if (!Array.isArray(value)) return isType(value);
    for (let i = 0; i < value.length; i++) {
      const found = check(value[i]);
      if (found !== undefined) return within(i, found);
    }
    return undefined;
  };
}

function object({ type, properties = {}, required = [], discriminator, oneOf = [] }: Schema): Check {
  const known = new Set(Object.keys(properties));
  const members = membersOf(properties);
  const ofKind = discriminator && kindOf(discriminator.propertyName, oneOf);
  return (value) => {
    if (!isJson(value)) return violation('type', type);
    for (const name of required) if (value[name] === undefined) return violation('required', name);
    for (const name in value) if (!known.has(name)) return violation('additionalProperties', name);
    return checkMembers(members, value) ?? ofKind?.(value);
  };
}

interface Member {
  readonly name: string;
  readonly check: Check;
}

/** The members that have a schema. */
function membersOf(properties: NonNullable<Schema['properties']>): readonly Member[] {
  return Object.entries(properties).flatMap(([name, member]) => (member === true ? [] : [{ name, check: checkOf(member) }]));
}

function checkMembers(members: readonly Member[], value: Json): Violation | undefined {
  for (const { name, check } of members) {
    const member = value[name];
    const found = member === undefined ? undefined : check(member);
    if (found !== undefined) return within(name, found);
  }
  return undefined;
}

/** Checks the members of an object by the kind that one of them names. */
function kindOf(tag: string, schemas: readonly Schema[]): (value: Json) => Violation | undefined {
  const kinds = new Map<unknown, readonly Member[]>();
  for (const { properties = {} } of schemas) {
    const { [tag]: kind, ...others } = properties;
    kinds.set((kind as Schema).const, membersOf(others));
  }
  return (value) => {
    const kind = value[tag];
    const members = kinds.get(kind);
    if (members !== undefined) return checkMembers(members, value);
    return within(tag, typeof kind === 'string' ? violation('kind', kind) : violation('type', 'string'));
  };
}

function violation(keyword: Violation['keyword'], detail: unknown): Violation {
  return { keyword, detail, path: [] };
}

function within(step: string | number, { keyword, detail, path }: Violation): Violation {
  return { keyword, detail, path: [step, ...path] };
}
