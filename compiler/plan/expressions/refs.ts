/** Refs → operands: input, local variables, and data. */
import type { Operand } from '../../../ir-schema/index.js';
import type { RefTerm } from '../../ast/nodes.js';
import { inputLocal, local } from '../emit/emit.js';
import type { Planning } from '../planning.js';
import { openLevels, planEnumeration } from './enumeration.js';
import { type DataPlace, planAccess, planMixedAccess, planPlain } from './places.js';
import { isBoundIn } from './plan-unification.js';

export function planRef(p: Planning, ref: RefTerm): Operand {
  const [head] = ref.terms;
  if (head.type !== 'var') return planAccess(p, p.term(head), ref.terms, 1, ref.loc);
  if (head.name === 'data') return planData(p, ref);
  if (head.name !== 'input') return planAccess(p, p.term(head), ref.terms, 1, ref.loc);
  // There may be no input at all: a look-up in it is undefined.
  if (ref.terms.length === 1) p.e.emit('IsDefinedStmt', ref.loc, { source: inputLocal });
  return planAccess(p, local(inputLocal), ref.terms, 1, ref.loc);
}

function planData(p: Planning, { terms, loc }: RefTerm): Operand {
  const root = p.environment.isShadowed([]) ? undefined : p.functions.documents.root;
  const start: DataPlace = { document: root, keys: [], next: 1 };
  const [outer, ...inner] = openLevels(p, root, terms);
  if (outer !== undefined) return planEnumeration(p, start, terms, [outer, ...inner], loc);
  // If all terms have values, no loop is needed.
  const open = terms.findIndex((term, i) => i > 0 && !isBoundIn(p, term));
  return planMixedAccess(p, planPlain(p, start, terms, open < 0 ? terms.length : open, loc), terms, loc);
}
