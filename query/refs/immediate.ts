/** The values of terms that need no search: paths of known values, and results of rules so far. */

import type { RefTerm, Term } from '../../compiler/ast/nodes.js';
import { baseAt } from '../../runtime/operations/base-lookup.js';
import { lookup } from '../../values/compare.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import type { Search } from '../search.js';
import { isBound, termValue } from '../terms.js';
import { staticPlaceOf } from './static-places.js';

/** The value of a term that is undefined. */
export const missing: unique symbol = Symbol('missing');

/** Undefined if a search is needed. */
export function immediateValue(search: Search, term: Term, frame: Frame): Value | typeof missing | undefined {
  switch (term.type) {
    case 'var':
      return frame.values.get(term.name);
    case 'string':
    case 'boolean':
      return term.value;
    case 'ref':
      return refValue(search, term, frame);
    case 'number':
    case 'null':
    case 'array':
    case 'set':
    case 'object':
      return isBound(term, frame) ? termValue(term, frame) : undefined;
    default:
      return undefined;
  }
}

function refValue(search: Search, ref: RefTerm, frame: Frame): Value | typeof missing | undefined {
  const { terms } = ref;
  const head = terms[0]!;
  if (head.type !== 'var') return undefined;
  if (head.name === 'data') return dataValue(search, ref, frame);
  if (head.name !== 'input') return valueBelow(frame.values.get(head.name), terms, 1, frame);
  const { input } = search.machine.environment;
  return input === undefined ? missing : valueBelow(input, terms, 1, frame);
}

function dataValue({ machine, program }: Search, ref: RefTerm, frame: Frame): Value | typeof missing | undefined {
  const { environment } = machine;
  if (environment.hasReplaced) return undefined;
  const { document, next } = staticPlaceOf(program, ref);
  if (document === undefined) return environment.data === undefined ? missing : baseBelow(environment.data, ref.terms, frame);
  const answer = document.kind === 'complete' ? environment.answersOf(document).get('') : undefined;
  if (answer === undefined) return undefined;
  return answer.value === undefined ? missing : valueBelow(answer.value, ref.terms, next, frame);
}

function valueBelow(start: Value | undefined, terms: readonly Term[], from: number, frame: Frame): Value | typeof missing | undefined {
  let value = start;
  for (let i = from; i < terms.length && value !== undefined; i++) {
    const term = terms[i]!;
    if (term.type !== 'string' && !isBound(term, frame)) return undefined;
    value = lookup(value, termValue(term, frame));
    if (value === undefined) return missing;
  }
  return value;
}

function baseBelow(start: Value, terms: readonly Term[], frame: Frame): Value | typeof missing | undefined {
  let base = start;
  for (let i = 1; i < terms.length; i++) {
    const term = terms[i]!;
    if (term.type !== 'string' && !isBound(term, frame)) return undefined;
    const child = baseAt(base, termValue(term, frame));
    if (child === undefined) return missing;
    base = child;
  }
  return base;
}
