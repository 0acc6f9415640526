/** How messages name nodes. */

import type { Term } from './nodes.js';

/** Names that start every path there is: documents from outside and of policies. */
export function isRootName(name: string): boolean {
  return name === 'data' || name === 'input';
}

/** Whether a variable is a `_` of the text. */
export function isWildcard(name: string): boolean {
  return name.startsWith('$');
}

/** Whether a term has no variables, calls excepted. */
export function isGround(term: Term): boolean {
  switch (term.type) {
    case 'var':
      return false;
    case 'ref':
      return term.terms.every((part, i) => i === 0 || isGround(part)) && (term.terms[0]!.type === 'var' || isGround(term.terms[0]!));
    case 'array':
    case 'set':
      return term.items.every(isGround);
    case 'object':
      return term.entries.every(({ key, value }) => isGround(key) && isGround(value));
    case 'call':
      return term.args.every(isGround);
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return false;
    case 'templatestring':
      return term.parts.every((part) => part.type !== 'expr' && isGround(part));
    default:
      return true;
  }
}
