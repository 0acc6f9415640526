/** Comprehensions → values: all solutions of their bodies. */

import type { Comprehension } from '../../compiler/index.js';
import { checkUnique, insert } from '../../runtime/index.js';
import type { ObjectValue, Value } from '../../values/index.js';
import { checkElements, RegoSet } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { Next, WithValue } from './machine.js';
import type { Search } from './search.js';
import { termValue } from './term-value.js';

export function evaluateComprehension(search: Search, term: Comprehension, frame: Frame, then: WithValue): Next {
  const collector = collectorOf(search, term, frame);
  return search.machine.all(
    (found) => search.body(term.body, frame, found),
    collector.collect,
    () => then(collector.value()),
  );
}

function collectorOf(search: Search, term: Comprehension, frame: Frame): { collect(): void; value(): Value } {
  switch (term.type) {
    case 'arraycomprehension': {
      const items: Value[] = [];
      const collect = () => {
        checkElements(items.length + 1);
        items.push(termValue(term.term, frame));
      };
      return { collect, value: () => items };
    }
    case 'setcomprehension': {
      const set = new RegoSet();
      return { collect: () => void set.add(termValue(term.term, frame)), value: () => set };
    }
    case 'objectcomprehension': {
      let object: ObjectValue = {};
      const collect = () => {
        const key = termValue(term.key, frame);
        const value = termValue(term.value, frame);
        frame.at = term.key.loc;
        search.frame = frame;
        checkUnique(object, key, value);
        object = insert(object, key, value);
      };
      return { collect, value: () => object };
    }
  }
}
