import { expect, test } from 'vitest';
import type { CompileErrors } from '../diagnostics/diagnostics.js';
import { parseModule } from './parse.js';

/** The messages about a rule of version 0. */
function messages(rule: string, imports = ''): readonly string[] {
  try {
    parseModule('a.rego', `package a\n${imports}\n${rule}\n`, { regoVersion: 'v0' });
    return [];
  } catch (error) {
    return (error as CompileErrors).diagnostics.map(({ message }) => message);
  }
}

const some = '(hint: `import future.keywords.in` for `some x in xs` expressions)';
const member = '(hint: `import future.keywords.in` for `x in xs` expressions)';
const every = '(hint: `import future.keywords.every` for `every x in xs { ... }` expressions)';

test.each([
  ['p { some x in [1]; x == 1 }', some],
  ['p { some k, v in input.o; v == k }', some],
  ['p {\n\tsome x in input.xs\n}', some],
  ['p = [x | some x in input.xs]', some],
  ['p { 1 in input.xs }', member],
  ['p { some x; input.y in x }', member],
  ['p { not input.x in [1] }', member],
  ['p { every x in input.xs { x > 1 } }', every],
  ['p { every k, v in input.o { v > k } }', every],
])('%s says which import is missing', (rule, hint) => {
  const [first] = messages(rule);
  expect(first).toContain('unexpected identifier token');
  expect(first).toContain(hint);
});

test.each([
  ['p { x y }', ''],
  ['p { input in_list }', ''],
  ['p { some x in [1] y }', 'import future.keywords.in'],
])('%s has no such hint', (rule, imports) => {
  expect(messages(rule, imports).join()).not.toContain('hint');
});

test.each(['p := if.x', 'p = if.x.y', 'f(x) := if.x'])('%s has no value in version 1: the word ends the head', (rule) => {
  expect(messages(rule, 'import rego.v1')[0]).toBe('unexpected if keyword');
  expect(messages(rule)).toEqual([]);
});
