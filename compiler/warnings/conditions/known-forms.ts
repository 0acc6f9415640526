/** The forms that built-ins give to their results. */

import { isNumber, type Value } from '../../../values/index.js';
import type { ValueTest } from './value-tests.js';

/** Tests that all results of a built-in pass, and the same in words. */
export interface Form {
  readonly tests: readonly ValueTest[];
  readonly says: string;
}

function texts(fits: (text: string) => boolean, says: string): Form {
  return { tests: [{ op: 'form', fits: (value) => typeof value === 'string' && fits(value) }], says };
}

function integers(least: number, says: string): Form {
  const isInteger = (value: Value): boolean =>
    isNumber(value) && (typeof value !== 'number' || Number.isInteger(value));
  // All numbers are less than all texts.
  return {
    tests: [
      { op: 'form', fits: isInteger },
      { op: 'gte', value: least },
      { op: 'lt', value: '' },
    ],
    says,
  };
}

function names(...values: readonly string[]): Form {
  return { tests: [{ op: 'in', values }], says: `is one of ${values.join(', ')}` };
}

const forms: Readonly<Record<string, Form>> = {
  lower: texts((text) => text === text.toLowerCase(), 'has no capitals'),
  upper: texts((text) => text === text.toUpperCase(), 'has no small letters'),
  count: integers(0, 'is a number from 0 on'),
  abs: {
    tests: [
      { op: 'gte', value: 0 },
      { op: 'lt', value: '' },
    ],
    says: 'is a number from 0 on',
  },
  indexof: integers(-1, 'is a number from -1 on'),
  type_name: names('null', 'boolean', 'number', 'string', 'array', 'object', 'set'),
  'time.weekday': names('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'),
};

/** The form of a built-in's results; undefined where nothing is known. */
export function formOf(name: string): Form | undefined {
  return Object.hasOwn(forms, name) ? forms[name] : undefined;
}
