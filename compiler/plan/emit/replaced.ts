/** Notes on the values of terms that partial evaluation wrote in the place of variables. */
import type { Operand } from '../../../ir-schema/index.js';
import { refPrefix, refTerm } from '../../ast/make.js';
import type { Ref } from '../../ast/nodes.js';
import { type Origins, type ReplacedVariable, termKey } from '../../ast/origins.js';
import { nowhere, type Span } from '../../source/location.js';
import type { Planning } from '../planning.js';

/**
 * The statements that follow know the variables that the first terms of a ref have replaced; those
 * since `from` serve the expression that gave them their value. Answers where the next part begins.
 */
export function noteRefPart(p: Planning, terms: Ref, count: number, value: Operand, from: number): number {
  const [first] = note(p, value, (origins) => {
    const part = refTerm(terms[0].loc, refPrefix(terms, count));
    return origins.replacedBy(termKey(part, (name) => p.e.subject.names?.get(name)));
  });
  if (first === undefined) return from;
  if (first.place !== nowhere) p.e.serveSince(from, first.place);
  return p.e.emitted;
}

/** Notes the replacement of the whole term at a place, whose value a variable has. */
export function noteCaptured(p: Planning, place: Span, value: Operand): void {
  note(p, value, (origins) => origins.replacedAt(place));
}

function note(
  { e, functions }: Planning,
  value: Operand,
  find: (origins: Origins) => readonly ReplacedVariable[],
): readonly ReplacedVariable[] {
  const source = functions.origins === undefined ? undefined : e.subject.rule?.loc.source;
  const origins = source && functions.origins?.get(source);
  if (origins === undefined || value.type !== 'local') return [];
  const found = find(origins);
  for (const { name } of found) e.scope.note(name, value);
  return found;
}
