/** Evaluates rules that define sets and objects: as a whole, or at some keys. */

import type { CompiledRule, Rule, Term, VirtualDocument } from '../../compiler/index.js';
import { commonKeys, emptyParts, headKeys, matchesKeys, nowhere, ruleKind } from '../../compiler/index.js';
import { keyText, lookupPath, RegoSet, type Value } from '../../values/index.js';
import { Frame } from './bindings.js';
import { givenTerm } from './head-terms.js';
import type { Machine, Next, Step, WithValue } from './machine.js';
import { ObjectBuilder } from './object-builder.js';
import { indexedVariables } from './rule-index.js';
import { enter } from './rules.js';
import type { Search } from './search.js';
import { termValue } from './term-value.js';
import { matchTerm } from './unify.js';

/** After this many keys the whole costs less than one key more. */
const maxKeys = 8;

/** The whole set or object. */
export function evaluateCollection(search: Search, document: VirtualDocument, caller: Frame, then: WithValue): Next {
  return remembered(search, document, '', then, (found) =>
    document.kind === 'set'
      ? wholeSet(search, document, caller, found)
      : objectFor(search, document, [], caller, found),
  );
}

/**
 * The value of a set or an object at some keys. Other keys are not evaluated if the rules' heads
 * allow it.
 */
export function evaluateAt(
  search: Search,
  document: VirtualDocument,
  keys: readonly Value[],
  caller: Frame,
  then: WithValue,
): Next {
  const { machine, program } = search;
  const answers = machine.environment.answersOf(document);
  const count = Math.min(requestableKeys(document), keys.length);
  const asked = keys.slice(0, count);
  const [first] = asked;
  const rest = (value: Value): Next => lookUpMember(machine, value, keys.slice(count), then);
  const isMany = answers.size >= maxKeys && !program.sendsRequests;
  if (first === undefined || isMany || answers.has('')) {
    return evaluateCollection(search, document, caller, (value) => lookUpMember(machine, value, keys, then));
  }
  return remembered(search, document, keyText(asked), rest, (found) =>
    document.kind === 'set'
      ? member(search, document, first, caller, found)
      : objectFor(search, document, asked, caller, (object) => lookUpMember(machine, object, asked, found)),
  );
}

export function lookUpMember(machine: Machine, value: Value, keys: readonly Value[], then: WithValue): Next {
  const found = lookupPath(value, keys);
  return found === undefined ? machine.fail() : then(found);
}

/** The cached result, or the result of a search. */
function remembered(
  { machine }: Search,
  document: VirtualDocument,
  key: string,
  then: WithValue,
  evaluate: (found: WithValue) => Next,
): Next {
  const answers = machine.environment.answersOf(document);
  const known = answers.get(key);
  if (known !== undefined) return known.value === undefined ? machine.fail() : then(known.value);
  machine.push(() => {
    if (!answers.has(key)) answers.set(key, { value: undefined });
    return machine.fail();
  });
  return evaluate((value) => {
    answers.set(key, { value });
    return then(value);
  });
}

function wholeSet(search: Search, document: VirtualDocument, caller: Frame, then: WithValue): Next {
  const { machine, program } = search;
  const set = new RegoSet();
  machine.push(() => then(set));
  machine.search = enter(search);
  return machine.each(program.index.rulesOf(document), ({ rule }) => {
    const frame = new Frame(document, caller, rule.loc);
    const body = program.index.bodyOf(rule.body, [], 0, machine.environment);
    return search.body(body, frame, () => {
      set.add(termValue(givenTerm(rule.head), frame));
      return machine.fail();
    });
  });
}

/** Whether a set has a member. */
function member(search: Search, document: VirtualDocument, key: Value, caller: Frame, then: WithValue): Next {
  const { machine, program } = search;
  const outer = machine.search;
  machine.search = enter(search);
  const isMember = (found: Step): Next =>
    machine.each(program.index.rulesOf(document), ({ rule }) => {
      const frame = new Frame(document, caller, rule.loc);
      const term = givenTerm(rule.head);
      if (!matchTerm(machine, term, key, frame)) return machine.fail();
      const body = program.index.bodyOf(rule.body, indexedVariables([term]), 1, machine.environment);
      return search.body(body, frame, found);
    });
  const leave = (next: () => Next) => (): Next => {
    machine.search = outer;
    return next();
  };
  return machine.test(
    isMember,
    leave(() => then(key)),
    leave(() => machine.fail()),
  );
}

/** The object of a document before its rules, with the parts that are there without them. */
export function noMembers(document: VirtualDocument): ObjectBuilder {
  const frame = new Frame(document, undefined, nowhere);
  const parts = emptyParts(document);
  return new ObjectBuilder(parts.map(({ keys, kind }) => ({ kind, keys: keys.map((key) => termValue(key, frame)) })));
}

/** The object that all rules make together; with keys, that of the rules that may have them. */
function objectFor(
  search: Search,
  document: VirtualDocument,
  asked: readonly Value[],
  caller: Frame,
  then: WithValue,
): Next {
  const { machine, program } = search;
  const object = noMembers(document);
  const tryLink = (rule: Rule, keys: readonly Term[]): Next => {
    const { else: rest } = rule;
    let found = false;
    if (rest !== undefined) machine.push(() => (found ? machine.fail() : tryLink(rest, keys)));
    const frame = new Frame(document, caller, rule.loc);
    if (!asked.every((key, i) => matchTerm(machine, keys[i]!, key, frame))) return machine.fail();
    // The value of a default depends on no guard.
    const known = indexedVariables(keys.slice(0, asked.length));
    const body = rule.default ? rule.body : program.index.bodyOf(rule.body, known, asked.length, machine.environment);
    return search.body(body, frame, () => {
      found = true;
      frame.at = rule.loc;
      search.frame = frame;
      const path = keys.map((key) => termValue(key, frame));
      addTo(object, rule, path, termValue(givenTerm(rule.head), frame));
      return machine.fail();
    });
  };
  machine.push(() => then(object.value));
  machine.search = enter(search);
  return machine.each(program.index.rulesOf(document).toSorted(compareForObject), ({ module, rule }) => {
    // The head's own terms have the names of the body's variables.
    const keys = headKeys(module, rule.head, document.path.length);
    return tryLink(rule, keys);
  });
}

export function addTo(object: ObjectBuilder, rule: Rule, path: readonly Value[], value: Value): void {
  if (ruleKind(rule.head) === 'multi') object.add(path, value);
  else if (rule.default) object.insertDefault(path, value);
  else object.insert(path, value);
}

/** Values before rules that would extend them, defaults last. */
export function compareForObject(a: CompiledRule, b: CompiledRule): number {
  const isMulti = ({ rule }: CompiledRule) => Number(ruleKind(rule.head) === 'multi');
  return Number(a.rule.default) - Number(b.rule.default) || a.ref.length - b.ref.length || isMulti(a) - isMulti(b);
}

const knownKeys = new WeakMap<VirtualDocument, number>();

/** The number of keys that a look-up can fix; 0 if the rules must be evaluated for all keys. */
export function requestableKeys(document: VirtualDocument): number {
  let count = knownKeys.get(document);
  if (count === undefined) knownKeys.set(document, (count = matchesKeys(document) ? commonKeys(document) : 0));
  return count;
}
