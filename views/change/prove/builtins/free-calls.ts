/** Calls whose results the solver does not know: free functions of their operands. */
import type { BuiltinDeclaration } from '../../../../compiler/index.js';
import { isArray, isPlainObject, isSet, type Type } from '../../../../values/index.js';
import { type KindName, shapeOfResult, shapeOfType } from '../shapes.js';
import type { SymbolicInput } from '../symbolic-input.js';
import { type Guarded, known, type SymbolicSettings, type SymbolicValue, textOf } from '../symbolic-value.js';
import { Unprovable } from '../unprovable.js';

/** The solver knows that equal calls have equal results, and nothing more. */
export function free(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  row: BuiltinDeclaration | undefined,
): Guarded {
  const { formulas: f, input, comparing } = settings;
  const shape = shapeOfResult(name, row?.result);
  // The result may hold the set then, which parts of inputs never do.
  if (mayHoldAll(row?.result) && operands.some((operand, i) => holdsOtherSet(operand, row?.args[i]?.type, input)))
    throw new Unprovable(`${name} gets a set`);
  const part = input.result(`${name}(${operands.map(textOf).join(', ')})`, shape);
  settings.freeCalls.set(part, { name, operands, result: part });
  const value: SymbolicValue = { type: 'part', part };
  // Operands of another type than the declared one make an error.
  const fitting = operands.map((operand, i) => {
    const wanted = kindsOfType(row?.args[i]?.type);
    return wanted === undefined ? f.yes : settings.comparing.isOfKind(operand, ...wanted);
  });
  return { guard: f.and(comparing.isThere(value), ...fitting), value };
}

function kindsOfType(type: Type | undefined): readonly KindName[] | undefined {
  if (type?.type !== 'any') return shapeOfType(type)?.kinds;
  const all = type.of?.map(kindsOfType);
  return all === undefined || all.some((one) => one === undefined)
    ? undefined
    : all.flatMap((one) => one as readonly KindName[]);
}

/** Whether a result of a type may have members of all types. */
function mayHoldAll(type: Type | undefined): boolean {
  switch (type?.type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return false;
    case 'array':
      return type.static !== undefined || mayHoldAll(type.dynamic);
    case 'set':
      return mayHoldAll(type.of);
    default:
      return true;
  }
}

function typeOfMembers(type: Type | undefined): Type | undefined {
  if (type?.type === 'array') return type.dynamic;
  if (type?.type === 'set') return type.of;
  return type?.type === 'object' ? type.dynamic?.value : undefined;
}

/** Whether a value has a set where its type names none. */
function holdsOtherSet(value: SymbolicValue, type: Type | undefined, input: SymbolicInput): boolean {
  if (type?.type === 'any' && type.of !== undefined && type.of.length > 0)
    return type.of.every((one) => holdsOtherSet(value, one, input));
  const inner = typeOfMembers(type);
  const inMembers = (members: readonly { readonly value: SymbolicValue }[]) =>
    members.some((member) => holdsOtherSet(member.value, inner, input));
  switch (value.type) {
    case 'known': {
      const all = value.value;
      if (isSet(all)) return type?.type !== 'set' || inMembers(Array.from(all, (one) => ({ value: known(one) })));
      if (isArray(all)) return inMembers(all.map((one) => ({ value: known(one) })));
      return isPlainObject(all) && inMembers(Object.values(all).map((one) => ({ value: known(one) })));
    }
    case 'part':
      return input.isSetPart(value.part) && type?.type !== 'set';
    case 'overlaid':
      return holdsOtherSet(value.base, type, input) || holdsOtherSet(value.value, undefined, input);
    case 'set':
      return type?.type !== 'set' || inMembers(value.members);
    case 'array':
    case 'object':
      return inMembers(value.members);
    default:
      return false;
  }
}

/** The results of a relation, as `walk` is: the elements of an unknown list, in their order. */
export function relationResults(
  { name, result }: BuiltinDeclaration,
  operands: readonly SymbolicValue[],
  { formulas: f, input, comparing, freeCalls }: SymbolicSettings,
): readonly Guarded[] {
  if (operands.some((operand) => holdsOtherSet(operand, undefined, input))) throw new Unprovable(`${name} gets a set`);
  const list = input.result(`${name}(${operands.map(textOf).join(', ')})`, {
    kinds: ['array'],
    items: shapeOfType(result),
  });
  freeCalls.set(list, { name, operands, result: list });
  const given = operands.map((operand) => comparing.isThere(operand));
  return input.elements(list).map((part) => {
    const value: SymbolicValue = { type: 'part', part };
    return { guard: f.and(...given, comparing.isThere(value)), value };
  });
}
