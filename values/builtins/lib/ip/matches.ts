/** Pairs of a network and an address, or a network, that it contains. */
import { sortedEntries, sortedMembers } from '../../../compare.js';
import { RegoSet } from '../../../set.js';
import { isArray, isObject, isSet, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { stringAsFirst } from '../../value-operands.js';
import { cidrContains } from './contains.js';
import type { Network } from './network.js';
import { networkOperand } from './remembered.js';

/**
 * The addresses or networks of an operand of cidr_contains_matches, each with its value in the
 * answer. Operands of other types than the declared ones have none.
 */
function* matchTerms(operand: Value, position: number): IterableIterator<[text: Value, index: Value]> {
  if (typeof operand === 'string') yield [operand, operand];
  else if (isArray(operand)) for (const [i, element] of operand.entries()) yield [matchTerm(element, position), i];
  else if (isSet(operand)) for (const member of sortedMembers(operand)) yield [matchTerm(member, position), member];
  else if (isObject(operand))
    for (const [key, value] of sortedEntries(operand)) yield [matchTerm(value, position), key];
}

function matchTerm(element: Value, position: number): Value {
  if (typeof element === 'string') return element;
  const [first] = isArray(element) ? element : [];
  if (first !== undefined) return first;
  throw new BuiltinError(`operand ${position}: element must be string or non-empty array`);
}

/** Units for parsing an address and comparing it with a network. */
const unitsPerMatch = 100;

export function containsMatches(cidrs: Value, cidrsOrIps: Value, context: BuiltinContext): RegoSet {
  const matches = new RegoSet();
  for (const [cidr, index] of matchTerms(cidrs, 1)) {
    let network: Network | undefined;
    for (const [other, otherIndex] of matchTerms(cidrsOrIps, 2)) {
      context.tick(unitsPerMatch);
      network ??= networkOperand(cidr);
      if (cidrContains(network, stringAsFirst(other))) matches.add([index, otherIndex]);
    }
  }
  return matches;
}
