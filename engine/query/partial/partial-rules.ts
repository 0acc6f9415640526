/** A rule in its search. */

import type { CompiledRule, VirtualDocument } from '../../../compiler/index.js';
import { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { enter } from '../rules.js';
import type { PartialSearch } from './partial-search.js';

interface InRule {
  /** Continues after a solution of the body. */
  readonly found: (own: Frame) => Next;
  /** Whether the head can have what is asked for. */
  readonly bind?: (own: Frame) => boolean;
}

/** Evaluates a rule's body in a frame of its own, then goes on in the caller's rule. */
export function inRule(
  search: PartialSearch,
  document: VirtualDocument,
  compiled: CompiledRule,
  caller: Frame,
  { found, bind = () => true }: InRule,
): Next {
  const { machine, trace } = search;
  const { rule } = compiled;
  const outer = machine.search;
  const { at } = search.context;
  machine.search = enter(search);
  const own = new Frame(document, caller, rule.loc);
  search.names.enter(own);
  search.variables?.enter(own, compiled);
  const evaluate = (then: Step): Next => search.conjunction(rule.body, own, then);
  const isBound = (): boolean => bind(own);
  const leave = (): Next => {
    machine.search = outer;
    search.frame = caller;
    search.context = { ...search.context, at };
    return found(own);
  };
  if (trace !== undefined) return trace.rule(compiled, document, own, { isBound, evaluate, leave });
  return isBound() ? evaluate(leave) : machine.fail();
}
