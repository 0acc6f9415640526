/** The patterns among the operands of a call. */

import type { Term } from '../../../compiler/index.js';
import type { Call } from '../frame/found-at.js';
import type { LintFile } from '../frame/lint-file.js';

/** The places of patterns by the name of the built-in. */
const positions: ReadonlyMap<string, readonly number[]> = new Map([
  ['regex.match', [0]],
  ['regex.is_valid', [0]],
  ['regex.split', [0]],
  ['regex.find_n', [0]],
  ['regex.find_all_string_submatch_n', [0]],
  ['regex.replace', [1]],
  ['regex.template_match', [0]],
  ['regex.globs_match', [0, 1]],
]);

/** The operands that are regular expressions. */
export function patternArguments(call: Call, file: LintFile): readonly Term[] {
  const found = positions.get(file.builtinOf(call) ?? '') ?? [];
  return found.flatMap((position) => call.args[position] ?? []);
}
