/** The syntax tree of templates. */
import type { GoValue } from '../go/go-value.js';

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: Pipe }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipe: Pipe;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly at: number }
  | { readonly kind: 'break' | 'continue' };

export interface Pipe {
  readonly variables: readonly string[];
  /** `=` rather than `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
  readonly at: number;
}

export interface Command {
  readonly operands: readonly [Operand, ...Operand[]];
  readonly at: number;
}

export type Operand =
  | { readonly kind: 'function'; readonly name: string; readonly at: number }
  | { readonly kind: 'dot' | 'nil'; readonly at: number }
  | { readonly kind: 'fields'; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'chain'; readonly of: Operand; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'pipe'; readonly pipe: Pipe; readonly at: number }
  | { readonly kind: 'constant'; readonly value: GoValue; readonly text: string; readonly at: number };
