/** Examples of differences whose inputs were made. */
import { rfc3339Text } from '../../values/index.js';
import type { DecidingPair } from './cause-finder.js';
import type { DecisionOutcome } from './outcome.js';
import { answerOf } from './replay.js';
import type { DecisionExample } from './report.js';
import type { PastQuestion } from './version-decisions.js';

/** The example of the question that both versions have just decided. */
export function madeExample(
  deciding: DecidingPair,
  { path, input, timeNs }: PastQuestion,
  before: DecisionOutcome,
  after: DecisionOutcome,
): DecisionExample {
  const asksTime = deciding.old.asksTime || deciding.new.asksTime;
  return {
    path: path!,
    ...(input !== undefined && { input }),
    ...(asksTime && timeNs !== undefined && { timestamp: rfc3339Text(timeNs) }),
    old: answerOf(before),
    new: answerOf(after),
  };
}
