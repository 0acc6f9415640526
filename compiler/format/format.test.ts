import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLaw, type Version } from '../../test/harness/format-law.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import type { NumberTerm } from '../ast/nodes.js';
import { CompileErrors } from '../diagnostics/diagnostics.js';
import { parseModule } from '../syntax/parse.js';
import { FormatError, formatModule, formatText } from './format.js';

const versions = ['v0', 'v1'] as const;

function expectFormats(text: string, version: Version): void {
  expectLaw(text, version);
}

const fixtures = versions.flatMap((version) =>
  readdirSync(join('fixtures/syntax', version)).map(
    (file) => [`${version}/${file}`, version, readFileSync(join('fixtures/syntax', version, file), 'utf8')] as const,
  ),
);

test.each(fixtures)('%s keeps its meaning and comments, and stays as formatted', (_file, version, text) => expectFormats(text, version));

interface Row {
  readonly title: string;
  readonly version: Version;
  readonly to?: 'v0v1' | 'v1';
  readonly dropV0Imports?: boolean;
  readonly in: readonly string[];
  readonly out: readonly string[];
}

const rows = JSON.parse(readFileSync('fixtures/format/modules.json', 'utf8')) as readonly Row[];

test.each(rows)('$title', ({ version, to, dropV0Imports, in: lines, out }) => {
  const text = lines.join('\n');
  const formatted = formatText('m.rego', text, { regoVersion: version }, { ...(to && { to }), ...(dropV0Imports && { dropV0Imports }) });
  expect(formatted).toBe(out.join('\n'));
  expect(formatText('m.rego', formatted, { regoVersion: to === 'v1' ? 'v1' : version }, to === 'v0v1' ? { to } : {})).toBe(formatted);
});

test.each([
  ['names that imports share', 'import data.a\nimport data.b as a', 'rego_compile_error: import must not shadow import data.a'],
  ['rules that hide a root', 'input if 1 == 1', 'rules must not shadow input'],
  ['built-ins that version 1 has no more', 'p if any([true])', 'rego_type_error: deprecated built-in function calls in expression: any'],
  [
    'operators with operands that no sign takes',
    'p if plus(1, 2, 3) > 1',
    'm.rego: 1 error occurred: m.rego:3: rego_type_error: plus: arity mismatch',
  ],
])('%s are refused', (_title, text, message) => {
  expect(() => formatText('m.rego', `package m\n\n${text}\n`, { regoVersion: 'v1' })).toThrow(message);
});

test.each([
  'input.x < 2 with\n\n# d\n input.x as 1',
  'not input.x < 2 with input.x as [\n1, # d\n\n# e\n2] with data.x as 2',
  'every x in [1] { x == 1 } with input # d\n as 1',
  '(input.x < 2 with\n\n# d\n input.x as 1) and input.y == 5',
  '(\n\n# d\n{input.a} & {1}) == set() and input.g',
])('a comment where there is no line for it doubles nothing and finds its place at once: %j', (body) => {
  const text = `package m\n\nimport future.keywords.and\n\ng if {\n\t${body}\n\tz\n}\n`;
  expect(formatText('m.rego', text, { regoVersion: 'v1' })).toContain('# d');
  expectFormats(text, 'v1');
});

test('a module whose tree its text does not say is refused rather than written', () => {
  const module = parseModule('m.rego', 'package m\n\np := 1\n');
  const [rule] = module.rules;
  const other = { ...module, rules: [{ ...rule!, head: { ...rule!.head, value: { ...rule!.head.value!, text: '2 + 2' } as NumberTerm } }] };
  expect(() => formatModule(other)).toThrow(FormatError);
  expect(() => formatModule(other)).toThrow('m.rego: format_error: the layout would change its meaning or lose a comment');
});

