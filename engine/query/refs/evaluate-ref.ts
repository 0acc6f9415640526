/** Refs → values: each way in which their unbound variables can be bound is a solution. */

import type { RefTerm } from '../../../compiler/index.js';
import type { Frame } from '../bindings.js';
import type { Next, WithValue } from '../machine.js';
import type { Search } from '../search.js';
import { access } from './access.js';
import { evaluateDataRef } from './data-refs.js';

export function evaluateRef(search: Search, ref: RefTerm, frame: Frame, then: WithValue): Next {
  const [head] = ref.terms;
  const { environment } = search.machine;
  if (head?.type !== 'var')
    return search.operand(head, frame, (value) => access(search, value, { ref, frame }, 1, then));
  if (head.name === 'data') return evaluateDataRef(search, ref, frame, then);
  const start = head.name === 'input' ? environment.input : frame.values.get(head.name);
  return start === undefined ? search.machine.fail() : access(search, start, { ref, frame }, 1, then);
}
