import { describe, expect, test } from 'vitest';
import { Addresses } from '../../ir-schema/address.js';
import { DebugIndex } from '../../ir-schema/debug-index.js';
import type { DebugRange, DebugReason } from '../../ir-schema/debug-info.js';
import type { Policy } from '../../ir-schema/plan.js';
import { randomCase } from '../../test/generators/random-case.js';
import { plannedExpressions, rangeText, statementRanges } from '../../test/harness/plans/exact-places.js';
import { compileFor, queryFor } from '../../test/harness/plans.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { optimize } from '../optimize/pipeline.js';
import { compileModules } from '../pipeline.js';
import type { Compiled } from '../resolve/compiled.js';
import { parseModule } from '../syntax/parse.js';
import { debugInfo } from './debug-info.js';
import { plan } from './planner.js';

function planned(text: string, path: string, level: 0 | 1 | 2 = 0) {
  const compiled = compileFor(text);
  const policy = optimize(plan(compiled, [{ name: path, path: path.split('/') }], { notes: true }), level);
  return indexed(policy, compiled, text);
}

function indexed(policy: Policy, compiled: Compiled, text: string) {
  const addresses = new Addresses(policy);
  const info = debugInfo(policy, compiled, { sha256: (value) => `#${value.length}`, texts: true });
  const index = new DebugIndex(info, addresses);
  const lines = text.split('\n');
  const textOf = ([row, col, endRow, endCol]: DebugRange) =>
    row === endRow ? lines[row - 1]!.slice(col - 1, endCol - 1) : lines.slice(row - 1, endRow).join('\n');
  /** For each reason the expressions or rules that its statements serve, each once. */
  const subjects = (reason: DebugReason): readonly string[] => {
    const found = new Set<string>();
    for (const { address } of addresses) {
      const served = index.at(address);
      if (served.reason !== reason) continue;
      found.add(served.expression ? textOf(served.expression.range) : `${served.rule?.path}#${served.rule?.number}.${served.rule?.link}`);
    }
    return [...found];
  };
  const namesWhere = (expression: string): Record<string, number> => {
    const found = [...addresses].filter(({ address }) => {
      const served = index.at(address).expression;
      return served !== undefined && textOf(served.range) === expression;
    });
    return Object.fromEntries(index.locals(found.at(-1)!.address));
  };
  return { policy, info, index, addresses, subjects, namesWhere };
}

const authz = `package authz

default allow := false

allow if {
	some grant in data.grants
	grant.user == input.user
	role := upper(grant.role)
	role in {"ADMIN", "OWNER", "AUDITOR"}
}

allow if input.admin == true

else := "maybe" if {
	wanted := input.wanted
	every one in wanted { one > rank(one, 1) }
}

rank(a, b) := a + b if input.kind == "x"

rank(a, [b]) := product if {
	product := a * b
	input.kind
}
`;

describe('what statements serve', () => {
  const { subjects, namesWhere, info, index } = planned(authz, 'authz/allow');

  test('expressions in their place', () => {
    expect(subjects('expression')).toEqual(
      expect.arrayContaining(['some grant in data.grants', 'grant.user == input.user', 'role := upper(grant.role)', 'one > rank(one, 1)']),
    );
  });

  test('guards come before the body', () => expect(subjects('guard')).toEqual(['input.kind == "x"', 'input.admin == true']));
  test('rules in the order of the index', () => expect(subjects('index order')).toEqual(['authz/rank#1.0', 'authz/rank#0.0']));
  test('the default, and the result', () => expect(subjects('rule')).toContain('authz/allow#0.0'));
  test('arguments', () => expect(subjects('argument')).toEqual(['authz/rank#1.0']));
  test('literals name the expression that has them', () => expect(subjects('literal')).toEqual(['role in {"ADMIN", "OWNER", "AUDITOR"}']));
  test('the entrypoint', () => expect(subjects('query')).toHaveLength(1));

  test('authors’ names of locals, where they have a value', () => {
    expect(Object.keys(namesWhere('role in {"ADMIN", "OWNER", "AUDITOR"}'))).toEqual(['grant', 'role']);
    expect(Object.keys(namesWhere('grant.user == input.user'))).toEqual(['grant']);
    expect(Object.keys(namesWhere('one > rank(one, 1)'))).toEqual(['wanted', 'one']);
    expect(Object.keys(namesWhere('product := a * b')).sort()).toEqual(['a', 'b', 'product']);
  });

  test('sources with hash and text', () => expect(info.sources).toEqual([{ file: '0.rego', sha256: `#${authz.length}`, text: authz }]));

  test('an expression knows its rule, its number in the body, and what is around it', () => {
    const found = info.expressions.map((_, i) => index.expression(i)!);
    const inner = found.find(({ range }) => range[0] === 16 && range[1] > 5)!;
    expect(inner.ordinal).toBe(0);
    expect(index.expression(inner.parent!)!.ordinal).toBe(1);
    expect(inner.rule).toMatchObject({ path: 'authz/allow', number: 2, link: 1 });
  });
});

