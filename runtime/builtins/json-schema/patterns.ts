/** Regular expressions of schemas: RE2's syntax, in linear time. */
import type { Pattern } from './schema.js';

let library: typeof import('re2js') | undefined;

/** Loads the library that `compilePattern` needs. */
export async function loadPatterns(): Promise<void> {
  library ??= await import('re2js');
}

/** A search for a pattern anywhere in a text; undefined where the pattern is not valid. */
export function compilePattern(source: string): Pattern | undefined {
  if (library === undefined) throw new Error('the library of regular expressions was not loaded');
  try {
    const compiled = library.RE2JS.compile(source);
    return { source, test: (text) => compiled.test(text) };
  } catch {
    return undefined;
  }
}
