/**
 * The general reader of operands, which checks the declared type: at the top level, and one level
 * down in arrays and sets. Readers that convert are in `value-operands.ts`.
 */
import { sortedMembers } from '../compare.js';
import { ExactNumber } from '../numbers/number.js';
import { RegoSet } from '../set.js';
import type { CheckedValue, Type, TypeOf } from '../type.js';
import { type ArrayValue, isSet, type TypeName, typeName, type Value } from '../value.js';
import type { Operand, OperandReader } from './builtin.js';
import type { BuiltinContext } from './builtin-context.js';
import { type BuiltinError, operandElementError, operandTypeError } from './builtin-errors.js';

/** The readers of a built-in's operands; undefined for an operand that may be any value. */
export function readersOf(args: readonly Operand[]): readonly (OperandReader | undefined)[] {
  return args.map(({ type, read }) => read ?? checkOf(type));
}

/** The operands of a call as its body gets them. */
export function readOperands(
  readers: readonly (OperandReader | undefined)[],
  operands: readonly Value[],
  context: BuiltinContext,
): readonly unknown[] {
  return operands.map((operand, i) => {
    const read = readers[i];
    return read === undefined ? operand : read(operand, i + 1, context);
  });
}

/** How many of the first operands are checked to be strings, and no more. */
export function leadingStrings(readers: readonly (OperandReader | undefined)[]): number {
  const other = readers.findIndex((reader) => reader !== checkString);
  return other < 0 ? readers.length : other;
}

/** The reader of an operand that may be any value; its declared type is not checked. */
export const unchecked: OperandReader<Value> = (operand) => operand;

/** The check of a type whose names stand in another order in the reference's message. */
export function checked<V extends Value>(
  type: TypeOf<V>,
  ...names: readonly TypeName[]
): OperandReader<CheckedValue<V>> {
  return (checkOf(type, names) ?? unchecked) as OperandReader<CheckedValue<V>>;
}

/** The check of a type, undefined where every value passes. */
function checkOf(type: Type, names?: readonly TypeName[]): OperandReader | undefined {
  if (type.type === 'any')
    return type.of === undefined || type.of.length === 0 ? undefined : checkAnyOf(type.of, names);
  if (type.type === 'string') return checkString;
  if (type.type === 'number') return checkNumber;
  return checkOne(type);
}

const checkString: OperandReader = (operand, position) => {
  if (typeof operand !== 'string') throw operandTypeError(position, operand, 'string');
  return operand;
};

const checkNumber: OperandReader = (operand, position) => {
  if (typeof operand !== 'number' && !(operand instanceof ExactNumber))
    throw operandTypeError(position, operand, 'number');
  return operand;
};

function checkOne(type: Type): OperandReader {
  const checkElements = elementCheck(type);
  return (operand, position) => {
    if (typeName(operand) !== type.type) throw operandTypeError(position, operand, type.type);
    checkElements?.(operand as Collection, position);
    return operand;
  };
}

function checkAnyOf(types: readonly Type[], shown?: readonly TypeName[]): OperandReader | undefined {
  if (types.some((type) => type.type === 'any')) return undefined;
  const names = [...new Set(types.map((type) => type.type as TypeName))];
  const allowed = names.reduce((kinds, name) => kinds | kindOfName[name], 0);
  const checkArray = elementCheck(onlyOf(types, 'array'));
  const checkSet = elementCheck(onlyOf(types, 'set'));
  return (operand, position) => {
    const kind = kindOf(operand);
    if ((allowed & kind) === 0) throw operandTypeError(position, operand, ...(shown ?? names));
    if (kind === kindOfName.array) checkArray?.(operand as ArrayValue, position);
    else if (kind === kindOfName.set) checkSet?.(operand as RegoSet, position);
    return operand;
  };
}

/** Types as bits, which are compared faster than names. */
const kindOfName = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32, set: 64 } as const;

function kindOf(value: Value): number {
  if (typeof value === 'string') return kindOfName.string;
  if (typeof value === 'number') return kindOfName.number;
  if (Array.isArray(value)) return kindOfName.array;
  if (value instanceof RegoSet) return kindOfName.set;
  return kindOfName[typeName(value)];
}

/** The type of a name in a union, undefined where there are several. */
function onlyOf(types: readonly Type[], name: TypeName): Type | undefined {
  const found = types.filter((type) => type.type === name);
  return found.length === 1 ? found[0] : undefined;
}

type Collection = ArrayValue | RegoSet;

type ElementCheck = (collection: Collection, position: number) => void;

/** The check of the elements of an array or set type, undefined where every element passes. */
function elementCheck(type: Type | undefined): ElementCheck | undefined {
  const element = type?.type === 'set' ? type.of : type?.type === 'array' ? type.dynamic : undefined;
  const names = element === undefined ? undefined : elementNames(element);
  if (names === undefined) return undefined;
  const pass = passOf(names);
  return (collection, position) => {
    if (!pass(isSet(collection) ? collection.toArray() : collection)) throw elementError(collection, position, names);
  };
}

function elementNames(type: Type): readonly string[] | undefined {
  if (type.type !== 'any') return [type.type];
  if (type.of === undefined || type.of.some((member) => member.type === 'any')) return undefined;
  return type.of.map((member) => member.type);
}

/** Whether all elements pass. Strings and numbers have loops of their own, which are faster. */
function passOf(names: readonly string[]): (elements: ArrayValue) => boolean {
  if (names.length === 1 && names[0] === 'string') return areStrings;
  if (names.length === 1 && names[0] === 'number') return areNumbers;
  return (elements) => elements.every((element) => names.includes(typeName(element)));
}

function areStrings(elements: ArrayValue): boolean {
  for (let i = 0; i < elements.length; i++) if (typeof elements[i] !== 'string') return false;
  return true;
}

function areNumbers(elements: ArrayValue): boolean {
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i];
    if (typeof element !== 'number' && !(element instanceof ExactNumber)) return false;
  }
  return true;
}

/** The error names the first element in the order of the language. */
function elementError(collection: Collection, position: number, names: readonly string[]): BuiltinError {
  const composite = isSet(collection) ? 'set' : 'array';
  const members = isSet(collection) ? sortedMembers(collection) : collection;
  const wrong = members.find((member) => !names.includes(typeName(member)))!;
  return operandElementError(position, composite, wrong, ...names);
}
