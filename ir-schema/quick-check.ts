/**
 * A short check of plans by the plan schema. It only says whether a plan satisfies the schema; the
 * generated validator finds the place and the reason, but is code of 60 kB that a start would load.
 */
import { partShapes, statementShapes } from './generated/plan-shapes.js';
import { isJson, type Json } from './nesting.js';

/** A property of an object: a value of a kind, or a list of such values. */
interface Property {
  readonly name: string;
  readonly kind: string;
  readonly isOptional: boolean;
  readonly isList: boolean;
  readonly mayBeNull: boolean;
}

type Shape = readonly Property[];

/** Shapes that have been needed, by the names of definitions in the schema. */
const shapes = new Map<string, Shape>();

/** Whether a document satisfies the plan schema. Recurses into its blocks. */
export function isPlan(document: unknown): boolean {
  return hasShape(document, shapeOf('Policy', partShapes));
}

function shapeOf(name: string, texts: Readonly<Record<string, string>>): Shape {
  let shape = shapes.get(name);
  if (shape === undefined) {
    shape = texts[name]!.split(' ').map(property);
    shapes.set(name, shape);
  }
  return shape;
}

/** Reads `name`, which is an integer, or such as `name:kind`, `?name:[kind]` and `name:kind?`. */
function property(text: string): Property {
  // Most are integers.
  if (!text.includes(':') && !text.startsWith('?'))
    return { name: text, kind: 'integer', isOptional: false, isList: false, mayBeNull: false };
  const isOptional = text.startsWith('?');
  const [name, type = 'integer'] = (isOptional ? text.slice(1) : text).split(':') as [string, string?];
  const mayBeNull = type.endsWith('?');
  const isList = type.startsWith('[');
  const kind = type.slice(isList ? 1 : 0, type.length - (mayBeNull ? 1 : 0) - (isList ? 1 : 0));
  return { name, kind, isOptional, isList, mayBeNull };
}

/** Whether a value has all properties of a shape, and no others. */
function hasShape(value: unknown, shape: Shape): boolean {
  if (!isJson(value)) return false;
  let present = 0;
  for (const expected of shape) {
    const found = value[expected.name];
    if (found === undefined && expected.isOptional) continue;
    if (!isValueOf(found, expected)) return false;
    present++;
  }
  return keyCount(value) === present;
}

function isValueOf(value: unknown, { kind, isList, mayBeNull }: Property): boolean {
  if (value === null) return mayBeNull;
  if (!isList) return isOfKind(value, kind);
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (!isOfKind(value[i], kind)) return false;
  return true;
}

function isOfKind(value: unknown, kind: string): boolean {
  switch (kind) {
    case 'integer':
      return Number.isInteger(value);
    case 'string':
      return typeof value === 'string';
    case 'object':
      return isJson(value);
    case 'Operand':
      return isOperand(value);
    case 'Stmt':
      return isStatement(value);
    default:
      return hasShape(value, shapeOf(kind, partShapes));
  }
}

function isOperand(value: unknown): boolean {
  if (!isJson(value) || keyCount(value) !== 2) return false;
  switch (value.type) {
    case 'local':
    case 'string_index':
      return Number.isInteger(value.value);
    case 'bool':
      return typeof value.value === 'boolean';
    default:
      return false;
  }
}

function isStatement(value: unknown): boolean {
  if (!isJson(value) || keyCount(value) !== 2) return false;
  const { type, stmt } = value;
  return typeof type === 'string' && Object.hasOwn(statementShapes, type) && hasShape(stmt, shapeOf(type, statementShapes));
}

/** The number of properties, inherited ones too: the generated validator reads these as well. */
function keyCount(value: Json): number {
  let count = 0;
  for (const _ in value) count++;
  return count;
}
