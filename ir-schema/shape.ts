/**
 * Whether a document is a plan. The validator that ajv generates says what is wrong with one, but
 * is so long that loading it takes a twentieth of a command's time.
 */
import schema from './plan.schema.json' with { type: 'json' };

/** The keywords that the plan schema uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema & { readonly const?: string }>>;
  readonly required?: readonly string[];
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Schema[];
}

type Check = (value: unknown) => boolean;

const definitions = schema.$defs as unknown as Readonly<Record<string, Schema>>;

/** The checks of definitions that were needed so far. */
const checks = new Map<string, Check>();

/** @param document with blocks that are nested `maxBlockDepth` levels deep at most */
export function isPlan(document: unknown): boolean {
  return checkOf(schema)(document);
}

function checkOf(part: Schema): Check {
  const { $ref, anyOf, type, items, properties, required = [], discriminator, oneOf } = part;
  if ($ref !== undefined) return referred($ref);
  if (anyOf !== undefined) return anyCheck(anyOf.map(checkOf));
  if (typeof type === 'object') return anyCheck(type.map((only) => checkOf({ ...part, type: only })));
  if (type === 'array') return arrayCheck(checkOf(items!));
  if (discriminator !== undefined) return taggedCheck(discriminator.propertyName, Object.keys(properties!), oneOf!);
  if (type === 'object') return properties === undefined ? isObject : objectCheck(properties, required);
  if (type === 'integer') return Number.isInteger;
  if (type === 'null') return (value) => value === null;
  if (type === 'string' || type === 'boolean') return (value) => typeof value === type;
  throw new Error(`the plan schema uses what is not checked here: ${JSON.stringify(part)}`);
}

/** The check of a definition, made when it is first needed: definitions refer to each other. */
function referred($ref: string): Check {
  return (value) => {
    let check = checks.get($ref);
    if (check === undefined) {
      check = checkOf(definitions[$ref.slice('#/$defs/'.length)]!);
      checks.set($ref, check);
    }
    return check(value);
  };
}

function anyCheck(alternatives: readonly Check[]): Check {
  return (value) => alternatives.some((check) => check(value));
}

function arrayCheck(element: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    // Not `every`, which passes over holes.
    for (let i = 0; i < value.length; i++) if (!element(value[i])) return false;
    return true;
  };
}

/** Of an object without further properties. */
function objectCheck(properties: NonNullable<Schema['properties']>, required: readonly string[]): Check {
  const members = new Map(Object.entries(properties).map(([key, property]) => [key, checkOf(property)]));
  return (value) => {
    if (!isObject(value)) return false;
    for (const key in value) {
      const check = members.get(key);
      const member = value[key];
      if (check === undefined || (member !== undefined && !check(member))) return false;
    }
    return required.every((key) => value[key] !== undefined);
  };
}

/** Of an object whose tag says what its other member is. */
function taggedCheck(tag: string, keys: readonly string[], variants: readonly Schema[]): Check {
  const content = keys.find((key) => key !== tag)!;
  const contents = new Map(variants.map(({ properties = {} }) => [properties[tag]!.const, checkOf(properties[content]!)] as const));
  return (value) => {
    if (!isObject(value)) return false;
    for (const key in value) if (key !== tag && key !== content) return false;
    const check = contents.get(value[tag] as string);
    return check !== undefined && value[content] !== undefined && check(value[content]);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
