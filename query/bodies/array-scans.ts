/**
 * Bodies that scan an array for the elements with a certain value inside: `x = xs[_]; x.a = b`.
 * If the value is known, an index of the array finds them. The other elements would end at the
 * second expression, without an effect.
 */

import { functionName } from '../../compiler/ast/names.js';
import type { Expr, RefTerm, Term, VarTerm } from '../../compiler/ast/nodes.js';
import { isScalar } from '../../compiler/resolve/declared.js';
import { isArray, type Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { eachElement } from '../refs/elements.js';
import { immediateValue, missing } from '../refs/immediate.js';
import { staticPlaceOf } from '../refs/static-places.js';
import type { Search } from '../search.js';

/** An expression that iterates, followed by a comparison inside the element. */
export interface Scan {
  readonly element: VarTerm;
  readonly key: VarTerm;
  /** The ref to the collection. */
  readonly source: RefTerm;
  /** The place in the element that is compared. */
  readonly path: readonly string[];
  readonly wanted: Term;
}

export function scanOf(expr: Expr, next: Expr | undefined): Scan | undefined {
  const [element, ref] = equalityOf(expr) ?? [];
  const comparison = next && equalityOf(next);
  if (comparison === undefined || element?.type !== 'var' || ref?.type !== 'ref' || ref.terms.length < 2) return undefined;
  const key = ref.terms.at(-1)!;
  if (key.type !== 'var' || key.name === element.name) return undefined;
  const source: RefTerm = { ...ref, terms: ref.terms.slice(0, -1) };
  for (const [asked, wanted] of [comparison, [comparison[1], comparison[0]] as const]) {
    const path = pathBelow(asked, element.name);
    if (path !== undefined && isSimple(wanted) && !names(wanted, element) && !names(wanted, key))
      return { element, key, source, path, wanted };
  }
  return undefined;
}

function equalityOf(expr: Expr): readonly [Term, Term] | undefined {
  if (expr.kind !== 'call' || expr.negated || expr.with.length > 0 || expr.args.length !== 2) return undefined;
  return functionName(expr.operator) === 'eq' ? (expr.args as readonly [Term, Term]) : undefined;
}

/** The strings of a ref that begins with a variable. */
function pathBelow(term: Term, name: string): readonly string[] | undefined {
  if (term.type !== 'ref' || term.terms.length < 2) return undefined;
  const [head, ...keys] = term.terms;
  if (head?.type !== 'var' || head.name !== name) return undefined;
  return stringsOf(keys);
}

function stringsOf(keys: readonly Term[]): readonly string[] | undefined {
  const strings = keys.flatMap((key) => (key.type === 'string' ? [key.value] : []));
  return strings.length === keys.length ? strings : undefined;
}

function isSimple(term: Term): boolean {
  if (term.type === 'ref') return term.terms[0]!.type === 'var' && stringsOf(term.terms.slice(1)) !== undefined;
  return term.type === 'var' || isScalar(term);
}

function names(term: Term, { name }: VarTerm): boolean {
  const head = term.type === 'ref' ? term.terms[0]! : term;
  return head.type === 'var' && head.name === name;
}

/**
 * Evaluates a scan by an index, if that is possible.
 * @param then goes on with the comparison, which holds for the elements that the index finds
 */
export function scanByIndex(search: Search, scan: Scan, frame: Frame, then: Step): Next | 'no' {
  if (frame.values.has(scan.element.name) || frame.values.has(scan.key.name)) return 'no';
  const { machine, evaluation } = search;
  const { environment } = machine;
  if (environment.hasReplaced || environment.hasMocks) return 'no';
  const { source, path, element, key } = scan;
  const isData = names(source, { ...element, name: 'data' });
  const place = isData ? staticPlaceOf(search.program, source) : undefined;
  // The children of a package are no elements.
  if (place?.document?.kind === 'package') return 'no';
  const wanted = immediateValue(search, scan.wanted, frame);
  if (wanted === undefined || wanted === missing) return 'no';
  const visit = (index: Value, value: Value): Next => {
    machine.bind(frame, key.name, index);
    machine.bind(frame, element.name, value);
    return then;
  };
  const indexes = isData && place?.document === undefined ? evaluation.dataIndexes : search.indexes;
  return search.ref(source, frame, (collection) => {
    const positions = isArray(collection) ? indexes.positions(collection, path, wanted) : undefined;
    if (positions === undefined) return eachElement(machine, collection, visit);
    return machine.each(positions, (position) => visit(position, (collection as readonly Value[])[position]!));
  });
}
