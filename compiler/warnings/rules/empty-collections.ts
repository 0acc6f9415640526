/** Searches in collections that are always empty. */

import type { WarningSearch } from '../warning-search.js';

/** The type checker has found them; those that others fill in are not told. */
export function findEmptyCollections({ compiled, names, warnings }: WarningSearch): void {
  for (const { span, text, path } of compiled.types?.doubts() ?? [])
    if (path === undefined || !names.isGiven(path)) warnings.report('emptyCollection', span, { collection: text });
}
