/** Answers of the ways to decide, and when two are the same. */

import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { sortedEntries, sortedMembers } from '../../values/compare.js';
import { parseJson, toJson } from '../../values/json/json.js';
import { numberText } from '../../values/numbers/number.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../../values/value.js';

/** A value of the language, or JSON text where a way can give no more. */
export type Answer =
  | { readonly value: Value | undefined; readonly note?: string }
  | { readonly json: string | undefined; readonly isDouble?: boolean }
  | { readonly error: string; readonly detail: string }
  /** There is no answer where there must be one. */
  | { readonly problem: string }
  /** The way cannot take this question, for a reason of the table of `known-differences.ts`. */
  | { readonly skipped: string };

/** The value of a function, or the error that ends an evaluation. */
export function answerOf(evaluate: () => Value | undefined): Answer {
  try {
    return { value: evaluate() };
  } catch (error) {
    return errorAnswer(error);
  }
}

/** Throws an error that is none of an evaluation. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof EvaluationError) return { error: error.code, detail: error.detail };
  if (error instanceof HaltError || error instanceof BuiltinError) return { error: error.code, detail: error.message };
  const { name, code, detail } = error as { name?: unknown; code?: unknown; detail?: unknown };
  // A module has a class of its own.
  if (name === 'EvaluationError' && typeof code === 'string') return { error: code, detail: String(detail) };
  throw error;
}

/** The answers as texts that are equal where the answers are; numbers by their value. */
export function textsOf(answer: Answer, wanted: Answer): readonly [string, string] {
  if (!isDocument(answer) || !isDocument(wanted)) return [show(answer), show(wanted)];
  if ('value' in answer && 'value' in wanted) return [canonical(answer.value), canonical(wanted.value)];
  const isDouble = [answer, wanted].some((one) => 'isDouble' in one && one.isDouble === true);
  return [jsonText(answer, isDouble), jsonText(wanted, isDouble)];
}

type DocumentAnswer = Extract<Answer, { readonly value: unknown } | { readonly json: unknown }>;

function isDocument(answer: Answer): answer is DocumentAnswer {
  return 'value' in answer || 'json' in answer;
}

function jsonText(answer: DocumentAnswer, isDouble: boolean): string {
  const text = 'json' in answer ? answer.json : answer.value === undefined ? undefined : toJson(answer.value);
  if (text === undefined) return 'undefined';
  // JSON has no infinite numbers: the answer has null there.
  return isDouble ? canonical(JSON.parse(JSON.stringify(JSON.parse(text))) as Value) : canonical(parseJson(text));
}

/** For people. */
export function show(answer: Answer): string {
  if ('skipped' in answer) return `skipped: ${answer.skipped}`;
  if ('problem' in answer) return answer.problem;
  if ('error' in answer) return `${answer.error}: ${answer.detail}`;
  if ('json' in answer) return answer.json ?? 'undefined';
  return canonical(answer.value);
}

/** As a term of the language, members and keys in order, numbers in one form. */
export function canonical(value: Value | undefined): string {
  if (value === undefined) return 'undefined';
  if (isNumber(value)) return numberForm(numberText(value));
  if (isArray(value)) return `[${value.map(canonical).join(', ')}]`;
  if (isSet(value)) return value.size === 0 ? 'set()' : `{${sortedMembers(value).map(canonical).join(', ')}}`;
  if (isObject(value)) return `{${[...sortedEntries(value)].map(([key, one]) => `${canonical(key)}: ${canonical(one)}`).join(', ')}}`;
  return JSON.stringify(value);
}

/** `1.50e3`, `1500` and `15e2` are one number: digits without zeros, and an exponent. */
function numberForm(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  // An infinite double stands for a number that is too large for it.
  if (parts === null) return text;
  const [, sign, whole, fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return power >= 0 && power < 20 ? `${sign}${significant}${'0'.repeat(power)}` : `${sign}${significant}e${power}`;
}
