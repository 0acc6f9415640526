/**
 * Keys of refs into base documents, where a text finds the element of a list that it is the index
 * of, and a number the key of an object that is its literal: `runtime/operations/base-lookup.ts`.
 */

import { indexOfText } from '../../../ir-schema/index.js';
import { baseAt } from '../../../runtime/index.js';
import { isArray, isNumber, isPlainObject, type Value } from '../../../values/index.js';
import { textTerm } from './builtins/symbolic-builtins.js';
import { type Guarded, known, type SymbolicSettings, type SymbolicValue } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/**
 * The values at a key; undefined where the key finds what it finds in any value. Throws an
 * Unprovable for documents of `with` whose kind decides it.
 */
export function atBaseKey(
  value: SymbolicValue,
  key: SymbolicValue,
  settings: SymbolicSettings,
): readonly Guarded[] | undefined {
  if (value.type === 'known' && key.type === 'known') {
    const found = baseAt(value.value, key.value);
    return found === undefined ? [] : [{ guard: settings.formulas.yes, value: known(found) }];
  }
  if (value.type === 'known' && isArray(value.value)) return elementsAt(value.value, key, settings);
  if (!mayBeText(key) && !mayBeNumber(key)) return undefined;
  if (mayBeText(key) && mayBeList(value)) throw new Unprovable('a text as the key of a list that replaces data');
  if (mayBeNumber(key) && mayHaveNumber(value))
    throw new Unprovable('a number as the key of an object of data whose keys are numbers');
  return undefined;
}

/** The elements of a list of data at an unknown key. */
function elementsAt(list: readonly Value[], key: SymbolicValue, settings: SymbolicSettings): readonly Guarded[] {
  const { formulas: f, comparing } = settings;
  const text = textTerm(key, settings);
  return list.map((element, i) => {
    const isText = text === undefined ? f.no : f.and(text.guard, f.atom(`(str.in_re ${text.term} ${textsOf(i)})`));
    return { guard: f.or(comparing.equals(known(i), key), isText), value: known(element) };
  });
}

/** The pattern of the texts that `indexOfText` reads as an index. */
function textsOf(index: number): string {
  const plus = '(str.to_re "+")';
  const sign = index === 0 ? `(re.opt (re.union ${plus} (str.to_re "-")))` : `(re.opt ${plus})`;
  const zeros = '(str.to_re "0")';
  return `(re.++ ${sign} (re.* ${zeros}) (str.to_re "${index}") (re.opt (re.++ (str.to_re ".") (re.+ ${zeros}))))`;
}

function mayBeText(key: SymbolicValue): boolean {
  if (key.type === 'known') return typeof key.value === 'string' && indexOfText(key.value) !== undefined;
  return key.type === 'part' || key.type === 'string';
}

function mayBeNumber(key: SymbolicValue): boolean {
  return key.type === 'known' ? isNumber(key.value) : key.type === 'part' || key.type === 'number';
}

function mayBeList({ type }: SymbolicValue): boolean {
  return type === 'part' || type === 'array';
}

const numberForm = /^-?\d/;

/** Whether a value may be an object with a key that is the literal of a number. */
function mayHaveNumber(value: SymbolicValue): boolean {
  if (value.type === 'known') return isPlainObject(value.value) && Object.keys(value.value).some(isNumberText);
  if (value.type === 'object')
    return value.members.some(({ key }) => mayBeText(key) || (key.type === 'known' && isNumberText(key.value)));
  return value.type === 'part' || value.type === 'overlaid';
}

function isNumberText(key: Value): boolean {
  return typeof key === 'string' && numberForm.test(key);
}
