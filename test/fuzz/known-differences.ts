/** Differences that are meant, with their reasons. */

import { toJson } from '../../values/json/json.js';
import type { PolicyCase } from '../generators/random-case.js';
import { type Answer, show } from './answers.js';
import type { Way } from './ways/way.js';

interface KnownDifference {
  readonly why: string;
  readonly covers: (way: Way, answer: Answer, wanted: Answer, given: PolicyCase) => boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'limits are looked at in other places, so one may end one of the ways only',
    covers: (_way, answer, wanted) => [answer, wanted].some((one) => isError(one, 'eval_cancel_error')),
  },
  {
    why: 'the oracle finds another part of an expression undefined before its calls, and nothing behind a `with` of a bad path',
    covers: (way, _answer, wanted) => way.name === 'oracle' && isError(wanted, 'eval_conflict_error'),
  },
  {
    why: 'of two conflicts, an evaluation in another order comes to the other one first',
    covers: (way, answer, wanted) => !way.isProgram && isError(answer, 'eval_conflict_error') && isError(wanted, 'eval_conflict_error'),
  },
  {
    why: 'a program evaluates the whole of a document of which a statement reads many keys, and comes to a conflict at other keys',
    covers: (way, _answer, wanted) => !way.isProgram && isError(wanted, 'eval_conflict_error'),
  },
  {
    why: 'an evaluation in another order may come to a conflict before a guard, an early exit or a key that others pass over',
    covers: (way, answer) => (way.name === 'trace' || isResidual(way)) && isError(answer, 'eval_conflict_error'),
  },
  {
    why: 'fmt refuses rules whose names are keywords of version 1',
    covers: (way, answer) =>
      way.name === 'rewritten' &&
      'problem' in answer &&
      /rego_parse_error: (?:\w+ keyword cannot be used for rule name|unexpected \w+ keyword)/.test(answer.problem),
  },
  {
    why: 'bytes that are no UTF-8 have no literal, in which residuals and tests have the answer',
    covers: (way, _answer, wanted) => (way.name === 'residual' || way.name === 'test') && /\\ud[89a-f]/.test(show(wanted)),
  },
  {
    why: 'the first rule of a policy sees no type of `data`: with tests beside it, it does',
    covers: (way, answer) => way.name === 'test' && 'problem' in answer && answer.problem.includes('rego_type_error: undefined ref: data['),
  },
  {
    why: 'a residual compares an unknown key of a base document by its value: `1.0` is 1 there, and finds no key `1` elsewhere',
    covers: (way, _answer, _wanted, { inputs }) => isResidual(way) && oddNumber.test(toJson(inputs.filter((input) => input !== undefined))),
  },
  {
    why: 'a residual compares an unknown key of a base document with the index and its text: `"01"` is the index 1 elsewhere',
    covers: (way, _answer, _wanted, { inputs }) => isResidual(way) && oddIndex.test(toJson(inputs.filter((input) => input !== undefined))),
  },
];

/** A text that is an index of an array, but not as the index is written. */
const oddIndex = /"(?:[+-]\d+(?:\.0+)?|0\d+(?:\.0+)?|\d+\.0+)"/;

/** A number that is written as `1.0`, `1.10` or `1e0`. */
const oddNumber = /(?<![\d"])-?\d+(?:\.\d*0(?!\d)|\.?\d*[eE])/;

/** Whether the answer is that of what partial evaluation left. */
function isResidual(way: Way): boolean {
  return way.name === 'residual' || / of -O /.test(way.name);
}

function isError(answer: Answer, code: string): boolean {
  return 'error' in answer ? answer.error === code : 'problem' in answer && answer.problem.includes(`${code}:`);
}
