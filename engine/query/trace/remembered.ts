/** The remembered results of the rules that refs name: events show them beside the variables. */

import { type Expr, groundPrefix, isRoot, type RefTerm, type VirtualDocument, walk } from '../../../compiler/index.js';
import { isObject, keyText, objectGet, type Value } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import type { QueryEnvironment } from '../environment.js';

/** A ref up to its first variable, and its value. */
export interface Remembered {
  readonly ref: RefTerm;
  readonly value: Value;
}

/** The refs of expressions whose rules have answered in an environment. */
export function rememberedBy(
  expressions: readonly Expr[],
  environment: QueryEnvironment,
  root: VirtualDocument,
): readonly Remembered[] {
  const found: Remembered[] = [];
  for (const part of expressions)
    walk(part, (term) => {
      if (term.type !== 'ref') return;
      const ref: RefTerm = { ...term, terms: groundPrefix(term.terms) };
      const value = rememberedValue(ref, environment, root);
      if (value !== undefined) found.push({ ref, value });
    });
  return found;
}

function rememberedValue(
  { terms: [head, ...keys] }: RefTerm,
  environment: QueryEnvironment,
  root: VirtualDocument,
): Value | undefined {
  if (!isRoot(head, 'data')) return undefined;
  let document: VirtualDocument | undefined = root;
  let i = 0;
  for (; document?.kind === 'package'; i++) {
    const key = keys[i];
    document = key?.type === 'string' ? childDocument(document, key.value) : undefined;
  }
  if (document === undefined || environment.isReplaced(document.path)) return undefined;
  const answers = environment.answersOf(document);
  const [key, ...further] = keys.slice(i);
  if (key === undefined) return answers.get('')?.value;
  if (key.type !== 'string' || further.length > 0) return undefined;
  const member = answers.get(keyText([key.value]))?.value;
  return document.kind === 'object' && member !== undefined && isObject(member) ? objectGet(member, key.value) : member;
}