test.each([
  [
    'further bodies',
    'v0',
    'p[x] { x = 1 } { # two\n  x = 2 # three\n}\n# next\nq = 1',
    'p[x] {\n\tx = 1\n}\n\np[x] { # two\n\tx = 2 # three\n}\n\n# next\nq = 1\n',
  ],
  ['further bodies of functions', 'v0', 'f(x) { x } { not x }\n# q\nq = 1', 'f(x) {\n\tx\n}\n\nf(x) {\n\tnot x\n}\n\n# q\nq = 1\n'],
  ['operators before a bar', 'v1', 'p := [(input.a==input.b)|true]', 'p := [(input.a == input.b) | true]\n'],
  ['a negative number below another expression', 'v1', 'p if { x; -1 == y }', 'p if {\n\tx\n\t(-1) == y\n}\n'],
  ['a membership in a domain', 'v1', 'p if every x in (1 in y) { x }', 'p if every x in (1 in y) { x }\n'],
  ['an else whose body starts with a brace', 'v1', 'p if x else if { {1} == y }', 'p if x\n\nelse if {\n\t{1} == y\n}\n'],
  ['comments in a ref of a head', 'v1', 'p[ # a\n"x" # b\n].y := 1 if { z }', 'p.x.y := 1 if { # a\n\t# b\n\tz\n}\n'],
  [
    'comments in a list in a call',
    'v1',
    'p := f(1, [\n  "a", # one\n  # two\n  "b",\n])\n',
    'p := f(1, [\n\t"a", # one\n\t# two\n\t"b",\n])\n',
  ],
  [
    'comments in a set in calls',
    'v1',
    'p if {\n  x := f(g({\n  "a",\n  # c\n  "b"\n  }))\n}\n',
    'p if {\n\tx := f(g({\n\t\t"a",\n\t\t# c\n\t\t"b",\n\t}))\n}\n',
  ],
  ['comments between operands', 'v1', 'p := x if {\nx := 1 + # one\n2\n}', 'p := x if {\n\tx := 1 + 2 # one\n}\n'],
  ['members of a set that stand twice', 'v1', 'p := {1,"a",1,"a"}', 'p := {1, "a"}\n'],
] as const)('%s', (_title, version, text, expected) => {
  expect(formatted(text, version)).toBe(expected);
});

/** A fixture with spaces, line breaks and comments where they may stand. */
const stirred = fc
  .tuple(
    fc.constantFrom(...fixtures),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('\n', ' # c\n', '\n\n# d\n', '\t', '\n\n\n')), {
      maxLength: 6,
    }),
  )
  .map(([[, version, text], edits]) => {
    let result = text;
    for (const [place, insert] of edits) {
      const spots = [...result.matchAll(/[\s,{}()[\]|:]/g)];
      const { index } = spots[Math.floor(place * (spots.length - 1))]!;
      result = result.slice(0, index) + insert + result.slice(index);
    }
    return [result, version] as const;
  });

test('whatever the layout, formatting keeps meaning and comments, and is done in one go', () => {
  fc.assert(
    fc.property(stirred, ([text, version]) => expectFormats(text, version)),
    { numRuns: randomCases(500) },
  );
});

const formatted = (text: string, regoVersion: Version = 'v1'): string =>
  formatText('m.rego', `package m\n\n${text}`, { regoVersion }).slice('package m\n\n'.length);

test.each([
  ['one expression goes beside its head', 'p if { input.x==1 }', 'p if input.x == 1\n'],
  ['several go on lines of their own', 'p if { x;y }', 'p if {\n\tx\n\ty\n}\n'],
  ['an else stands beside the brace if it did', 'p := 1 if {\nx } else := 2', 'p := 1 if {\n\tx\n} else := 2\n'],
  ['an else on a line of its own stays there', 'p := 1 if {\nx }\nelse := 2', 'p := 1 if {\n\tx\n}\n\nelse := 2\n'],
  ['rules are a line apart', 'a := 1 \nb if {\nx\ny\n}\nc := 2', 'a := 1\n\nb if {\n\tx\n\ty\n}\n\nc := 2\n'],
  ['a rule of one expression stays on the line below another', 'a := 1 \nb if {\nx\n}\nc := 2', 'a := 1\nb if {\n\tx\n}\n\nc := 2\n'],
  ['one-liners in a row stay together', 'a := 1\nb := 2\n\nc := 3', 'a := 1\nb := 2\n\nc := 3\n'],
  ['a collection keeps its lines', 'p := {"a":1,\n"b":[1,2]}', 'p := {\n\t"a": 1,\n\t"b": [1, 2],\n}\n'],
  ['fields are written with dots', 'p := input["a"]["b c"]', 'p := input.a["b c"]\n'],
  ['parentheses stay where they matter', 'p := ((1+2)*3)-(4-5)', 'p := ((1 + 2) * 3) - (4 - 5)\n'],
  ['a true that is not needed goes', 'p := true if x', 'p if x\n'],
  ['the heads of version 1 assign', 'p = 1 if x', 'p := 1 if x\n'],
  ['blank lines between expressions stay, one at most', 'p if {\nx\n\n\n\ny\n}', 'p if {\n\tx\n\n\ty\n}\n'],
  ['modifiers keep their lines', 'p if {\nx with a as 1\n  with b as 2\ny\n}', 'p if {\n\tx with a as 1\n\t\twith b as 2\n\ty\n}\n'],
  ['comments stay beside and above', '# a\np if { # b\n# c\nx # d\n# e\n}\n# f', '# a\np if { # b\n\t# c\n\tx # d\n\t# e\n}\n\n# f\n'],
])('%s', (_title, text, expected) => {
  expect(formatted(text)).toBe(expected);
});

