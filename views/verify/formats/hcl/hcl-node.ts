/** Expressions of HCL2, as far as their values need them: of the others only the text counts. */

import type { FileFormatError } from '../format.js';

export const identifier = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;

export interface HclRange {
  readonly start: number;
  readonly end: number;
}

export type HclNode = HclRange &
  (
    | { readonly kind: 'literal'; readonly value: number | boolean | null }
    | { readonly kind: 'template'; readonly parts: readonly HclTemplatePart[] }
    /** A template that is one interpolation. */
    | { readonly kind: 'wrap'; readonly inner: HclNode }
    | { readonly kind: 'tuple'; readonly items: readonly HclNode[] }
    | { readonly kind: 'object'; readonly items: readonly HclItem[] }
    | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: HclNode }
    | { readonly kind: 'conditional'; readonly condition: HclNode; readonly yes: HclNode; readonly no: HclNode }
    | { readonly kind: 'loop'; readonly names: string; readonly collection: HclNode; readonly body: HclNode }
    | { readonly kind: 'name' | 'other' }
  );

export type HclTemplatePart = string | HclNode;

export interface HclItem extends HclRange {
  readonly key: HclNode;
  readonly value: HclNode;
}

/** The part of the reader of expressions that templates use. */
export interface TemplateReader {
  readonly text: string;
  at: number;
  match(pattern: RegExp): string | undefined;
  take(text: string): boolean;
  expect(text: string, where: string): void;
  skip(): void;
  within<T>(read: () => T): T;
  nested<T>(read: () => T): T;
  expression(): HclNode;
  error(message: string, at?: number): FileFormatError;
}
