/** Survivors as text: the place, the change as a patch, and the test that came nearest. */
import type { MutantResult, MutationResult, Score } from '../../../views/index.js';
import { mutatedText, mutationOperators, scoreOf } from '../../../views/index.js';
import { patchOf } from '../../output/difference.js';

const line = `${'-'.repeat(80)}\n`;

/** @param lists whether mutants that no test reaches are listed, and those that do not count */
export function resultsPretty(result: MutationResult, lists: boolean): string {
  const parts: string[] = [];
  for (const each of result.mutants) {
    if (each.status === 'Survived') parts.push(`${survivorText(each, result)}\n`);
    else if (lists && each.status === 'NoCoverage')
      parts.push(`${placeOf(each)}: no test reaches it: ${changeText(each)}\n`);
    else if (lists && !['Killed', 'Timeout'].includes(each.status))
      parts.push(`${placeOf(each)}: does not count (${each.reason}): ${changeText(each)}\n`);
  }
  if (parts.length > 0) parts.push(line);
  return parts.join('') + summaryText(scoreOf(result.mutants), lists);
}

function survivorText(result: MutantResult, { tests }: MutationResult): string {
  const { mutant, nearest, coveredBy, reason } = result;
  const { source } = mutant.span;
  const test = nearest && tests[nearest.test];
  const near =
    test === undefined
      ? ''
      : `  nearest: ${test.name} (${test.location.file}:${test.location.row}), ${differencesText(nearest!.differences)}; ${reachText(coveredBy.length)}\n`;
  return `${placeOf(result)}: survived: ${changeText(result)}\n${near}${reason === undefined ? '' : `  not noticed: ${reason}\n`}${patchOf(source.file, source.text, mutatedText(mutant))}`;
}

function differencesText(count: number): string {
  if (count === 0) return 'which evaluates the same';
  return count === 1 ? 'whose evaluation differs in 1 place' : `whose evaluation differs in ${count} places`;
}

function reachText(count: number): string {
  return count === 1 ? '1 test reaches it' : `${count} tests reach it`;
}

function placeOf({ mutant: { span } }: Pick<MutantResult, 'mutant'>): string {
  return `${span.file}:${span.row}`;
}

/** `an expression always holds (drop-expression)`. */
export function changeText({ mutant: { operator } }: Pick<MutantResult, 'mutant'>): string {
  return `${mutationOperators[operator]} (${operator})`;
}

function summaryText(score: Score, lists: boolean): string {
  const { detected, survived, notReached, invalid } = score;
  const hint = !lists && notReached > 0 ? ' (-v lists them)' : '';
  const reached = notReached === 0 ? '' : `, ${percent(score.scoreOfReached)} of those that tests reach`;
  return [
    `NOTICED: ${detected}`,
    `SURVIVED: ${survived}`,
    ...(notReached > 0 ? [`NOT REACHED: ${notReached}${hint}`] : []),
    ...(invalid > 0 ? [`DO NOT COUNT: ${invalid}`] : []),
    `SCORE: ${percent(score.score)}${reached}\n`,
  ].join('\n');
}

export function percent(share: number): string {
  return `${share.toFixed(1)} %`;
}
