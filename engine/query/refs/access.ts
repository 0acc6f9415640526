/** Looks keys up in values: each way in which unbound variables can be bound is a solution. */

import { narrowedDocument, type RefTerm, type RuleDocument } from '../../../compiler/index.js';
import { lookup, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next, WithValue } from '../machine.js';
import type { Search } from '../search.js';
import { isBoundTerm, termValue } from '../term-value.js';
import { eachElement } from './elements.js';

/** A ref, with the variables that it reads and binds. */
export interface AskedRef {
  readonly ref: RefTerm;
  readonly frame: Frame;
}

/** Looks the terms from `at` on up in a value. */
export function access(search: Search, start: Value, asked: AskedRef, at: number, then: WithValue): Next {
  const { ref, frame } = asked;
  const { terms } = ref;
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
    if (!isBoundTerm(term, frame)) {
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
export function valueOfRules(search: Search, whole: RuleDocument, asked: AskedRef, at: number, then: WithValue): Next {
  const { ref, frame } = asked;
  const { terms } = ref;
  const document = narrowedDocument(whole, terms, at);
  if (document === undefined || document.kind === 'function') return search.machine.fail();
  const keys: Value[] = [];
  if (document.kind !== 'complete') {
    for (const term of terms.slice(at)) {
      if (!isBoundTerm(term, frame)) break;
      keys.push(termValue(term, frame));
    }
  }
  if (keys.length === 0) return search.document(document, frame, (value) => access(search, value, asked, at, then));
  return search.documentAt(document, keys, frame, (value) => access(search, value, asked, at + keys.length, then));
}