test.each([
  ['a set', 'p contains x if { some x in [1, 2]; x > 1 }'],
  ['an object', 'p[k] := v if some k, v in {"a": 1}'],
  ['membership', 'p if q[3]\nq contains x if { some x in [1, 2, 3]; x > 1 }'],
  ['a package', 'p := data.t.a\na.b := 1 if input.x\na.c.d contains 1 if input.y'],
  ['a comprehension in a head', 'p := [x | some x in [1, 2]; x > 1]'],
  ['with', 'p if { q with input.x as 1 with data.y as [2] }\nq if input.x == 1'],
  ['a template', 'p := $"a {input.x} b"'],
])('every statement of rules has a reason: %s', (_title, rules) => {
  const text = `package t\n${rules}\n`;
  const { index, addresses } = planned(text, 't/p');
  for (const { address } of addresses) expect(index.at(address).reason, address).toBeDefined();
});

describe('after optimizing', () => {
  const text = `package t
p if {
	whole := input
	some x in whole.xs
	x.kind == whole.kind
	x.size > 10
}
`;
  test('statements out of loops are hoisted', () => {
    const { subjects } = planned(text, 't/p', 2);
    expect(subjects('hoisted')).toContain('x.size > 10');
  });

  test('a removed copy has the local of the original', () => {
    expect(planned(text, 't/p', 0).namesWhere('x.size > 10').whole).not.toBe(0);
    expect(planned(text, 't/p', 2).namesWhere('x.size > 10').whole).toBe(0);
  });
});

test('a query has its expressions', () => {
  const compiled = compileFor('package t\np := 1');
  const text = 'x := data.t.p; x > 0';
  const { subjects, namesWhere } = indexed(
    plan(compiled, [{ name: 'eval', query: queryFor(compiled, text) }], { notes: true }),
    compiled,
    text,
  );
  expect(subjects('expression')).toEqual(['x := data.t.p', 'x > 0']);
  expect(Object.keys(namesWhere('x > 0'))).toEqual(['x']);
});

test('plans are the same with and without notes', () => {
  const compiled = compileFor(authz);
  const request = [{ name: 'authz/allow', path: ['authz', 'allow'] }];
  expect(JSON.stringify(plan(compiled, request, { notes: true }))).toBe(JSON.stringify(plan(compiled, request)));
});

test('each expression of a planned rule has a statement with its range', () => {
  let count = 0;
  const cases = randomCases(40);
  for (let seed = 0; seed < cases; seed++) {
    const given = randomCase(seed);
    if (given === undefined) continue;
    const { modules, regoVersion, paths } = given;
    const compiled = compileModules({
      modules: new Map([...modules].map(([name, text]) => [name, parseModule(name, text, { regoVersion })])),
    });
    const policy = plan(
      compiled,
      paths.map((path) => ({ name: path.join('/'), path })),
    );
    const ranges = statementRanges(policy);
    const expressions = plannedExpressions(
      [...compiled.modules.values()].map(({ parsed }) => parsed),
      ranges,
    );
    const missing = expressions.filter((expression) => !ranges.has(rangeText(expression)));
    expect(
      missing.map(({ text }) => text),
      `seed ${seed}`,
    ).toEqual([]);
    count += expressions.length;
  }
  expect(count).toBeGreaterThan(5 * cases);
});
