/** The numbers of a file as policies see them. */
import type { PlainObject, Value } from '../../values/index.js';
import { ExactNumber, formatFloat, isArray, isObject, numberFromText, setOwn } from '../../values/index.js';
import { FileFormatError } from './formats/format.js';

/**
 * How numbers come to policies. `double`: as the nearest double. `printed`: the same, written as
 * the reference prints it (`1e+06`), so that messages are its own. `exact`: with all digits.
 */
export type NumberMode = 'double' | 'printed' | 'exact';

/** The same value; parts are copied only where a number changes. Throws a FileFormatError. */
export function withNumberMode(value: Value, mode: NumberMode): Value {
  if (mode === 'exact') return value;
  const number = mode === 'double' ? doubleOf : printedOf;
  return mode === 'double' && !hasOthers(value) ? value : changed(value, number);
}

/** Whether a value has a number that is no finite double. */
function hasOthers(value: Value): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (isArray(value)) {
    for (const item of value) if (hasOthers(item)) return true;
    return false;
  }
  const members = value as PlainObject;
  for (const key in members) if (hasOthers(members[key]!)) return true;
  return false;
}

function changed(value: Value, number: (value: number | ExactNumber) => Value): Value {
  if (typeof value === 'number' || value instanceof ExactNumber) return number(value);
  if (isArray(value)) {
    const items = value.map((item) => changed(item, number));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isObject(value)) return value;
  let copy: PlainObject | undefined;
  for (const [key, member] of Object.entries(value as PlainObject)) {
    const next = changed(member, number);
    if (next === member) continue;
    copy ??= { ...(value as PlainObject) };
    setOwn(copy, key, next);
  }
  return copy ?? value;
}

function doubleOf(value: number | ExactNumber): Value {
  const double = Number(value);
  if (Number.isFinite(double)) return double;
  const text = typeof value === 'number' ? 'beyond a double' : value.text;
  throw new FileFormatError(`unmarshal json: json: cannot unmarshal number ${text} into Go value of type float64`);
}

function printedOf(value: number | ExactNumber): Value {
  const double = doubleOf(value) as number;
  // Numbers of few digits are written alike.
  if (Math.abs(double) < 1e6 && (Math.abs(double) >= 1e-4 || double === 0)) return double;
  return numberFromText(formatFloat(double, 'g', -1));
}
