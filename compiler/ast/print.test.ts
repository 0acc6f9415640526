import { expect, test } from 'vitest';
import { parseModule } from '../syntax/parse.js';
import { parseQuery } from '../syntax/query.js';
import type { LogicalExpr } from './nodes.js';
import { printBody, printModule } from './print.js';

test.each([
  ['v0', 'if = 1\n\nimport future.keywords'],
  ['v0', 'import data.x\n\nevery[x] { in = x }\n\nimport data.y\nimport future.keywords\nimport data.z\n\nq = 1'],
  ['v1', 'or = 1\n\nimport future.keywords.or\n\np = true if { a or b }'],
  ['v1', 'p = true if { not ({x}) }\n\nimport future.keywords.not\n\nq = true if { not { x } }'],
] as const)('%s: a word that a later import makes a keyword stays a name: %j', (regoVersion, statements) => {
  const text = `package m\n\n${statements}\n`;
  expect(printModule(parseModule('m.rego', text, { regoVersion }))).toBe(text);
});

test.each(['(({"a"} == x) with input as 1) or y', 'y or (({} in x) with input as 1)', 'not (({"a"} == x) with input as 1)'])(
  'an operand with a modifier that begins with a brace is printed so that it is no body: %s',
  (text) => {
    const source = `package m\n\nimport future.keywords.not\nimport future.keywords.or\n\np if { ${text} }\n`;
    expect(printModule(parseModule('m.rego', source, { regoVersion: 'v1' }))).toContain(`{ ${text} }`);
  },
);

test('an equality under `not` that begins with a brace is a comparison in parentheses', () => {
  const print = (text: string): string => printBody(parseQuery(text));
  expect(print('not {1} = x with input as 1')).toBe('not ({1} == x) with input as 1');
  expect(print(print('not {1} = x'))).toBe('not ({1} == x)');
});

test.each([
  ['and', '{1} = input.y', '{ {1} = input.y } and input.z'],
  ['or', '{"a": 1} = input.y', '{ {"a": 1} = input.y } or input.z'],
  ['or', 'input.y = 1 with input as 2', '{ input.y = 1 with input as 2 } or input.z'],
  ['or', '{1} == input.y', '({1} == input.y) or input.z'],
  ['and', '{1} in input.y', '({1} in input.y) and input.z'],
] as const)('an operand of `%s` that is %s is printed so that it is read again', (kind, text, printed) => {
  const options = { futureKeywords: [kind] };
  const [whole] = parseQuery(`input.x ${kind} input.z`, options) as [LogicalExpr];
  const written = printBody([{ ...whole, lhs: parseQuery(text, options) }]);
  expect(written).toBe(printed);
  expect(printBody(parseQuery(written, options))).toBe(printed);
});

test('elements that differ in their wildcards alone stay in order', () => {
  const wildcards = Array.from({ length: 9 }, () => 'x[_]').join('; ');
  const text = `package m\n\np = true if { ${wildcards}; q = {x[_]: 2, x[_]: 1} }\n`;
  expect(printModule(parseModule('m.rego', text))).toBe(text);
});
