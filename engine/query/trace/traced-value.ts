/** Complete rules and functions with their events. */

import type { CompiledRule, Rule, VirtualDocument } from '../../../compiler/index.js';
import { equal, type Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import { givenTerm } from '../head-terms.js';
import type { Next, WithValue } from '../machine.js';
import { queryConflict } from '../query-errors.js';
import { bindArguments, conflictText, enter } from '../rules.js';
import { type MatchedRule, matchedRules } from './matched-rules.js';
import type { Traced } from './traced.js';
import { reportArguments } from './unification-events.js';

export function tracedValue(
  search: Traced,
  document: VirtualDocument,
  args: readonly Value[],
  caller: Frame,
  then: WithValue,
): Next {
  const { machine } = search;
  const { rules, isEarly } = matchedRules(search, document, args);
  const answers = machine.environment.answersOf(document);
  const key = search.callKeys.of(args);
  const known = answers.get(key);
  if (known !== undefined) return known.value === undefined ? machine.fail() : then(known.value);
  const called = machine.place;
  const outer = machine.search;
  const message = isEarly ? 'early' : undefined;
  let value: Value | undefined;

  const evaluate = (link: Rule, compiled: CompiledRule, onSolution: () => void): Next => {
    const frame = new Frame(document, caller, link.loc);
    const node = { type: 'rule', rule: link, compiled, document } as const;
    const place = { query: search.newQuery(called.query), node, frame, at: link.loc };
    machine.place = place;
    search.report('enter');
    if (search.tracer.wantsUnify) reportArguments(search, { called, rule: compiled.rule, link }, args, frame);
    if (!bindArguments(machine, compiled.rule, args, frame, link.default)) return machine.fail();
    return search.expressions(link.body, place.query, frame, () => {
      onSolution();
      machine.place = place;
      const term = givenTerm(link.head);
      const result = search.plug(term, frame);
      if (value === undefined) {
        value = result;
        answers.set(key, { value });
        search.report('exit', { message, value });
        machine.onBacktrack('query', () => search.report('redo'));
        machine.search = outer;
        machine.place = called;
        search.answered = { value, term, frame };
        return then(value);
      }
      if (equal(value, result)) {
        search.report('duplicate', { value });
        return machine.fail();
      }
      throw queryConflict(conflictText(document), frame, link.loc);
    });
  };

  const tryLink = (rule: MatchedRule, i: number): Next => {
    const link = rule.links[i];
    if (link === undefined) return machine.fail();
    let found = false;
    if (i + 1 < rule.links.length) machine.push(() => (found ? machine.fail() : tryLink(rule, i + 1)));
    const onSolution = (): void => {
      found = true;
      if (isEarly) machine.exitEarly(end);
    };
    return evaluate(link, rule.compiled, onSolution);
  };

  machine.search = enter(search);
  const end = machine.push(() => {
    if (value !== undefined) return machine.fail();
    const fallback = search.program.index.rulesOf(document).find(({ rule }) => rule.default);
    if (fallback !== undefined) return evaluate(fallback.rule, fallback, () => {});
    answers.set(key, { value: undefined });
    return machine.fail();
  });
  return machine.each(rules, (rule) => tryLink(rule, 0));
}
