/** The terms of the heads of rules. */

import { type CompiledRule, headKeys, type RuleHead, type Term, type VirtualDocument } from '../../compiler/index.js';

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
