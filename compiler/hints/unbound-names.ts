/** Hints for variables that nothing binds, by what their module and their rule say. */

import type { Module, Rule } from '../ast/nodes.js';
import { isRoot } from '../ast/paths.js';
import { printRef } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import type { Span } from '../source/location.js';

/** A field of the input that the policy reads, for a name alone: `input.user` for `user`. */
export function inputField(name: string, module: Module | undefined): string | undefined {
  let found: string | undefined;
  for (const rule of module?.rules ?? [])
    walk(rule, (node) => {
      if (found !== undefined || node.type !== 'ref') return;
      const [head, ...keys] = node.terms;
      if (!isRoot(head, 'input')) return;
      const at = keys.findIndex((key) => key.type !== 'string' || key.value === name);
      if (keys[at]?.type === 'string') found = printRef(node.terms.slice(0, at + 2));
    });
  return found;
}

/** A hint for a variable of a head. */
export function headHint(name: string, span: Span | undefined, rule: Rule | undefined): string | undefined {
  const head = rule?.head.loc;
  if (head === undefined || span === undefined) return undefined;
  const isInHead = span.start >= head.start && span.start < head.end;
  return isInHead ? `the body gives \`${name}\` its value: \`${name} := …\`` : undefined;
}
