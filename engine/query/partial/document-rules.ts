/** The rules of a document in a ref: inlined, kept as rules of the residual, or left alone. */

import { isLiteral, type Rule, ruleKind, type Term, type VirtualDocument } from '../../../compiler/index.js';
import { equal, lookup, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { allKeysOfRule, givenTerm, keysOfRule } from '../head-terms.js';
import type { Next } from '../machine.js';
import { queryConflict } from '../query-errors.js';
import { inRule } from './partial-rules.js';
import type { Following, PartialSearch, WithSymbolic } from './partial-search.js';
import { plug } from './plug.js';
import { supported, supportedWhole } from './support.js';
import { isOpen, Open, resolve, resolved, type Symbolic, symbolicTerm } from './symbolic.js';
import { matchSymbolic } from './symbolic-unification.js';
import { matchKey, walkPartial } from './walk.js';

/** @param isEnumerated whether a key of the ref above was not known */
export function partialRules(
  search: PartialSearch,
  document: VirtualDocument,
  following: Following,
  isEnumerated: boolean,
  then: WithSymbolic,
): Next {
  const { ref, at, frame } = following;
  if (document.kind === 'function') return search.machine.fail();
  const isWhole = at === ref.terms.length && document.kind !== 'complete';
  if (!search.reach.document(document)) {
    if (isWhole && isEnumerated && isFirst(search) && isFlat(document))
      return supported(search, document, following, true, then);
    return knownDocument(search, document, following, then);
  }
  if (!mayHave(document, following)) return search.machine.fail();
  const hasLeft = document.rules.some(({ rule }) => isLeftAlone(rule, document));
  if (!hasLeft && isFirst(search) && !isFlat(document) && needsWhole(document, following))
    return supportedWhole(search, document, following, then);
  if (hasLeft || !isFirst(search) || !isFlat(document)) {
    if (isLeft(search, document, following)) return then(new Open(plug(search, ref, frame)), 'rule');
  }
  if (document.kind === 'complete') {
    const fallback = document.rules.find(({ rule }) => rule.default)?.rule.head.value;
    if (search.keepsRules(document) || (fallback !== undefined && mayBe(fallback, following))) {
      return supported(search, document, following, search.isDisabled(document), then);
    }
    return inlineComplete(search, document, following, then);
  }
  if (search.keepsRules(document) || needsWhole(document, following))
    return supported(search, document, following, isEnumerated || search.isDisabled(document), then);
  return inlineKeys(search, document, following, then);
}

/** Rules are supported where no modifier of `with` holds. */
function isFirst(search: PartialSearch): boolean {
  return search.machine.environment === search.first;
}

/** Whether partial evaluation keeps a rule as written: chains of `else` and defaults of objects. */
function isLeftAlone(rule: Rule, { kind }: VirtualDocument): boolean {
  return rule.else !== undefined || (rule.default && kind === 'object');
}

/**
 * Whether an object can be made of the residuals of its rules. Objects and sets inside of it would
 * be there even if no rule holds.
 */
function isFlat(document: VirtualDocument): boolean {
  return (
    document.kind !== 'object' ||
    document.rules.every((rule) => ruleKind(rule.rule.head) === 'single' && keysOfRule(rule, document).length === 1)
  );
}

/** Whether one of the rules may have the known keys of a ref. */
function mayHave(document: VirtualDocument, { ref, at, frame }: Following): boolean {
  if (document.kind === 'complete' || at === ref.terms.length) return true;
  const asked = ref.terms.slice(at).map((term) => resolve(term, frame));
  return document.rules.some((rule) =>
    keysOfRule(rule, document).every((term, i) => {
      const key = asked[i];
      return key === undefined || isOpen(key) || !isLiteral(term) || equal(symbolicTerm(term) as Value, key);
    }),
  );
}

/** Whether a ref to rules stays as it is. */
function isLeft(search: PartialSearch, document: VirtualDocument, following: Following): boolean {
  if (document.rules.some(({ rule }) => isLeftAlone(rule, document))) return true;
  const isInlined =
    document.kind === 'complete' ? !document.rules.some(({ rule }) => rule.default) : !needsWhole(document, following);
  return !isInlined || search.keepsRules(document);
}

/** Rules that do not depend on unknowns have a value. */
function knownDocument(
  search: PartialSearch,
  document: VirtualDocument,
  following: Following,
  then: WithSymbolic,
): Next {
  const { ref, at, frame } = following;
  const keys: Value[] = [];
  if (document.kind !== 'complete') {
    for (const term of ref.terms.slice(at)) {
      const key = resolve(term, frame);
      if (key === undefined || isOpen(key)) break;
      keys.push(key);
    }
  }
  const found = (value: Value) => walkPartial(search, value, following, at + keys.length, (one) => then(one, 'rule'));
  return keys.length === 0 ? search.document(document, frame, found) : search.documentAt(document, keys, frame, found);
}

/** Whether the default may have the value that the caller wants. */
function mayBe(fallback: Term, { ref, at, frame, asked }: Following): boolean {
  if (asked.equals === undefined || isOpen(asked.equals) || !isLiteral(fallback)) return true;
  let value: Symbolic | undefined = symbolicTerm(fallback);
  for (const term of ref.terms.slice(at)) {
    const key = resolve(term, frame);
    if (key === undefined || isOpen(key)) return true;
    value = lookup(value as Value, key);
    if (value === undefined) return false;
  }
  return equal(value as Value, asked.equals);
}

function inlineComplete(
  search: PartialSearch,
  document: VirtualDocument,
  following: Following,
  then: WithSymbolic,
): Next {
  const { at, frame } = following;
  const { machine } = search;
  const rules = search.rulesOf(document).filter(({ rule }) => !rule.default);
  const values = new KnownValues(search);
  return machine.each(rules, (compiled) =>
    inRule(search, document, compiled, frame, {
      found: (own) => {
        const { rule } = compiled;
        const value = resolved(givenTerm(rule.head), own);
        if (!values.isNew(value, own, rule)) return machine.fail();
        return walkPartial(search, value, following, at, (one) => then(one, 'rule'));
      },
    }),
  );
}

/** The values that rules have for all values of the unknowns: at most one. */
class KnownValues {
  readonly #search: PartialSearch;
  readonly #saved: unknown;
  #value: Value | undefined;

  constructor(search: PartialSearch) {
    this.#search = search;
    this.#saved = search.context.saved;
  }

  isNew(value: Symbolic, frame: Frame, rule: Rule): boolean {
    if (isOpen(value) || this.#search.context.saved !== this.#saved) return true;
    if (this.#value === undefined) {
      this.#value = value;
      return true;
    }
    if (equal(this.#value, value)) return false;
    throw queryConflict('complete rules must not produce multiple outputs', frame, rule.loc);
  }
}

/** Whether a ref asks for more than the values of single rules. */
function needsWhole(document: VirtualDocument, { ref, at }: Following): boolean {
  const asked = ref.terms.length - at;
  return document.rules.some((rule) => {
    return asked < allKeysOfRule(rule, document).length;
  });
}

/** Each rule of a set or an object that may have the keys. */
function inlineKeys(search: PartialSearch, document: VirtualDocument, following: Following, then: WithSymbolic): Next {
  const { ref, at, frame } = following;
  const { machine } = search;
  return machine.each(search.rulesOf(document), (compiled) => {
    const { rule } = compiled;
    const keys = allKeysOfRule(compiled, document);
    // The keys of the head that the ref has terms for.
    const asked = ref.terms.slice(at, at + keys.length).map((term, i) => ({ term, own: keys[i]! }));
    const later: { readonly term: Term; readonly own: Term }[] = [];
    const bind = (own: Frame): boolean =>
      asked.every((pair) => {
        const key = resolve(pair.term, frame);
        if (key !== undefined) return matchSymbolic(search, pair.own, key, own, !search.context.isNegated);
        later.push(pair);
        return true;
      });
    const found = (own: Frame): Next => {
      if (!later.every((pair) => matchKey(search, pair.term, resolved(pair.own, own), frame))) return machine.fail();
      const value = resolved(givenTerm(rule.head), own);
      return walkPartial(search, value, following, at + keys.length, (one) => then(one, 'rule'));
    };
    return inRule(search, document, compiled, frame, { found, bind });
  });
}
