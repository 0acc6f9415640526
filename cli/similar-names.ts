/** Names close to a mistyped one. */

import { editDistance } from '../values/index.js';

/** The names that are two changes away, or begin with the typed text. */
export function similarNames(typed: string, names: readonly string[]): string[] {
  return names.filter((name) => editDistance(typed, name) <= 2 || name.startsWith(typed));
}
