/**
 * Rules and `else` links of one document keep nothing for each other: each has a comprehension of
 * the same shape, whose results must not be mistaken, in any way to evaluate them.
 */
import { describe, expect, test } from 'vitest';
import { Engine } from '../library/index.js';
import { runCommand, withFiles } from './harness/command.js';
import { testServer } from './harness/server/app.js';

/** With this data nobody is allowed. */
const data = { user: { roles: [], denied: ['all'] } };
const input = { row: { region: 'eu' } };

const documents: readonly (readonly [string, string])[] = [
  [
    'two rules of a function',
    `holds if ok(data.user)
ok(u) if count([r | r := u.roles[_]]) > 0
ok(u) if count([d | d := u.denied[_]]) == 0`,
  ],
  [
    'an else of a function',
    `holds if f(data.user) == "none"
f(u) := "many" if { count([r | r := u.roles[_]]) > 1 } else := "none" if { count([d | d := u.denied[_]]) == 0 }`,
  ],
  [
    'an else of an else',
    `holds if f(data.user) == 3
f(u) := 1 if { count({r | u.roles[r]}) > 1 } else := 2 if { count([r | r := u.roles[_]]) > 1 } else := 3 if { count([d | d := u.denied[_]]) == 0 }`,
  ],
  [
    'two rules of a complete document',
    `holds if { u := data.user; count({r | r := u.roles[_]}) > 0 }
holds if { u := data.user; count({d | d := u.denied[_]}) == 0 }`,
  ],
  [
    'two rules of a set',
    `holds if count(found) > 0
found contains "role" if { u := data.user; count({r | r := u.roles[_]}) > 0 }
found contains "free" if { u := data.user; count({d | d := u.denied[_]}) == 0 }`,
  ],
  [
    'two rules of an object',
    `holds if count(found) > 0
found["role"] := 1 if { u := data.user; count({r: 1 | r := u.roles[_]}) > 0 }
found["free"] := 2 if { u := data.user; count({d: 1 | d := u.denied[_]}) == 0 }`,
  ],
  [
    'a nested comprehension',
    `holds if ok(data.user)
ok(u) if count([1 | x := [u.roles]; y := x[_]; count([r | r := y[_]]) > 0]) > 0
ok(u) if count([1 | x := [u.denied]; y := x[_]; count([d | d := y[_]]) == 0]) > 0`,
  ],
  [
    'a comprehension under not',
    `holds if ok(data.user)
ok(u) if count([r | r := u.roles[_]]) > 0
ok(u) if not [d | d := u.denied[_]] == ["all"]`,
  ],
  [
    'an array and a set',
    `holds if ok(data.user)
ok(u) if [r | r := u.roles[_]] == [1]
ok(u) if {d | d := u.denied[_]} == set()`,
  ],
  [
    'rules behind a default',
    `holds if v
default v := false
v if { u := data.user; x := [r | r := u.roles[_]]; count(x) > 0 }
v if { u := data.user; x := [d | d := u.denied[_]]; count(x) == 0 }`,
  ],
];

const policyOf = (rules: string) => `package k

default allow := false

allow if { holds; input.row.region == "eu" }

${rules}
`;

async function command(rules: string, ...args: readonly string[]): Promise<string> {
  const files = {
    'p.rego': policyOf(rules),
    'data.json': JSON.stringify(data),
    'input.json': JSON.stringify(input),
    'p_test.rego': 'package k_test\n\ntest_allowed if data.k.allow with input as {"row": {"region": "eu"}}',
  };
  return await withFiles(files, async (dir) => {
    const at = (name: string) => `${dir}/${name}`;
    const sources = [at('p.rego'), at('data.json')];
    if (args[0] === 'build') {
      const built = await runCommand('build', ...args.slice(1), '-e', 'k/allow', '-o', at('b.tar.gz'), ...sources);
      expect(built).toMatchObject({ exit: 0, stderr: '' });
      return (await runCommand('eval', '-b', at('b.tar.gz'), '-i', at('input.json'), '-f', 'pretty', 'data.k.allow')).stdout;
    }
    if (args[0] === 'test') return (await runCommand('test', ...sources, at('p_test.rego'))).stdout;
    return (await runCommand(...args, ...sources.flatMap((source) => ['-d', source]), '-i', at('input.json'))).stdout;
  });
}

type Evaluate = (rules: string) => Promise<void>;

const ways: readonly (readonly [string, Evaluate])[] = [
  ['writ test', async (rules) => expect(await command(rules, 'test')).toContain('FAIL: 1/1')],
  ['eval', async (rules) => expect(await command(rules, 'eval', '-f', 'pretty', 'data.k.allow')).toBe('false\n')],
  [
    'eval --partial',
    async (rules) =>
      expect(await command(rules, 'eval', '-p', '-u', 'input.row', '-f', 'source', 'data.k.allow == true')).not.toContain('row'),
  ],
  ['build -O 1', async (rules) => expect(await command(rules, 'build', '-O', '1')).toBe('false\n')],
  ['build -O 2', async (rules) => expect(await command(rules, 'build', '-O', '2')).toBe('false\n')],
  [
    'eval --why',
    async (rules) => {
      const { result, explanation } = JSON.parse(await command(rules, 'eval', '--why', '-f', 'json', 'data.k.allow'));
      expect(result[0].expressions[0].value).toBe(false);
      expect(JSON.stringify(explanation)).not.toMatch(/"value":("none"|"free"|3)/u);
    },
  ],
  [
    '/v1/compile',
    async (rules) => {
      const { ask } = await testServer({ policies: { p: policyOf(rules) }, data });
      const { text } = await ask('POST', '/v1/compile', JSON.stringify({ query: 'data.k.allow == true', unknowns: ['input.row'] }));
      expect(JSON.parse(text).result).toEqual({});
    },
  ],
  [
    'a filter',
    async (rules) => {
      const engine = await Engine.open({ policies: { 'p.rego': policyOf(rules) }, data });
      const { text } = await engine.filter('k/allow', { target: 'postgresql', unknowns: ['input.row'] });
      expect(text).toBe('1 = 0');
    },
  ],
];

describe.each(ways)('%s', (_way, evaluate) => {
  test.each(documents)('%s', (_title, rules) => evaluate(rules));
});
