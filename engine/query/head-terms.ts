/** The terms of the heads of rules. */

import type { RuleHead, Term } from '../../compiler/ast/nodes.js';
import type { CompiledRule } from '../../compiler/resolve/compiled-rule.js';
import { headKeys } from '../../compiler/resolve/head-keys.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';

/** The value that a rule gives, or the member that it adds to a set: a head has one of them. */
export function givenTerm({ value, key }: RuleHead): Term {
  return value ?? key!;
}

/** The keys of a rule's head below a document. */
export function keysOfRule({ rule, module }: CompiledRule, { path }: VirtualDocument): readonly Term[] {
  return headKeys(module, rule.head, path.length);
}

/** The keys of a rule's head, and the member that it adds to a set. */
export function allKeysOfRule(compiled: CompiledRule, document: VirtualDocument): readonly Term[] {
  const keys = keysOfRule(compiled, document);
  const { head } = compiled.rule;
  return head.value === undefined ? [...keys, givenTerm(head)] : keys;
}
