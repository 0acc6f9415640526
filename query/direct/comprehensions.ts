/** Comprehensions: all solutions of their bodies. */

import type { Comprehension } from '../../compiler/ast/nodes.js';
import { varsOf } from '../../compiler/ast/vars.js';
import { checkUnique, insert } from '../../runtime/operations/insert.js';
import { checkElements } from '../../values/memory.js';
import { RegoSet } from '../../values/set.js';
import type { ObjectValue, Value } from '../../values/value.js';
import type { Compiling, Get, Step } from './compiling.js';
import type { Scope } from './scope.js';
import { plain } from './terms.js';

/** More results of one comprehension than that are rather different each time. */
const maxResults = 1000;

/**
 * A comprehension that reads one variable of the body around it has the same result for the same
 * value: a loop over events with a few users groups by each user once.
 */
export function comprehension(compiling: Compiling, term: Comprehension, outer: Scope): Get {
  const read = [...varsOf(term)].filter((name) => outer.isBound(name));
  const value = solutions(compiling, term, outer);
  if (read.length !== 1) return value;
  const [argument, results] = [outer.slotOf(read[0]!), outer.temporary()];
  return (frame) => {
    const known = (frame.memory[results] ??= new Map());
    const at = frame.slots[argument]!;
    let result = known.get(at);
    if (result === undefined) {
      result = value(frame);
      if (known.size < maxResults) known.set(at, result);
    }
    return result;
  };
}

/** The value grows in a slot. */
function solutions(compiling: Compiling, term: Comprehension, outer: Scope): Get {
  const scope = outer.inner();
  const slot = scope.temporary();
  const body = compiling.body(term.body, scope, () => collector(term, scope, slot));
  return (frame) => {
    frame.slots[slot] = emptyOf(term.type);
    body(frame);
    return frame.slots[slot]!;
  };
}

function emptyOf(type: Comprehension['type']): Value {
  return type === 'arraycomprehension' ? [] : type === 'setcomprehension' ? new RegoSet() : {};
}

function collector(term: Comprehension, scope: Scope, slot: number): Step {
  if (term.type === 'objectcomprehension') return objectCollector(term, scope, slot);
  const member = plain(term.term, scope);
  if (term.type === 'setcomprehension') {
    return (frame) => {
      (frame.slots[slot] as RegoSet).add(member(frame));
      return false;
    };
  }
  return (frame) => {
    const items = frame.slots[slot] as Value[];
    checkElements(items.length + 1);
    items.push(member(frame));
    return false;
  };
}

function objectCollector(term: Comprehension & { type: 'objectcomprehension' }, scope: Scope, slot: number): Step {
  const [key, value] = [plain(term.key, scope), plain(term.value, scope)];
  return (frame) => {
    const object = frame.slots[slot] as ObjectValue;
    const [at, entry] = [key(frame), value(frame)];
    frame.at = term.key.loc;
    checkUnique(object, at, entry);
    frame.slots[slot] = insert(object, at, entry);
    return false;
  };
}
