/** Looks keys up in values: each way in which unbound variables can be bound is a solution. */

import type { Term } from '../../compiler/ast/nodes.js';
import { narrowed } from '../../compiler/resolve/narrowed.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import { lookup } from '../../values/compare.js';
import type { Value } from '../../values/value.js';
import type { Frame } from '../bindings.js';
import type { Next, WithValue } from '../machine.js';
import type { Search } from '../search.js';
import { isBound, termValue } from '../term-value.js';
import { eachElement } from './elements.js';

/** The terms of a ref, with the variables that they read and bind. */
export interface AskedTerms {
  readonly terms: readonly Term[];
  readonly frame: Frame;
}

/** Looks the terms from `at` on up in a value. */
export function access(search: Search, start: Value, asked: AskedTerms, at: number, then: WithValue): Next {
  const { terms, frame } = asked;
  const { machine } = search;
  let source = start;
  for (let i = at; i < terms.length; i++) {
    const term = terms[i]!;
    if (term.type === 'string') {
      const value = lookup(source, term.value);
      if (value === undefined) return machine.fail();
      source = value;
      continue;
    }
    if (!isBound(term, frame)) {
      return eachElement(machine, source, (key, element) => {
        if (!search.matches('key', term, key, frame)) return machine.fail();
        return access(search, element, asked, i + 1, then);
      });
    }
    const value = lookup(source, termValue(term, frame));
    if (value === undefined) return machine.fail();
    source = value;
  }
  return then(source);
}

/** The value of rules, or of one key of them if the ref asks for no other. */
export function ruleAt(search: Search, whole: VirtualDocument, asked: AskedTerms, at: number, then: WithValue): Next {
  const { terms, frame } = asked;
  const document = narrowed(whole, terms, at);
  if (document.kind === 'function') return search.machine.fail();
  const keys: Value[] = [];
  if (document.kind !== 'complete') {
    for (let i = at; i < terms.length && isBound(terms[i]!, frame); i++) keys.push(termValue(terms[i]!, frame));
  }
  if (keys.length === 0) return search.document(document, frame, (value) => access(search, value, asked, at, then));
  return search.documentAt(document, keys, frame, (value) => access(search, value, asked, at + keys.length, then));
}
