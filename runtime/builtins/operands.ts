/**
 * Checks operands against their declared types: at the top level, and one level down in arrays and
 * sets.
 */
import { sortedMembers } from '../values/compare.js';
import { ExactNumber } from '../values/numbers/number.js';
import { RegoSet } from '../values/set.js';
import type { Type } from '../values/type.js';
import { typeName, type Value } from '../values/value.js';
import { operandElementError, operandTypeError } from './errors.js';

/** Throws a BuiltinError where the operand at `position` (from 1) is not of its declared type. */
export type OperandCheck = (operand: Value, position: number) => void;

/** The check of a type, undefined where every value passes. */
export function operandCheck(type: Type): OperandCheck | undefined {
  if (type.type === 'any') return type.of === undefined || type.of.length === 0 ? undefined : checkAnyOf(type.of);
  if (type.type === 'string') return checkString;
  if (type.type === 'number') return checkNumber;
  return checkOne(type);
}

const checkString: OperandCheck = (operand, position) => {
  if (typeof operand !== 'string') throw operandTypeError(position, operand, 'string');
};

const checkNumber: OperandCheck = (operand, position) => {
  if (typeof operand !== 'number' && !(operand instanceof ExactNumber)) throw operandTypeError(position, operand, 'number');
};

function checkOne(type: Type): OperandCheck {
  const elements = elementCheck(type);
  return (operand, position) => {
    if (typeName(operand) !== type.type) throw operandTypeError(position, operand, type.type);
    elements?.(operand, position);
  };
}

function checkAnyOf(types: readonly Type[]): OperandCheck | undefined {
  if (types.some((type) => type.type === 'any')) return undefined;
  const names = [...new Set(types.map((type) => type.type))];
  const elements = new Map(types.map((type) => [type.type as string, elementCheck(type)]));
  return (operand, position) => {
    const name = typeName(operand);
    if (!elements.has(name)) throw operandTypeError(position, operand, ...names);
    elements.get(name)?.(operand, position);
  };
}

/** The check of the elements of an array or set type, undefined where every element passes. */
function elementCheck(type: Type): OperandCheck | undefined {
  const element = type.type === 'set' ? type.of : type.type === 'array' ? type.dynamic : undefined;
  if (element === undefined || (type.type !== 'set' && type.type !== 'array')) return undefined;
  const names = elementNames(element);
  if (names === undefined) return undefined;
  const composite = type.type;
  return (operand, position) => {
    const members = operand instanceof RegoSet ? sortedMembers(operand) : (operand as readonly Value[]);
    for (const member of members) {
      if (!names.includes(typeName(member))) throw operandElementError(position, composite, member, ...names);
    }
  };
}

function elementNames(type: Type): readonly string[] | undefined {
  if (type.type !== 'any') return [type.type];
  if (type.of === undefined || type.of.some((member) => member.type === 'any')) return undefined;
  return type.of.map((member) => member.type);
}
