import { groundPrefix, printRef, type RuleHead } from '../../compiler/index.js';

/** The path of a rule's document in its package, as text: rules of one path make one document. */
export function scalarPath({ ref }: RuleHead): string {
  const [first, ...others] = groundPrefix(ref);
  return first === undefined ? '' : printRef([first, ...others]);
}
