/** Files as a cache keeps them. */

import type { CachedFile, KeptFile, LintSource } from './lint-source.js';

/** A linted file as plain data. */
export function toCached({ findings, facts, directives }: KeptFile): CachedFile {
  return { findings, facts: [...facts], directives: [...directives] };
}

/** The same file, linted before. */
export function fromCached(source: LintSource, { findings, facts, directives }: CachedFile): KeptFile {
  return { source, findings, facts: new Map(facts), directives: new Map(directives) };
}
