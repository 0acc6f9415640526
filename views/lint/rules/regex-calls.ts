/** The pattern among the operands of a call. */

import type { Term } from '../../../compiler/ast/nodes.js';
import type { Call } from '../frame/found-at.js';
import type { LintFile } from '../frame/lint-file.js';

/** The place of the pattern by the name of the built-in. */
const positions: ReadonlyMap<string, number> = new Map([
  ['regex.match', 0],
  ['regex.split', 0],
  ['regex.find_n', 0],
  ['regex.find_all_string_submatch_n', 0],
  ['regex.replace', 1],
]);

/** The operand that is a regular expression. */
export function patternArgument(call: Call, file: LintFile): Term | undefined {
  const name = file.builtinOf(call);
  const position = name === undefined ? undefined : positions.get(name);
  return position === undefined ? undefined : call.args[position];
}
