/** Whether the patterns of a program run as native regular expressions: then it needs no RE2. */

import { isLinearGlob, isLinearRegex, type Value } from '../../../values/index.js';
import type { Program } from '../../bytecode/program.js';
import type { LoweredBlock, LoweredOf, LoweredStmt } from '../../lowering/lowered.js';
import { blocksOfPart, innerBlocks } from '../../lowering/lowered.js';

type Constants = readonly (Value | undefined)[];

/** Tests by built-in: whether a call needs no RE2, told by its constant operands. */
const tests: Readonly<Record<string, (operands: Constants) => boolean>> = {
  'regex.match': ([pattern]) => isLinear(pattern, false),
  re_match: ([pattern]) => isLinear(pattern, false),
  'regex.find_n': ([pattern]) => isLinear(pattern, false),
  'regex.split': ([pattern]) => isLinear(pattern, false),
  'regex.find_all_string_submatch_n': ([pattern]) => isLinear(pattern, true),
  'regex.replace': ([, pattern]) => isLinear(pattern, true),
  'glob.match': ([glob, delimiters]) =>
    typeof glob === 'string' && delimiters !== undefined && isLinearGlob(glob, delimiters),
};

function isLinear(pattern: Value | undefined, groups: boolean): boolean {
  return typeof pattern === 'string' && isLinearRegex(pattern, groups);
}

/** @param loadsRe2 whether a built-in may need RE2 at all */
export function hasSimplePatterns(
  { lowered = [], builtins, constants }: Program,
  loadsRe2: (name: string) => boolean,
): boolean {
  const isSimple = ({ builtin, args }: LoweredOf<'builtin'>): boolean => {
    const name = builtins[builtin]!;
    if (!loadsRe2(name)) return true;
    return tests[name]?.(args.map((arg) => (arg < 0 ? constants[-1 - arg] : undefined))) === true;
  };
  const areSimple = (block: LoweredBlock): boolean =>
    block.every(
      (stmt: LoweredStmt) => (stmt.kind !== 'builtin' || isSimple(stmt)) && innerBlocks(stmt).every(areSimple),
    );
  return lowered.every(({ body }) => body.every((part) => blocksOfPart(part).every(areSimple)));
}
