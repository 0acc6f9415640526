/** The rule of a filter's masks: a ref, or a name in the package of the filter's rule. */

import { type Module, packageSegments, type Term } from '../../../compiler/index.js';
import { beginsWith } from '../../../values/index.js';

/** The path of the rule that a term names; undefined for a term that names none. */
export function maskPath(
  term: Term,
  filter: readonly string[],
  modules: Iterable<Module>,
): readonly string[] | undefined {
  const terms = term.type === 'ref' ? term.terms : [term];
  const names = terms.flatMap((part, i) =>
    part.type === 'var' && i === 0 ? [part.name] : part.type === 'string' ? [part.value] : [],
  );
  if (names.length < terms.length) return undefined;
  return terms[0]?.type === 'var' && names[0] === 'data' ? names.slice(1) : [...packageOf(filter, modules), ...names];
}

/** The longest path of a package above a rule. */
function packageOf(path: readonly string[], modules: Iterable<Module>): readonly string[] {
  let longest: readonly string[] = [];
  for (const module of modules) {
    const names = packageSegments(module);
    if (names.length > longest.length && names.length < path.length && beginsWith(path, names)) longest = names;
  }
  return longest;
}