test('imports are sorted in their groups', () => {
  expect(formatted('import data.b\nimport data.a as z\n\nimport input.c')).toBe('import data.a as z\nimport data.b\n\nimport input.c\n');
});

test('a body of one expression is in braces on request', () => {
  const options = { bracedBodies: true };
  const text = 'package m\n\np if x\n\nq := 1\n';
  expect(formatText('m.rego', text, {}, options)).toBe('package m\n\np if {\n\tx\n}\n\nq := 1\n');
});

test('version 0 stays version 0', () => {
  expect(formatted('p[x]{x=1}\nq=1', 'v0')).toBe('p[x] {\n\tx = 1\n}\n\nq = 1\n');
});

test('a module of version 0 becomes one of version 1, or says why not', () => {
  const text = 'package m\nimport future.keywords.in\n\np[x] { x in [1] }\n\nq = 1 { true }\n';
  expect(formatText('m.rego', text, { regoVersion: 'v0' }, { to: 'v0v1' })).toBe(
    'package m\n\nimport rego.v1\n\np contains x if x in [1]\n\nq := 1\n',
  );
  const unfit = 'package m\n\nif = 1\n';
  expect(() => formatText('m.rego', unfit, { regoVersion: 'v0' }, { to: 'v1' })).toThrow(CompileErrors);
});

test.each([
  ['a rule', 'in { 1 == 1 }', ['4:1 in keyword cannot be used for rule name']],
  [
    'a rule with bodies in a chain',
    'every { a } { b }',
    ['4:1 every keyword cannot be used for rule name', '4:13 every keyword cannot be used for rule name'],
  ],
  ['a default', 'default if = 1', ['4:1 if keyword cannot be used for rule name']],
  ['a function and its call', 'contains(x) { x == 1 }\np { contains(1) }', ['4:1 contains keyword cannot be used for rule name']],
  ['a set', 'in[x] { x = 1 }', ['4:1 in keyword cannot be used for rule name']],
  ['an argument', 'f(if) { if == 1 }', ['4:3 if keyword cannot be used for variable name']],
  ['a variable', 'p { every := 1; every > 0 }', ['4:5 every keyword cannot be used for variable name']],
  ['a declared variable', 'p { some contains; input.x[contains] == 1 }', ['4:10 contains keyword cannot be used for variable name']],
  ['a key', 'p[in] { in := 1 }', ['4:3 in keyword cannot be used for variable name']],
  ['a variable of a comprehension', 'p = {if: 1 | if := input.x[_]}', ['4:6 if keyword cannot be used for variable name']],
  [
    'two variables',
    'p { in := 1; if := in }',
    ['4:5 in keyword cannot be used for variable name', '4:14 if keyword cannot be used for variable name'],
  ],
  ['a rule behind one without a body', 'q["if"] := 1\n\nif["q"] := 2', ['6:1 if keyword cannot be used for rule name']],
  ['a rule behind a value', 'q := 1\n\nr := 2\n\nif["q"] := 2', ['8:1 if keyword cannot be used for rule name']],
  ['a rule behind a set', 'q["a"]\n\nif["b"] := 2', ['6:1 if keyword cannot be used for rule name']],
  ['an import', 'import data.x as every\np { every.y }', ['4:1 every keyword cannot be used for import name']],
  [
    'the end of an import',
    'import data.in\np { in.y }',
    ['4:13 unexpected import path, must not end with a keyword, got: in (hint: import a different path or use an alias)'],
  ],
])('%s named like a keyword of version 1 is refused at its place in the input', (_title, text, errors) => {
  let found: readonly string[] = [];
  try {
    formatText('m.rego', `package m\n\n# ${'x'.repeat(9)}\n${text}\n`, { regoVersion: 'v0' }, { to: 'v0v1' });
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    found = error.diagnostics.map(({ location, message }) => `${location?.row}:${location?.col} ${message}`);
  }
  expect(found).toEqual(errors);
});
