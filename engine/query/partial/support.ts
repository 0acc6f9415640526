/** Rules that are not inlined: their residuals become rules of the residual. */

import type { Body, CompiledRule, Rule, Term, VirtualDocument } from '../../../compiler/index.js';
import { isLiteral, nowhere, ruleKind, stringTerm, trueBody, varsOf } from '../../../compiler/index.js';
import { equal, RegoSet, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { givenTerm, keysOfRule } from '../head-terms.js';
import type { Next, Step } from '../machine.js';
import { ObjectBuilder } from '../object-builder.js';
import { inRule } from './partial-rules.js';
import type { Following, PartialSearch, WithSymbolic } from './partial-search.js';
import { plug } from './plug.js';
import { extended } from './residual/extended.js';
import { firstContext, savedOf } from './residual/partial-context.js';
import { shortened } from './residual/shortened.js';
import { type SupportedDocument, supportRef } from './residual/support-modules.js';
import { isOpen, Open, resolve, resolved, type Symbolic, termOfSymbolic } from './symbolic.js';
import { walkPartial } from './walk.js';

/** A rule of the residual before it is written. */
interface SupportRule {
  readonly rule: Rule;
  /** The keys in the head, and what is known of them. */
  readonly terms: readonly Term[];
  readonly keys: readonly Symbolic[];
  readonly args: readonly Term[] | undefined;
  readonly key: Symbolic | undefined;
  readonly value: Symbolic | undefined;
  /** Shortened. */
  readonly body: Body;
}

/**
 * The support of a whole object with objects or sets inside of it. They are there even if no rule
 * holds, so the ref is left where the residual's rules would lack some, or have others.
 */
export function supportedWhole(
  search: PartialSearch,
  document: VirtualDocument,
  following: Following,
  then: WithSymbolic,
): Next {
  return supportDocument(search, document, following.frame, ({ isWhole }) =>
    isWhole
      ? supported(search, document, following, search.isDisabled(document), then)
      : then(new Open(plug(search, following.ref, following.frame)), 'rule'),
  );
}

/**
 * A ref to a document whose rules stay rules. Where they do not depend on unknowns after all, it
 * has a value.
 * @param isRule even then the rules stay
 */
export function supported(
  search: PartialSearch,
  document: VirtualDocument,
  following: Following,
  isRule: boolean,
  then: WithSymbolic,
): Next {
  const { ref, at, frame } = following;
  return supportDocument(search, document, frame, (entry) => {
    if (entry.known !== undefined && (!isRule || entry.isEmpty)) {
      const { value } = entry.known;
      return value === undefined
        ? search.machine.fail()
        : walkPartial(search, value, following, at, (one) => then(one, 'rule'));
    }
    const keys = ref.terms.slice(at).map((term) => resolve(term, frame));
    if (!entry.mayHave(keys.map((key) => (isOpen(key) ? undefined : key)))) return search.machine.fail();
    entry.add();
    const rest = ref.terms.slice(at).map((term) => plug(search, term, frame));
    return then(new Open(extended(supportRef(document.path), rest)), 'rule');
  });
}

/** Makes the rules of the residual for a document, once. */
export function supportDocument(
  search: PartialSearch,
  document: VirtualDocument,
  caller: Frame,
  then: (entry: SupportedDocument) => Next,
): Next {
  const { machine, support } = search;
  const made = support.documents.get(document);
  if (made !== undefined) return then(made);
  const rules: SupportRule[] = [];
  machine.push(() => {
    const entry = entryOf(search, document, rules);
    support.documents.set(document, entry);
    if (document.kind === 'function') entry.add();
    return then(entry);
  });
  search.context = firstContext;
  return machine.each(search.rulesOf(document), (compiled) => {
    const { rule } = compiled;
    let args: readonly Term[] | undefined;
    const found = (own: Frame): Next => {
      const one = supportRule(search, document, compiled, own, args);
      if (one !== undefined) rules.push(one);
      return machine.fail();
    };
    const bind = (own: Frame): boolean => {
      args = rule.head.args?.map((arg) => plug(search, arg, own));
      return true;
    };
    return inRule(search, document, compiled, caller, { found, bind });
  });
}

/** Undefined if it never holds. */
function supportRule(
  search: PartialSearch,
  document: VirtualDocument,
  compiled: CompiledRule,
  own: Frame,
  args: readonly Term[] | undefined,
): SupportRule | undefined {
  const { rule } = compiled;
  const { head } = rule;
  const known = (term: Term): Symbolic => resolved(term, own);
  const terms = document.kind === 'object' ? keysOfRule(compiled, document) : [];
  const keys = terms.map(known);
  const key = ruleKind(head) === 'multi' ? known(givenTerm(head)) : undefined;
  const value = head.value && known(head.value);
  const parts = [...keys, ...(key === undefined ? [] : [key]), ...(value === undefined ? [] : [value])].map(
    termOfSymbolic,
  );
  const body = shortened(search, savedOf(search.context), varsOf([...(args ?? []), ...parts]));
  return body && { rule, terms, keys, args, key, value, body };
}

function entryOf(search: PartialSearch, document: VirtualDocument, rules: readonly SupportRule[]): SupportedDocument {
  let isAdded = false;
  const add: Step = () => {
    if (isAdded) return undefined;
    isAdded = true;
    if (rules.length > 0) search.support.added.push(document.path);
    for (const one of rules) addRule(search, document, one);
    return undefined;
  };
  const mayHave = (keys: readonly (Value | undefined)[]): boolean => rules.some((one) => hasKeys(one, keys));
  return {
    isEmpty: rules.length === 0,
    isWhole:
      document.rules.every(({ rule }) => rules.some((one) => one.rule === rule)) &&
      rules.every(keepsParts) &&
      keepsKind(rules),
    known: knownValue(document, rules),
    add,
    mayHave,
  };
}

/** Whether a rule makes the parts of the policy's: at a constant key, before its body holds. */
function keepsParts(one: SupportRule): boolean {
  const { keys, body } = one;
  return body.length === 0 || partsOf(one).every((term, i) => isLiteral(term) || isOpen(keys[i]!));
}

/**
 * Whether the rules make an object as the policy's do. A variable as the first key of one rule
 * leaves empty objects and sets at the constant keys of all others out.
 */
function keepsKind(rules: readonly SupportRule[]): boolean {
  const isDynamic = rules.some(({ keys: [first] }) => first !== undefined && isOpen(first));
  return isDynamic || rules.every((one) => one.body.length === 0 || partsOf(one).length === 0);
}

/** The keys of a head at which there is an object or a set. */
function partsOf({ rule, terms }: SupportRule): readonly Term[] {
  return ruleKind(rule.head) === 'multi' ? terms : terms.slice(0, -1);
}

function hasKeys({ keys, key }: SupportRule, asked: readonly (Value | undefined)[]): boolean {
  const own = key === undefined ? keys : [...keys, key];
  return own.every((one, i) => asked[i] === undefined || isOpen(one) || equal(one, asked[i]));
}

/** The value of rules that depend on no unknown. */
function knownValue({ kind }: VirtualDocument, rules: readonly SupportRule[]): SupportedDocument['known'] {
  if (kind === 'function' || !rules.every(isKnown)) return undefined;
  const found = rules.filter(({ rule }) => !rule.default);
  if (kind === 'set') return { value: new RegoSet(found.map(({ key }) => key as Value)) };
  if (kind === 'complete') {
    const [first, ...others] = (found.length > 0 ? found : rules).map(({ value }) => value as Value);
    return others.every((value) => equal(value, first as Value)) ? { value: first } : undefined;
  }
  const object = new ObjectBuilder();
  for (const { keys, key, value } of found) {
    if (key !== undefined) object.add(keys as Value[], key as Value);
    else object.insert(keys as Value[], value as Value);
  }
  return { value: object.value };
}

function isKnown({ keys, key, value, body }: SupportRule): boolean {
  return body.length === 0 && ![...keys, key, value].some(isOpen);
}

function addRule(
  search: PartialSearch,
  document: VirtualDocument,
  { rule, keys, args, key, value, body }: SupportRule,
): void {
  const last = keys.at(-1);
  const head = {
    ...rule.head,
    loc: nowhere,
    args,
    key:
      key !== undefined
        ? termOfSymbolic(key)
        : last !== undefined && (isOpen(last) || typeof last !== 'string')
          ? termOfSymbolic(last)
          : undefined,
    value: value === undefined ? undefined : termOfSymbolic(value),
    assign: false,
    generatedValue: value === true,
    hasIf: body.length > 0,
  };
  const complete = {
    ...rule,
    loc: nowhere,
    body: body.length === 0 ? trueBody(nowhere) : body,
    generatedBody: body.length === 0,
    else: undefined,
    annotations: [],
  };
  const path = document.path.map((name) => stringTerm(nowhere, name));
  search.support.add([...path, ...keys.map(termOfSymbolic)], complete, head);
}
