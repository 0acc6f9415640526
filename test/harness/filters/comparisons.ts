/** For tests: the comparisons of filters between two values of a row. */
import type { Json } from '../../../library/index.js';

const comparisons = {
  equal: (a: Json, b: Json) => a === b,
  unequal: (a: Json, b: Json) => a !== b,
  less: (a: Json, b: Json) => (a as number) < (b as number),
  atMost: (a: Json, b: Json) => (a as number) <= (b as number),
  greater: (a: Json, b: Json) => (a as number) > (b as number),
  atLeast: (a: Json, b: Json) => (a as number) >= (b as number),
  oneOf: (a: Json, b: Json) => (b as Json[]).includes(a),
  startsWith: (a: Json, b: Json) => (a as string).startsWith(b as string),
  endsWith: (a: Json, b: Json) => (a as string).endsWith(b as string),
  contains: (a: Json, b: Json) => (a as string).includes(b as string),
};

type Comparison = keyof typeof comparisons;

/** Compares by the operator's name in a target's language. */
export function compareBy(names: Readonly<Record<string, Comparison>>, operator: string, a: Json, b: Json): boolean {
  const comparison = names[operator];
  if (comparison === undefined) throw new Error(`${operator} is no operator`);
  return comparisons[comparison](a, b);
}
