import { describe, expect, it } from 'vitest';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { FilterError } from './filter-error.js';
import { NamedTarget } from './mappings.js';
import { sqlParts, sqlText } from './sql/write.js';
import { targets } from './targets.js';
import { translate } from './translate.js';
import { ucastOf } from './ucast.js';

/** Residual queries of partial evaluation, as text. */
function translated(queries: readonly string[], target: string, support: readonly string[] = [], mappings = {}): unknown {
  const named = new NamedTarget(targets.get(target)!, mappings);
  const residual = {
    queries: queries.map((query) => parseQuery(query, {}, 'f.rego')),
    support: support.map((text) => parseModule('support.rego', text)),
  };
  const condition = translate(residual, [named]);
  return named.target.kind === 'sql' ? sqlText(sqlParts(condition, named)) : ucastOf(condition, named);
}

function problems(query: string, target: string, support: readonly string[] = []): readonly string[] {
  try {
    return [JSON.stringify(translated([query], target, support))];
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return error.problems.map(({ message, location }) => `${location?.col ?? '-'}: ${message}`);
  }
}

describe('conditions of residual queries', () => {
  it.each([
    ['input.t.n < 5', 't.n < 5'],
    ['5 < input.t.n', 't.n > 5'],
    ['5 >= input.t.n', 't.n <= 5'],
    ['"x" == input.t.c; input.t.b', undefined],
    ['input.t.c == "x"; input.t.d != "y"', "(t.c = E'x' AND t.d <> E'y')"],
    ['not input.t.c in ["a", "b"]', "NOT t.c IN (E'a', E'b')"],
    ['input.t.c in {"b", "a"}', "t.c IN (E'a', E'b')"],
    ['input.t.c in {"k": "v", "j": "u"}', "t.c IN (E'u', E'v')"],
    ['input.t.c in [null, "a"]', "(t.c IS NULL OR t.c IN (E'a'))"],
    ['input.t.c in [null]', 't.c IS NULL'],
    ['input.t.c in []', '1 = 0'],
    ['not input.t.c in "abc"', '1 = 1'],
    ['input.t.c = _', 't.c IS NOT NULL'],
    ['input.t.c == null', 't.c IS NULL'],
    ['null != input.t.c', 't.c IS NOT NULL'],
    ['input.t.c >= null', '1 = 1'],
    ['input.t.b == false', 't.b = FALSE'],
    ['input.t.n == 12345678901234567890', 't.n = 12345678901234567890'],
    ['input.t.n > -1.50', 't.n > -1.50'],
    ['startswith(input.t.c, "a%")', "t.c LIKE E'a\\\\%%'"],
    ['endswith(input.t.c, "a_")', "t.c LIKE E'%a\\\\_'"],
    ['contains(input.t.c, "m")', "t.c LIKE E'%m%'"],
    ['x = input.t.a; input.s.b < x', 's.b < t.a'],
    ['x = input.t.a; not x == 1', '(t.a IS NOT NULL AND NOT t.a = 1)'],
    ['x = input.t; x.a == 1', 't.a = 1'],
    ['x = {"v": input.t.a, "w": [input.t.b]}', '(t.a IS NOT NULL AND t.b IS NOT NULL)'],
    ['not true; input.t.a == 1', '1 = 0'],
    ['not false; input.t.a == 1', 't.a = 1'],
  ])('%s', (query, condition) => {
    if (condition === undefined) expect(() => translated([query], 'sql+postgresql')).toThrow('invalid statement "input.t.b"');
    else expect(translated([query], 'sql+postgresql')).toBe(condition);
  });

  it('joins alternatives', () => {
    const queries = ['input.t.a == 1', 'input.t.a == 2; input.t.b == 3'];
    expect(translated(queries, 'sql+mysql')).toBe('(t.a = 1 OR (t.a = 2 AND t.b = 3))');
    expect(translated([...queries, 'true'], 'sql+mysql')).toBe('1 = 1');
    expect(translated(queries, 'ucast+all')).toMatchObject({ operator: 'or', value: [{ field: 't.a' }, { operator: 'and' }] });
  });

  it('puts rules that were not inlined in their place', () => {
    const support = 'package partial.p\n\ndefault d := false\n\nd if input.t.a == 1\n\nd if input.t.a == 2';
    expect(translated(['data.partial.p.d; input.t.b == 3'], 'sql+sqlite', [support])).toBe('((t.a = 1 OR t.a = 2) AND t.b = 3)');
    expect(translated(['not data.partial.p.d'], 'sql+sqlite', [support])).toBe('NOT (t.a = 1 OR t.a = 2)');
    expect(translated(['data.partial.p.d == true'], 'sql+sqlite', [support])).toBe('(t.a = 1 OR t.a = 2)');
    expect(problems('data.partial.p.d == false', 'sql+sqlite', [support])).toEqual(['1: use of default rule in data.p.d']);
    expect(problems('data.partial.p.d > 3', 'sql+sqlite', [support])).toEqual(['1: use of default rule in data.p.d']);
    const column = 'package partial.p\n\nd if input.t.a == input.t.b';
    expect(problems('not data.partial.p.d', 'ucast+prisma', [column])).toEqual([
      '6: reference to field: unsupported feature "field-ref" for UCAST (prisma)',
    ]);
    const ladder = 'package partial.p\n\nd := 1 if { input.t.a == 1 } else := 2';
    expect(problems('data.partial.p.d == 1', 'sql+sqlite', [ladder])).toEqual(['1: invalid data reference "data.p.d"']);
  });
});

