import { expect, test } from 'vitest';
import { printModule } from '../../../compiler/ast/print.js';
import { parseTolerantly } from './tolerant-parse.js';

const rulesOf = (text: string): string[] =>
  parseTolerantly('a.rego', text, {}).module?.rules.map(({ loc }) => loc.source.text.slice(loc.start, loc.end)) ?? [];

test.each([
  ['a body that does not end', 'package p\n\na := 1\n\nb if {\n\tinput.x\n\nc := 3\n', ['a := 1', 'c := 3']],
  ['a statement that is none', 'package p\n\na := 1\n\nb := := 2\n\nc := 3\n', ['a := 1', 'c := 3']],
  ['a text that does not end', 'package p\n\na := 1\n\nb := "x\n\nc := 3\n', ['a := 1', 'c := 3']],
  ['an import', 'package p\n\nimport data.\n\nc := 3\n', ['c := 3']],
  ['two rules', 'package p\n\na :=\n\nb := 2\n\nc if }\n\nd := 4\n', ['b := 2', 'd := 4']],
  ['a package', 'package p-q.r\n\nc := 3\n', ['c := 3']],
  ['metadata', 'package p\n\n# METADATA\n# scope: nowhere\nc := 3\n', ['c := 3']],
  ['a body without if', 'package p\n\na { input.x }\n\nc := 3\n', ['c := 3']],
])('rules around %s stay', (_title, text, rules) => {
  expect(rulesOf(text)).toEqual(rules);
  expect(parseTolerantly('a.rego', text, {}).problems.length).toBeGreaterThan(0);
});

test('a body loses the line with an error only', () => {
  const { module, problems } = parseTolerantly('a.rego', 'package p\n\na if {\n\tx := 1\n\tinput.y == )\n\tx > 2\n}\n', {});
  expect(printModule(module!)).toContain('x := 1; x > 2');
  expect(problems).toHaveLength(1);
});

test('all statements with errors are told', () => {
  const { problems } = parseTolerantly('a.rego', 'package p\n\na :=\n\nb := 2\n\nc := 1 +\n\nd if {\n', {});
  expect([...new Set(problems.map(({ location }) => location?.row))]).toEqual([4, 8, 10]);
});

test('a text without a package has errors, and no tree', () => {
  expect(parseTolerantly('a.rego', 'a := 1\n', {})).toMatchObject({ module: undefined, problems: [{ message: 'package expected' }] });
});
