/** The variables of terms that grow by substitution: those of their parts are known before. */

import type { Expr, Term } from '../../../../compiler/index.js';
import { FromInside, varsOf } from '../../../../compiler/index.js';

const known = new WeakMap<Term | Expr, ReadonlySet<string>>();
const sets = new FromInside<ReadonlySet<string>>(makeVars);

/** As `varsOf`, in time that does not grow with the depth of a term whose parts were asked for. */
export function knownVars(term: Term): ReadonlySet<string> {
  let vars = known.get(term);
  if (vars === undefined) known.set(term, (vars = sets.of(term)));
  return vars;
}

function makeVars(node: Term | Expr): ReadonlySet<string> {
  switch (node.type) {
    case 'call':
      return union([node.operator, ...node.args]);
    case 'ref':
      return union(node.terms);
    case 'array':
    case 'set':
      return union(node.items);
    case 'object':
      return union(node.entries.flatMap(({ key, value }) => [key, value]));
    default:
      return varsOf(node);
  }
}

/** Terms with the same variables share a set. */
function union(terms: readonly Term[]): ReadonlySet<string> {
  const parts = terms.map(knownVars).sort((a, b) => b.size - a.size);
  const [largest = new Set<string>()] = parts;
  if (parts.every((part) => [...part].every((name) => largest.has(name)))) return largest;
  return new Set(parts.flatMap((part) => [...part]));
}
