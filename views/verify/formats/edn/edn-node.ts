/** Values of EDN as they are written. */

export type EdnNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'list' | 'set'; readonly items: readonly EdnNode[] }
  | { readonly kind: 'map'; readonly pairs: readonly (readonly [EdnNode, EdnNode])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'tagged'; readonly tag: string; readonly item: EdnNode }
);
