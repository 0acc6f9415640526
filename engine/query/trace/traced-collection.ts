/** Rules that define sets and objects, with their events: as a whole, or at some keys. */

import type { VirtualDocument } from '../../../compiler/index.js';
import { keyText, type Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import { lookUpMember, requestableKeys } from '../collections.js';
import type { Next, WithValue } from '../machine.js';
import { enter } from '../rules.js';
import { matchTerm } from '../unify.js';
import { type Collector, objectCollector, setCollector } from './collector.js';
import { type MatchedRule, matchedRules } from './matched-rules.js';
import type { Traced } from './traced.js';

/**
 * The value of a set or an object at some keys; without keys, the whole. All rules are evaluated,
 * as the reference does, also after one that has the key.
 */
export function tracedCollection(
  search: Traced,
  document: VirtualDocument,
  keys: readonly Value[],
  caller: Frame,
  then: WithValue,
): Next {
  const { machine } = search;
  const answers = machine.environment.answersOf(document);
  const count = answers.has('') ? 0 : Math.min(requestableKeys(document), keys.length);
  const asked = keys.slice(0, count);
  const key = count === 0 ? '' : keyText(asked);
  const isSet = document.kind === 'set';
  const { rules } = matchedRules(search, document, []);
  const give = (value: Value | undefined): Next =>
    value === undefined ? machine.fail() : lookUpMember(machine, value, keys.slice(isSet ? count : 0), then);
  const known = answers.get(key);
  if (known !== undefined) return give(known.value);
  const collector = isSet ? setCollector(search, asked) : objectCollector(search, document);
  machine.push(() => {
    const value = collector.value();
    answers.set(key, { value });
    return give(value);
  });
  machine.search = enter(search);
  const evaluate = ruleEvaluator(search, document, asked, collector, caller);
  return machine.each([...rules, ...defaultsOf(search, document)], evaluate);
}

/** Defaults of an object's members. */
function defaultsOf({ program }: Traced, document: VirtualDocument): readonly MatchedRule[] {
  const defaults = program.index.rulesOf(document).filter(({ rule }) => rule.default);
  return defaults.map((compiled) => ({ compiled, links: [compiled.rule] }));
}

function ruleEvaluator(
  search: Traced,
  document: VirtualDocument,
  asked: readonly Value[],
  collector: Collector,
  caller: Frame,
): (rule: MatchedRule) => Next {
  const { machine } = search;
  const called = machine.place;
  return ({ compiled, links }) => {
    let i = 0;
    let found = false;
    const next = (): Next => {
      const link = links[i++];
      if (link === undefined || found) return machine.fail();
      machine.push(next);
      const frame = new Frame(document, caller, link.loc);
      const node = { type: 'rule', rule: link, compiled, document } as const;
      const place = { query: search.newQuery(called.query), node, frame, at: link.loc };
      machine.place = place;
      search.report('enter');
      const terms = collector.keysOf(compiled);
      if (!asked.every((key, k) => matchTerm(machine, terms[k]!, key, frame))) {
        search.report('fail');
        return machine.fail();
      }
      return search.expressions(link.body, place.query, frame, () => {
        found = true;
        machine.place = place;
        frame.at = link.loc;
        search.frame = frame;
        const { isNew, value } = collector.add(compiled, link, frame);
        search.report(isNew ? 'exit' : 'duplicate', { value });
        if (isNew) machine.onBacktrack('query', () => search.report('redo'));
        return machine.fail();
      });
    };
    return next;
  };
}
