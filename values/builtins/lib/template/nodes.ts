/** The syntax tree of templates. */
import type { GoValue } from '../go/go-value.js';

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: TemplatePipe }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipe: TemplatePipe;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipe: TemplatePipe | undefined; readonly at: number }
  | { readonly kind: 'break' | 'continue' };

export interface TemplatePipe {
  readonly variables: readonly string[];
  /** `=` rather than `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly TemplateCommand[];
  readonly at: number;
}

export interface TemplateCommand {
  readonly operands: readonly [TemplateOperand, ...TemplateOperand[]];
  readonly at: number;
}

export type TemplateOperand =
  | { readonly kind: 'function'; readonly name: string; readonly at: number }
  | { readonly kind: 'dot' | 'nil'; readonly at: number }
  | { readonly kind: 'fields'; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'chain'; readonly of: TemplateOperand; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'pipe'; readonly pipe: TemplatePipe; readonly at: number }
  | { readonly kind: 'constant'; readonly value: GoValue; readonly text: string; readonly at: number };
