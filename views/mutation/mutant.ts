/** Mutants: small changes of a policy's text that its tests should notice. */
import type { Rule, Span } from '../../compiler/index.js';

/** The operators, with the sentence that describes a change of each. */
export const mutationOperators = {
  'drop-expression': 'an expression always holds',
  'drop-body': 'a body always holds',
  'drop-not': 'a `not` is dropped',
  'drop-rule': 'a rule never applies',
  'drop-default': 'a default value is dropped',
  'else-order': 'two values of an `else` chain have changed places',
  'swap-comparison': 'a comparison is another one',
  'swap-arithmetic': 'an arithmetic operator is another one',
  'some-for-every': '`some` instead of `every`',
  'every-for-some': '`every` instead of `some`',
  constant: 'a constant has another value',
} as const;

export type Operator = keyof typeof mutationOperators;

/** The part of a policy that an evaluation must reach for a change to matter. */
export type Site =
  /** An evaluated expression: the innermost one first, then those around it, and the rule. */
  | { readonly kind: 'expression'; readonly within: readonly Span[] }
  /** A rule, or an `else`, whose body held. */
  | { readonly kind: 'head'; readonly head: Span }
  /** Any rule of the same document. */
  | { readonly kind: 'document' };

export interface Mutant {
  readonly operator: Operator;
  /** The replaced text. */
  readonly span: Span;
  readonly replacement: string;
  readonly site: Site;
  /** The rule that the change is in: the first of its `else` chain. */
  readonly rule: Rule;
}

/** The text of the whole module with the change. */
export function mutatedText({ span: { source, start, end }, replacement }: Mutant): string {
  return source.text.slice(0, start) + replacement + source.text.slice(end);
}
