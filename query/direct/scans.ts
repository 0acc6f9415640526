/** Scans of an array for the elements with a certain value inside, by an index of the array. */

import type { RefTerm, Term } from '../../compiler/ast/nodes.js';
import { isArray, type Value } from '../../values/value.js';
import type { Scan } from '../bodies/array-scans.js';
import { staticPlaceOf } from '../refs/static-places.js';
import type { Compiling, GetDefined, Step } from './compiling.js';
import { visitElements, visitPositions } from './elements.js';
import { below, singleRef } from './refs.js';
import type { DirectFrame } from './run.js';
import type { Scope } from './scope.js';
import { isBound } from './terms.js';

/** Compiles the comparison after a scan, which holds for elements that the index finds. */
interface Following {
  comparison(then: () => Step): Step;
  rest(): Step;
}

/** A scan, if an index may be used. */
export function scan(
  compiling: Compiling,
  { source, element, key, path, wanted }: Scan,
  scope: Scope,
  following: Following,
): Step | undefined {
  if (scope.isBound(element.name) || scope.isBound(key.name)) return undefined;
  const collection = singleRef(compiling, source, scope);
  const value = wantedValue(compiling, wanted, scope);
  if (collection === undefined || value === undefined) return undefined;
  const isShared = isBase(compiling, source);
  const keySlot = scope.bind(key.name);
  const slot = scope.bind(element.name);
  const rest = following.rest();
  const compared = following.comparison(() => rest);
  return (frame) => {
    const elements = collection(frame);
    if (elements === undefined) return false;
    const positions = isArray(elements) ? positionsOf(frame, elements, path, value, isShared) : undefined;
    if (positions === undefined) return visitElements(frame, elements, keySlot, slot, compared);
    return visitPositions(frame, elements as readonly Value[], positions, keySlot, slot, rest);
  };
}

function positionsOf(frame: DirectFrame, array: readonly Value[], path: readonly string[], wanted: GetDefined, isShared: boolean) {
  const { evaluation, search } = frame.run;
  const value = wanted(frame);
  return value === undefined ? undefined : (isShared ? evaluation.dataIndexes : search.indexes).positions(array, path, value);
}

/** Whether a ref names a base document, whose index all evaluations share. */
function isBase({ program }: Compiling, ref: RefTerm): boolean {
  const [head] = ref.terms;
  return head?.type === 'var' && head.name === 'data' && staticPlaceOf(program, ref).document === undefined;
}

/** Rules that are not known yet are not evaluated for it: there may be no element to compare. */
function wantedValue(compiling: Compiling, term: Term, scope: Scope): GetDefined | undefined {
  if (term.type !== 'ref') return isBound(term, scope) ? compiling.single(term, scope) : undefined;
  const head = term.terms[0]!;
  if (head.type !== 'var') return undefined;
  if (head.name === 'input' || scope.isBound(head.name)) return singleRef(compiling, term, scope);
  if (head.name !== 'data') return undefined;
  const { document, next } = staticPlaceOf(compiling.program, term);
  if (document === undefined) return singleRef(compiling, term, scope);
  if (document.kind !== 'complete') return undefined;
  const rules = compiling.rules(document);
  return below(({ run }) => rules.known(run), term.terms.slice(next), false, scope);
}
