/** The tokens that select the next part of a rule, by the type of the next token. */

import { vocabulary } from '../tokens.js';
import { table } from './lookahead-table.js';

/** The number of the alternative that each type of token begins, or -1. */
export type Alternatives = Int8Array;
/** Whether each type of token may begin the content: 1 or 0. */
export type FirstTokens = Uint8Array;

/** The decisions of rules; a rule has at most one of a kind. */
export interface LookaheadTable {
  /** `OR`: the tokens that begin each alternative. */
  readonly or: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly option: Readonly<Record<string, readonly string[]>>;
  readonly many: Readonly<Record<string, readonly string[]>>;
  /** `AT_LEAST_ONE_SEP` */
  readonly list: Readonly<Record<string, readonly string[]>>;
}

function alternatives(lists: readonly (readonly string[])[]): Alternatives {
  const found = new Int8Array(vocabulary.length);
  for (const { name, tokenTypeIdx } of vocabulary)
    found[tokenTypeIdx] = lists.findLastIndex((names) => names.includes(name));
  return found;
}

function firstTokens(names: readonly string[]): FirstTokens {
  const found = new Uint8Array(vocabulary.length);
  for (const { name, tokenTypeIdx } of vocabulary) found[tokenTypeIdx] = Number(names.includes(name));
  return found;
}

function each<Key extends string, From, To>(
  rows: Readonly<Record<Key, From>>,
  make: (row: From) => To,
): Readonly<Record<Key, To>> {
  return Object.fromEntries(Object.entries<From>(rows).map(([key, row]) => [key, make(row)])) as Record<Key, To>;
}

export const or = each(table.or, alternatives);
export const option = each(table.option, firstTokens);
export const many = each(table.many, firstTokens);
export const list = each(table.list, firstTokens);
