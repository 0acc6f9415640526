/** Terms with infix operators. */

import { callTerm, operatorRef } from '../../ast/make.js';
import type { Term } from '../../ast/nodes.js';
import { Span } from '../../source/location.js';
import type { Token } from '../tokens.js';
import * as t from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { maxChain } from './failure.js';
import { operator } from './leaves.js';
import type { Parser, RuleBodies } from './rules.js';

const precedences: Readonly<Record<string, number>> = { mul: 5, div: 5, rem: 5, plus: 4, minus: 4, and: 3, or: 2 };
const precedence = (token: Token): number => precedences[token.image] ?? 1;

function atInfix($: Parser): boolean {
  const { tokenTypeIdx } = $.next;
  return (
    tokenTypeIdx === t.Infix.tokenTypeIdx ||
    tokenTypeIdx === t.Minus.tokenTypeIdx ||
    tokenTypeIdx === t.Pipe.tokenTypeIdx
  );
}

function atIn($: Parser): boolean {
  return $.at(t.In) && !$.touches($.next, $.LA(2));
}

export function expression($: Parser): Term {
  let left = relation($);
  let count = 0;
  while ($.at(t.Comma) || atIn($)) {
    if ($.at(t.Comma)) {
      const pair = attempt($, Attempt.pair, () => pairAfter($));
      if (!pair) break;
      left = member($, 'internal.member_3', pair.operator, [left, pair.value, pair.collection]);
    }
    // After a membership, a comma is not the start of another pair.
    if (!atIn($)) break;
    const token = $.CONSUME(t.In);
    const right = rightOperand($, relation);
    if (!right) break;
    left = member($, 'internal.member_2', token, [left, right]);
    if (!atIn($)) break;
    if (++count > maxChain) $.fail('nestedTooDeeply', $.tokenSpan($.next), {});
  }
  return left;
}

/** `, v in xs` after a key. */
function pairAfter(
  $: Parser,
): { readonly value: Term; readonly operator: Token; readonly collection: Term } | undefined {
  $.CONSUME(t.Comma);
  const value = relation($);
  if (!atIn($)) return undefined;
  return { value, operator: $.CONSUME(t.In), collection: relation($) };
}

export function element($: Parser): Term {
  const left = $.SUBRULE($.term);
  return elementTail($, left);
}

/** The operators after the first term of an element. */
export function elementTail($: Parser, first: Term): Term {
  let left = atInfix($) ? infix($, first) : first;
  for (let count = 1; atIn($); count++) {
    const token = $.CONSUME(t.In);
    const right = rightOperand($, relation);
    if (!right) break;
    if (count > maxChain) $.fail('nestedTooDeeply', $.tokenSpan(token), {});
    left = member($, 'internal.member_2', token, [left, right]);
  }
  return left;
}

/** A term with the operators that bind closer than `in`. */
function relation($: Parser): Term {
  const left = $.SUBRULE($.term);
  return atInfix($) ? infix($, left) : left;
}

/**
 * The right operand of an operator. Undefined, after a complaint, if there is none: the left
 * operand stands for the whole.
 */
function rightOperand($: Parser, read: ($: Parser) => Term): Term | undefined {
  const { nesting } = $;
  try {
    return read($);
  } catch (failure) {
    $.nesting = nesting;
    return $.recover(failure);
  }
}

const term = ($: Parser): Term => $.SUBRULE($.term);

function member($: Parser, name: string, token: Token, args: readonly [Term, ...Term[]]): Term {
  return callTerm($.span(args[0].loc.start), operatorRef($.tokenSpan(token), name), args);
}

/** The arithmetic and comparisons after a term. */
function infix($: Parser, first: Term): Term {
  let last = first;
  /** The operands before the last one, each with the operator after it. */
  const waiting: { readonly left: Term; readonly token: Token }[] = [];
  const reduce = (above: number): void => {
    for (let next = waiting.at(-1); next !== undefined && precedence(next.token) >= above; next = waiting.at(-1)) {
      waiting.pop();
      const { left, token } = next;
      last = callTerm(new Span($.source, left.loc.start, last.loc.end), operator($, token), [left, last]);
    }
  };
  for (let count = 1; atInfix($); count++) {
    const token = $.CONSUME($.next.tokenType);
    const right = rightOperand($, term);
    if (!right) {
      // Operators that bind closer have been read.
      if (atInfix($) && precedence($.next) < precedence(token)) continue;
      break;
    }
    if (count > maxChain) $.fail('nestedTooDeeply', $.tokenSpan(token), {});
    reduce(precedence(token));
    waiting.push({ left: last, token });
    last = right;
  }
  reduce(0);
  return last;
}

export const operatorRules = { expression, element } satisfies Partial<RuleBodies>;
