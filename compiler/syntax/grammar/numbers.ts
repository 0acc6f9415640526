/** Numbers, and terms that begin with a minus or a dot. */

import { callTerm, numberTerm } from '../../ast/make.js';
import type { Term } from '../../ast/nodes.js';
import type { Token } from '../tokens.js';
import * as t from '../tokens.js';
import { operator } from './leaves.js';
import type { Parser, RuleBodies } from './rules.js';

function negative($: Parser): Term {
  const minus = $.CONSUME(t.Minus);
  if ($.at(t.Identifier) || $.at(t.Contains)) {
    const operand = $.SUBRULE($.term);
    return callTerm($.span(minus.startOffset), operator($, minus), [numberTerm($.tokenSpan(minus), '0'), operand]);
  }
  if ($.at(t.Dot)) return fractionAfter($, '-', minus);
  if (!$.at(t.NumberLiteral)) $.unexpected('expected number');
  return numberToken($, '-', $.CONSUME(t.NumberLiteral), minus);
}

function fraction($: Parser): Term {
  return fractionAfter($, '', $.next);
}

function fractionAfter($: Parser, sign: string, start: Token): Term {
  $.CONSUME(t.Dot);
  if (!$.at(t.NumberLiteral)) $.unexpected('expected number');
  return numberToken($, `${sign}0.`, $.CONSUME(t.NumberLiteral), start);
}

/** @param prefix a sign, and `0.` after a dot */
export function numberToken($: Parser, prefix: string, token: Token, start: Token): Term {
  const loc = $.span(start.startOffset);
  const text = token.image;
  if (prefix.endsWith('.') && text.includes('.'))
    $.fail('unexpectedToken', loc, { token: 'number', keyword: false, note: 'invalid float' }, token);
  if (!prefix.endsWith('.') && /^0\d/.test(text))
    $.fail(
      'unexpectedToken',
      loc,
      { token: 'number', keyword: false, note: 'expected number without leading zero' },
      token,
    );
  if (isTooBig(text)) $.fail('numberTooBig', loc, {}, token);
  return numberTerm(loc, prefix + text);
}

/** A number beyond 2^±100000 costs more to print than it is worth. */
function isTooBig(text: string): boolean {
  const e = text.search(/[eE]/);
  if (e < 0) return text.length > 30_000;
  const [whole = '', decimals = ''] = text.slice(0, e).split('.');
  const digits = (whole + decimals).replace(/^0+/, '');
  if (digits === '') return false;
  const magnitude = Number(text.slice(e + 1)) + digits.length - decimals.length;
  return Math.abs(magnitude) * Math.log2(10) > 100_000;
}

export const numberRules = { negative, fraction } satisfies Partial<RuleBodies>;
