/** Differences that are meant, with their reasons. */
import type { Answer } from './answers.js';
import type { Way } from './ways/way.js';

interface KnownDifference {
  readonly why: string;
  readonly covers: (way: Way, answer: Answer, wanted: Answer) => boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'limits are looked at in other places, so one may end one of the ways only',
    covers: (_, ...answers) => answers.some((answer) => isError(answer, 'eval_cancel_error')),
  },
  {
    why: 'an evaluation in another order may come to another conflict, or to none: a guard, an early exit or a key stands before it',
    covers: (way, ...answers) => !way.isProgram && answers.some((answer) => isError(answer, 'eval_conflict_error')),
  },
  {
    why: 'fmt refuses rules whose names are keywords of version 1, and -O writes what fmt writes',
    covers: (way, answer) =>
      (/ of -O /.test(way.name) || way.name === 'rewritten') &&
      'problem' in answer &&
      /rego_parse_error: \w+ keyword cannot be used for rule name/.test(answer.problem),
  },
  {
    why: 'an optimized rule has a narrower type, so the compiler refuses refs of other rules into it that can never hold',
    covers: (way, answer) =>
      / of -O /.test(way.name) &&
      'problem' in answer &&
      /rego_type_error: (?:undefined ref|match error|data\.\S+: invalid argument)/.test(answer.problem),
  },
];

function isError(answer: Answer, code: string): boolean {
  return 'error' in answer ? answer.error === code : 'problem' in answer && answer.problem.includes(`${code}:`);
}
