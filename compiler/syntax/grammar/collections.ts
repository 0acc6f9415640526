/** Arrays, sets, objects and comprehensions. */

import type { Body, ObjectEntry, Term } from '../../ast/nodes.js';
import type { TokenType } from '../tokens.js';
import * as t from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { ParseFailure } from './failure.js';
import { many, option } from './lookahead.js';
import { element, elementTail } from './operators.js';
import { fitted } from './parts.js';
import type { Parser, RuleBodies } from './rules.js';

/** @param close absent only while the grammar is recorded */
function elements($: Parser, items: Term[], close: TokenType = t.RightBrace): void {
  const first = element($);
  $.ACTION(() => items.push(first));
  $.SUBRULE($.moreElements, { ARGS: [items, close] });
}

/** @param close as for `elements` */
function moreElements($: Parser, items: Term[], close: TokenType = t.RightBrace): void {
  let ended = false;
  $.MANY(many.moreElements, {
    GATE: () => !ended,
    DEF: () => {
      $.CONSUME(t.Comma);
      ended = $.at(close);
      if (ended) return;
      const item = element($);
      $.ACTION(() => items.push(item));
    },
  });
}

/** The body of a comprehension after its head; undefined where the `|` is a union. */
function comprehensionBody($: Parser, close: ']' | '}'): Body | undefined {
  if (!$.at(t.Pipe)) return undefined;
  const read = (): Body => {
    $.CONSUME(t.Pipe);
    const body = $.SUBRULE($.body);
    if (!$.at(t.RightBracket) && !$.at(t.RightBrace)) {
      if ($.recovered) $.failSilently();
      $.unexpected(`expected \\n or ; or ${close}`);
    }
    return body;
  };
  // A comma in a body means that this was a list: `[a | b, c]`.
  return attempt($, Attempt.comprehension, read, ({ token }) => token.tokenType === t.Comma);
}

function array($: Parser): Term {
  const start = $.CONSUME(t.LeftBracket).startOffset;
  const items: Term[] = [];
  const comprehension = $.at(t.RightBracket) ? undefined : arrayContent($, items);
  $.CONSUME(t.RightBracket);
  const loc = $.span(start);
  if (!comprehension) return { type: 'array', loc, items: fitted(items) };
  return { type: 'arraycomprehension', loc, term: comprehension.first, body: comprehension.body };
}

/** The head and body of a comprehension, or the items of an array. */
function arrayContent($: Parser, items: Term[]): { readonly first: Term; readonly body: Body } | undefined {
  const leading = $.OPTION(option.array, () => $.CONSUME(t.Comma));
  const first = $.SUBRULE($.term);
  const body = leading ? undefined : comprehensionBody($, ']');
  if (body) return { first, body };
  items.push(elementTail($, first));
  $.SUBRULE($.moreElements, { ARGS: [items, t.RightBracket] });
  return undefined;
}

function setOrObject($: Parser): Term {
  const start = $.CONSUME(t.LeftBrace).startOffset;
  if ($.at(t.RightBrace)) {
    $.CONSUME(t.RightBrace);
    return { type: 'object', loc: $.span(start), entries: [] };
  }
  const leading = $.OPTION(option.setOrObject, () => $.CONSUME(t.Comma));
  const first = $.SUBRULE($.term);
  const body = leading ? undefined : comprehensionBody($, '}');
  if (body) {
    $.CONSUME(t.RightBrace);
    return { type: 'setcomprehension', loc: $.span(start), term: first, body };
  }
  const element = elementTail($, first);
  if ($.at(t.Colon)) return $.SUBRULE($.objectAfterKey, { ARGS: [start, element, !leading] });
  const items = [element];
  if (!$.at(t.Comma) && !$.at(t.RightBrace)) $.unexpected('non-terminated set');
  $.SUBRULE($.moreElements, { ARGS: [items, t.RightBrace] });
  if (!$.at(t.RightBrace)) $.unexpected('expected "," or "}"');
  $.CONSUME(t.RightBrace);
  return { type: 'set', loc: $.span(start), items: fitted(items) };
}

function objectAfterKey($: Parser, start: number, key: Term, mayBeComprehension: boolean): Term {
  $.CONSUME(t.Colon);
  const { position, problems, recovered } = $;
  const first = $.SUBRULE($.term);
  const isPlain = mayBeComprehension && $.at(t.Comma);
  const body = mayBeComprehension ? comprehensionBody($, '}') : undefined;
  if (body) {
    $.CONSUME(t.RightBrace);
    return { type: 'objectcomprehension', loc: $.span(start), key, value: first, body };
  }
  const value = elementTail($, first);
  if (!$.at(t.Comma) && !$.at(t.RightBrace)) $.unexpected('non-terminated object');
  const entries: ObjectEntry[] = [{ key, value }];
  try {
    $.SUBRULE($.moreEntries, { ARGS: [entries] });
  } catch (failure) {
    if (!isPlain || !(failure instanceof ParseFailure)) throw failure;
    // As the reference has it, the whole list is complained of where the first value begins.
    $.moveTo(position);
    $.problems = problems;
    $.recovered = recovered;
    $.unexpected('non-terminated object');
  }
  $.CONSUME(t.RightBrace);
  return { type: 'object', loc: $.span(start), entries: fitted(entries) };
}

/** The entries of an object after the first. */
function moreEntries($: Parser, entries: ObjectEntry[]): void {
  let ended = false;
  $.MANY(many.moreEntries, {
    GATE: () => !ended,
    DEF: () => {
      $.CONSUME(t.Comma);
      ended = $.at(t.RightBrace);
      if (ended) return;
      const key = element($);
      if (!$.at(t.Colon)) $.unexpected('expected ":"');
      $.CONSUME(t.Colon);
      const value = element($);
      $.ACTION(() => entries.push({ key, value }));
    },
  });
  if (!$.at(t.RightBrace)) $.unexpected('expected "," or "}"');
}

export const collectionRules = {
  elements,
  moreElements,
  array,
  setOrObject,
  objectAfterKey,
  moreEntries,
} satisfies Partial<RuleBodies>;
