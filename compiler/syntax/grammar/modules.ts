/** Modules, queries, packages and imports. */

import { refTerm, stringTerm, varTerm } from '../../ast/make.js';
import { isRootName } from '../../ast/names.js';
import type { Expr, Import, Package, Rule, Term } from '../../ast/nodes.js';
import * as t from '../tokens.js';
import { isKeyword } from '../tokens.js';
import { ruleOfBody } from './heads.js';
import { functionAhead } from './logic.js';
import { many, or } from './lookahead.js';
import { fewTokens, tooDeepIn } from './nesting.js';
import type { Parser, RuleBodies, Statement } from './rules.js';
import { suffixAhead, termOf } from './terms.js';

function module($: Parser): Statement[] {
  const statements: Statement[] = [];
  const isLeft = (): boolean => $.position < $.stopAt && !$.recovered;
  const alternatives = [
    { ALT: () => statements.push(packageDeclaration($)) },
    {
      ALT: () => {
        const statement = importDeclaration($);
        statements.push(statement);
        $.ACTION(() => $.imported(statement, $));
      },
    },
    {
      // A statement that starts with a name is a rule; a query is read only to complain of it.
      IGNORE_AMBIGUITIES: true,
      ALT: () => {
        const { position } = $;
        const rules = $.SUBRULE($.rule);
        $.ACTION(() => {
          checkNesting($, position, rules);
          for (const { head } of rules) $.checkPath(head.ref);
          statements.push(...rules);
        });
      },
    },
    {
      ALT: () => {
        const query = $.SUBRULE($.statementQuery);
        $.ACTION(() => ruleOfBody(query, $));
      },
    },
  ];
  $.MANY(many.module, {
    GATE: () => {
      if (functionAhead($)) $.next.become(t.Identifier);
      $.soften();
      $.beginStatement();
      return isLeft();
    },
    DEF: () => {
      $.OR(or.module, alternatives);
    },
  });
  if (!$.at(t.EOF) && isLeft()) $.unexpected();
  return statements;
}

/** A query: bodies, of which there may be several without a separator. */
function query($: Parser): Expr[] {
  $.beginStatement();
  const body: Expr[] = [];
  $.MANY(many.query, {
    GATE: () => {
      $.soften();
      return true;
    },
    DEF: () => {
      const { position } = $;
      const more = $.SUBRULE($.statementQuery);
      $.ACTION(() => {
        checkNesting($, position, more);
        body.push(...more);
      });
    },
  });
  if (!$.at(t.EOF) && !$.recovered) $.unexpected();
  return body;
}

/** Fails where a statement that began at a token nests too deeply. */
function checkNesting($: Parser, start: number, statement: readonly (Rule | Expr)[]): void {
  const place = $.position - start < fewTokens ? undefined : tooDeepIn(statement);
  if (place !== undefined) $.fail('nestedTooDeeply', place, {});
}

function packageDeclaration($: Parser): Package {
  const start = $.CONSUME(t.Package);
  const path = $.SUBRULE($.path);
  const [head, ...rest] = path.type === 'ref' ? path.terms : [path];
  if (head.type !== 'var') return $.fail('pathNeedsVar', path.loc, { kind: head.type });
  $.ACTION(() => $.checkPath(rest));
  const keys = rest.map((term) =>
    term.type === 'string' ? term : $.fail('pathNeedsString', term.loc, { kind: term.type }),
  );
  return {
    type: 'package',
    loc: $.tokenSpan(start),
    path: [varTerm(head.loc, 'data'), stringTerm(head.loc, head.name), ...keys],
  };
}

function importDeclaration($: Parser): Import {
  const start = $.CONSUME(t.Import);
  const path = $.SUBRULE($.path);
  let alias: string | undefined;
  if ($.at(t.As)) {
    $.CONSUME(t.As);
    if (!$.at(t.Identifier) || isRootName($.next.image)) $.unexpected('expected var');
    alias = $.CONSUME(t.Identifier).image;
  }
  const ref = path.type === 'ref' ? path : refTerm(path.loc, [path]);
  return { type: 'import', loc: $.tokenSpan(start), path: ref, alias };
}

function path($: Parser): Term {
  if (isKeyword($.next.tokenType)) $.next.become(t.Identifier);
  // As the reference has it, only at the end of the text a name is missing.
  if ($.at(t.EOF)) $.unexpected('expected identifier');
  const head = $.variable($.CONSUME(t.Identifier));
  if (!suffixAhead($)) return isRootName(head.name) ? refTerm(head.loc, [head]) : head;
  return termOf($, $.SUBRULE($.suffixes, { ARGS: [head, false] }), head);
}

export const moduleRules = { module, query, path } satisfies Partial<RuleBodies>;
