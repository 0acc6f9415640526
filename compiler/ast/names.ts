/** Kinds and names of terms. */

import type { RefTerm, ScalarTerm, Term } from './nodes.js';

/** Names that start every path there is: documents from outside and of policies. */
export function isRootName(name: string): boolean {
  return name === 'data' || name === 'input';
}

/** Whether a variable is a `_` of the text. */
export function isWildcard(name: string): boolean {
  return name.startsWith('$');
}

/** Whether a term is null, a boolean, a number or a text. */
export function isScalar(term: Term): term is ScalarTerm {
  const { type } = term;
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'null';
}

/** Whether a term has no variables, calls excepted. */
export function isGround(term: Term): boolean {
  switch (term.type) {
    case 'var':
      return false;
    case 'ref':
      return (
        term.terms.every((part, i) => i === 0 || isGround(part)) &&
        (term.terms[0].type === 'var' || isGround(term.terms[0]))
      );
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

/** Whether a term has constants only. */
export function isLiteral(term: Term): boolean {
  switch (term.type) {
    case 'array':
    case 'set':
      return term.items.every(isLiteral);
    case 'object':
      return term.entries.every(({ key, value }) => isLiteral(key) && isLiteral(value));
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return true;
    default:
      return false;
  }
}

/** Names that stand after a dot in a ref; others stand in brackets. */
export const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A key of a path as its text goes on: no two paths have the same text. */
export function pathKeyText(key: string): string {
  return plainName.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * A path below `data` as policies write it.
 *
 * @example
 * documentText(['http', 'api-v1', 'allow']) // data.http["api-v1"].allow
 */
export function documentText(path: readonly string[]): string {
  return `data${path.map(pathKeyText).join('')}`;
}

/**
 * The name of a function: `count`, `io.jwt.decode`, `data.a.f`. Undefined where a term of the ref
 * is no constant.
 */
export function functionName(ref: RefTerm): string | undefined {
  const { terms } = ref;
  // Most functions have a name of one part: no list and no new text for these.
  if (terms.length === 1 && terms[0].type === 'var') return terms[0].name;
  let name = '';
  for (const [i, term] of terms.entries()) {
    if (term.type !== 'var' && term.type !== 'string') return undefined;
    const part = term.type === 'var' ? term.name : term.value;
    name = i === 0 ? part : name + pathKeyText(part);
  }
  return name;
}