describe('expressions that a target cannot have', () => {
  it.each([
    ['input.t.c.d == 1', 'sql+mysql', ['1: eq: invalid ref operand: input.t.c.d']],
    ['input.t[1] == 1', 'sql+mysql', ['1: eq: invalid ref operand: input.t[1]']],
    ['input.name == 1', 'sql+mysql', ['1: eq: invalid ref operand: input.name']],
    ['1 == data.rows.col', 'sql+mysql', ['6: eq: invalid ref operand: data.rows.col']],
    ['count(input.t.c) > 3', 'sql+mysql', ['18: gt: nested call operand: count(input.t.c)']],
    ['input.t.c == ["a"]', 'sql+mysql', ['1: both rhs and lhs non-scalar/non-ground']],
    ['regex.match("^a", input.t.c)', 'sql+mysql', ['1: invalid builtin `regex.match`']],
    ['data.p.f(input.t)', 'sql+mysql', ['1: invalid data reference "data.p.f(input.t)"']],
    ['data.partial.p.f(input.t.c, 1)', 'ucast+all', ['1: invalid data reference "data.p.f(input.t.c, 1)"']],
    ['startswith("abc", input.t.c)', 'sql+mysql', ['1: rhs of startswith must be known']],
    ['"a" in input.t.tags', 'sql+mysql', ['5: rhs of internal.member_2 must be known']],
    ['"k", input.t.c in {"k": "v"}', 'sql+mysql', ['16: invalid use of "... in ..."']],
    ['input.t.b', 'sql+mysql', ['1: invalid statement "input.t.b"']],
    ['not input.t.b', 'sql+mysql', ['1: "not" not permitted']],
    ['startswith(input.t.c, "a")', 'sql+sqlite', ['1: invalid builtin `startswith`: unsupported for SQL (sqlite)']],
    ['input.t.c == input.t.d', 'ucast+linq', ['1: reference to field: unsupported feature "field-ref" for UCAST (LINQ)']],
    ['input.t.c < input.t.d', 'ucast+linq', ['11: reference to field: unsupported feature "field-ref" for UCAST (LINQ)']],
    ['input.t.c = _', 'ucast+all', ['1: existence of field: unsupported feature "existence-ref" for UCAST (all)']],
    [
      'not input.t.c in ["a"]',
      'ucast+minimal',
      ['1: "not" not permitted: unsupported feature "not" for UCAST', '15: invalid builtin `in`: unsupported for UCAST'],
    ],
  ])('%s for %s', (query, target, messages) => {
    expect(problems(query, target)).toEqual(messages);
  });
});

describe('mappings', () => {
  it('names tables and columns, by dialect or kind or for all', () => {
    const query = ['input.fruit.name == input.basket.left'];
    expect(translated(query, 'sql+mysql', [], { fruit: { $self: 'shop.F', name: 'n' } })).toBe('shop.F.n = basket.left');
    expect(translated(query, 'sql+mysql', [], { mysql: { fruit: { $self: 'm' } }, sql: { fruit: { $self: 's' } } })).toMatch(/^m\.name/);
    expect(translated(query, 'sql+sqlite', [], { mysql: { fruit: { $self: 'm' } }, sql: { fruit: { $self: 's' } } })).toMatch(/^s\.name/);
  });

  it('names the table of a column', () => {
    const mappings = { sql: { name: { $table: 'fruit' }, fruit: { $self: 'F', name: 'n' } } };
    expect(translated(['input.name == 1'], 'sql+postgresql', [], mappings)).toBe('F.n = 1');
    expect(() => translated(['input.name == 1'], 'sql+postgresql', [], mappings.sql)).toThrow('invalid ref operand: input.name');
  });

  it('must be objects of objects of strings', () => {
    expect(() => new NamedTarget(targets.get('sql+mysql')!, { t: { $self: 5 } })).toThrow('the mapping of t.$self must be a string');
    expect(() => new NamedTarget(targets.get('sql+mysql')!, { sql: { t: 5 } })).toThrow('the mapping of t must be an object');
    expect(() => new NamedTarget(targets.get('sql+mysql')!, [])).toThrow('must be an object');
  });
});
