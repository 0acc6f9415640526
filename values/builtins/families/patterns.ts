/** Patterns: globs with delimiters, and regular expressions in the syntax of RE2. */
import { anyOf, array, boolean, nullType, number, string } from '../../type.js';
import type { Value } from '../../value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { BuiltinError } from '../builtin-errors.js';
import { counted, linear } from '../cost.js';
import { globsIntersect } from '../lib/glob/intersection.js';
import { delimitersOperand, matchGlob } from '../lib/glob/match.js';
import { compileRegex, loadRegex } from '../lib/regex/engine.js';
import { findAllSubmatches, findN, limitOperand, splitAtMatches } from '../lib/regex/find.js';
import { replaceMatches } from '../lib/regex/replace.js';
import { templateMatch } from '../lib/regex/template.js';
import { unchecked } from '../read-operands.js';

// biome-ignore format: a table
export const glob: readonly Builtin[] = [
  builtin('glob.match', [arg('pattern', string), arg('delimiters', anyOf(nullType, array(string)), delimitersOperand), arg('match', string)], boolean, matchGlob, { load: loadRegex, cost: counted }),
  builtin('glob.quote_meta', [arg('pattern', string)], string, (pattern) => pattern.replace(/[*?\\[\]{}]/g, '\\$&'), { cost: linear(5) }),
];

const load = loadRegex;

const patternAndValue = [arg('pattern', string), arg('value', string)] as const;

const limit = arg('number', number, limitOperand);

// biome-ignore format: a table
export const regex: readonly Builtin[] = [
  builtin('regex.match', patternAndValue, boolean, match, { load, cost: counted }),
  builtin('re_match', patternAndValue, boolean, match, { load, deprecated: true, cost: counted }),
  builtin('regex.is_valid', [arg('pattern', string, unchecked)], boolean, isValid, { load, cost: counted }),
  builtin('regex.split', patternAndValue, array(string), splitAtMatches, { load, cost: counted }),
  builtin('regex.find_n', [...patternAndValue, limit], array(string), findN, { load, cost: counted }),
  builtin('regex.find_all_string_submatch_n', [...patternAndValue, limit], array(array(string)), findAllSubmatches, { load, cost: counted }),
  builtin('regex.replace', [arg('s', string), arg('pattern', string), arg('value', string)], string, replaceMatches, { load, cost: counted }),
  builtin('regex.template_match', [arg('template', string), arg('value', string), arg('delimiter_start', string), arg('delimiter_end', string)], boolean, templateMatch, { load, cost: counted }),
  builtin('regex.globs_match', [arg('glob1', string), arg('glob2', string)], boolean, globsIntersect, { cost: counted }),
];

function match(pattern: string, value: string, context: BuiltinContext): boolean {
  return compileRegex(pattern, context).test(value, context);
}

/** Anything but a string is not valid, rather than an error. */
function isValid(pattern: Value, context: BuiltinContext): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    compileRegex(pattern, context);
    return true;
  } catch (error) {
    if (error instanceof BuiltinError) return false;
    throw error;
  }
}
