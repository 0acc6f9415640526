/** Solutions of rules that define a set or an object, collected. */

import type { CompiledRule, Rule, Term, VirtualDocument } from '../../../compiler/index.js';
import { keyText, RegoSet, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { addTo, compareForObject, noMembers } from '../collections.js';
import { givenTerm, keysOfRule } from '../head-terms.js';
import { termValue } from '../term-value.js';
import type { Traced } from './traced.js';

interface Added {
  readonly isNew: boolean;
  /** The member of a set, the value of an object. */
  readonly value: Value;
}

export interface Collector {
  /** The terms of a rule's head that the asked keys are matched with. */
  keysOf(compiled: CompiledRule): readonly Term[];
  add(compiled: CompiledRule, link: Rule, frame: Frame): Added;
  /** The set or the object, as far as it was asked for; undefined where a key was not found. */
  value(): Value | undefined;
}

/** @param asked the member that is looked for; none for the whole */
export function setCollector(search: Traced, asked: readonly Value[]): Collector {
  const set = new RegoSet();
  return {
    keysOf: ({ rule }) => [givenTerm(rule.head)],
    add: (_compiled, { head }, frame) => {
      const value = search.plug(givenTerm(head), frame);
      const isNew = !set.has(value);
      set.add(value);
      return { isNew, value };
    },
    value: () => (asked.length === 0 ? set : set.size > 0 ? asked[0] : undefined),
  };
}

interface Solution {
  readonly compiled: CompiledRule;
  readonly link: Rule;
  readonly path: readonly Value[];
  readonly value: Value;
  readonly frame: Frame;
}

/** Values are put together at the end: some rules extend the values of others. */
export function objectCollector(search: Traced, document: VirtualDocument): Collector {
  const solutions: Solution[] = [];
  const seen = new Set<string>();
  const keysOf = (compiled: CompiledRule) => keysOfRule(compiled, document);
  return {
    keysOf,
    add: (compiled, link, frame) => {
      const path = keysOf(compiled).map((term) => termValue(term, frame));
      const value = search.plug(givenTerm(link.head), frame);
      const key = keyText([...path, value]);
      const isNew = !seen.has(key);
      seen.add(key);
      solutions.push({ compiled, link, path, value, frame });
      return { isNew, value };
    },
    value: () => {
      const object = noMembers(document);
      const ordered = solutions.toSorted((a, b) => compareForObject(a.compiled, b.compiled));
      for (const { link, path, value, frame } of ordered) {
        frame.at = link.loc;
        search.frame = frame;
        addTo(object, link, path, value);
      }
      return object.value;
    },
  };
}
