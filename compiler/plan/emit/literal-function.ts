/**
 * Functions that return a literal. The value is made while planning: what runs the plan here takes
 * it as it is, however large. The statements that build it are written when somebody reads them.
 */

import { type Block, type Func, withConstant } from '../../../ir-schema/index.js';
import { makeObject, numberFromText, RegoSet, type Value } from '../../../values/index.js';
import type { Term } from '../../ast/nodes.js';
import { ownPath } from './emit.js';
import { plannedInteger } from './numbers.js';
import type { Statics } from './statics.js';

/** The parts of a function that its statements decide. */
interface LiteralBody {
  readonly result: number;
  readonly block: Block;
}

/** @param build writes the statements, which add nothing to the tables of the plan */
export function literalFunction(
  name: string,
  term: Term,
  params: readonly number[],
  statics: Statics,
  build: () => LiteralBody,
): Func {
  statics.file(term.loc.file);
  let body: LiteralBody | undefined;
  const made = () => (body ??= build());
  let blocks: readonly Block[] | undefined;
  const func: Func = {
    name,
    path: ownPath(name),
    params,
    get return() {
      return made().result;
    },
    get blocks() {
      return (blocks ??= [made().block]);
    },
  };
  return withConstant(func, literalValue(term, statics));
}

/** A literal's value. Its texts get their places in the tables, in the order of its statements. */
function literalValue(term: Term, statics: Statics): Value {
  switch (term.type) {
    case 'string':
      statics.string(term.value);
      return term.value;
    case 'boolean':
      return term.value;
    case 'null':
      return null;
    case 'number': {
      const integer = plannedInteger(term.text);
      if (integer !== undefined) return integer;
      statics.string(term.text);
      return numberFromText(term.text);
    }
    case 'array':
      return term.items.map((item) => literalValue(item, statics));
    case 'set':
      return new RegoSet(term.items.map((item) => literalValue(item, statics)));
    case 'object':
      return makeObject(
        term.entries.map(({ key, value }) => [literalValue(key, statics), literalValue(value, statics)] as const),
      );
    default:
      throw new Error(`a ${term.type} is no literal`);
  }
}
