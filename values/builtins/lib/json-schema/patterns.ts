/** Regular expressions of schemas: a search for a pattern anywhere in a text. */

import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { compileRegex, type Pattern as Regex } from '../regex/engine.js';

export interface SchemaPattern {
  readonly source: string;
  readonly regex: Regex;
}

/** Undefined where the pattern is not valid. */
export function compilePattern(source: string, context: BuiltinContext): SchemaPattern | undefined {
  try {
    return { source, regex: compileRegex(source, context) };
  } catch (error) {
    if (error instanceof BuiltinError) return undefined;
    throw error;
  }
}
