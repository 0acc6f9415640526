/** Hints for variables that nothing binds, by what their module and their rule say. */

import type { Module, Rule } from '../ast/nodes.js';
import type { Span } from '../source/location.js';

/** A field of the input that the policy reads, for a name alone: `input.user` for `user`. */
export function inputField(name: string, module: Module | undefined): string | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  const pattern = new RegExp(`\\binput(?:\\.\\w+){0,4}\\.${name}\\b`);
  return pattern.exec(module?.source.text ?? '')?.[0];
}

/** A hint for a variable of a head. */
export function headHint(name: string, span: Span | undefined, rule: Rule | undefined): string | undefined {
  const head = rule?.head.loc;
  if (head === undefined || span === undefined) return undefined;
  const isInHead = span.start >= head.start && span.start < head.end;
  return isInHead ? `the body gives \`${name}\` its value: \`${name} := …\`` : undefined;
}
