import { expect, test } from 'vitest';
import { lint, readLintConfig } from '../index.js';

/** A text whose findings stand between « and », and these places. */
function unmarked(marked: string): { text: string; places: readonly string[] } {
  const places: string[] = [];
  let text = '';
  let start = '';
  const at = (): string => `${text.split('\n').length}:${text.length - text.lastIndexOf('\n')}`;
  for (const character of marked)
    if (character === '«') start = at();
    else if (character === '»') places.push(`${start}-${at()}`);
    else text += character;
  return { text, places };
}

type Files = Readonly<Record<string, string>>;

/** Runs one rule over files, and compares the places of its findings with the marked ones. */
async function expectFindings(rule: string, files: Files, options?: object): Promise<void> {
  const all = Object.entries(files).map(([file, marked]) => ({ file, ...unmarked(marked) }));
  const rules = options && { [rule.slice(0, rule.indexOf('/'))]: { [rule.slice(rule.indexOf('/') + 1)]: options } };
  const { findings } = await lint(all, {
    ...(rules && { config: readLintConfig({ rules }) }),
    flags: { disableAll: true, enable: [rule.slice(rule.indexOf('/') + 1)] },
  });
  const found = findings.map(({ file, row, col, end }) => `${file} ${row}:${col}-${end?.row}:${end?.col}`);
  expect(found.sort()).toEqual(all.flatMap(({ file, places }) => places.map((place) => `${file} ${place}`)).sort());
}

const policy = (body: string): Files => ({ 'p/p.rego': `package p\n\n${body}\n` });

test.each([
  ['bugs/constant-condition', 'a text with values', 'a if «$"{input.x}"»\n\nb if $"{input.x}" == "c"'],
  ['bugs/constant-condition', 'a constant under not, without the not', 'a if not «false»'],
  ['bugs/inconsistent-args', 'no other number of arguments', 'f(a, b) if a == b\n\nf(b, a) if a > b\n\nf(a, b, c) if c'],
  ['bugs/sprintf-arguments-mismatch', 'an index that is used twice', 'a := sprintf(«"%[1]s %[1]s", [1, 2]»)'],
  ['bugs/sprintf-arguments-mismatch', 'a format in a variable', 'a if {\n\tf := "%s"\n\tsprintf(«f, [1, 2]») == "b"\n}'],
  ['bugs/top-level-iteration', 'a rule with a body', '«a := input.xs[_]» if input.b'],
  ['bugs/top-level-iteration', 'a variable of the body', 'a := input.xs[i] if some i in input.ids'],
  ['bugs/rule-assigns-default', 'the value of an else', 'default a := 1\n\na := 2 if input.b\nelse := 1'],
  ['bugs/var-shadows-builtin', 'each use in a ref', 'a if {\n\tsome «http»\n\tinput[«http»]\n}'],
  ['bugs/invalid-regexp', 'all functions', 'a if regex.is_valid(«`(`»)\n\nb if regex.globs_match(«`(`», «`[`»)'],
  ['idiomatic/non-raw-regex-pattern', 'templates', 'a if regex.template_match(«"x{.*}"», input.x, "{", "}")'],
  ['idiomatic/use-in-operator', 'the body of a rule only', 'a if {\n\t1 == «input.xs[_]»\n}\nelse if 1 == input.ys[_]'],
  ['idiomatic/use-in-operator', 'a wildcard before the last', 'a if «input.xs[_].ys[_]» == 1'],
  ['idiomatic/prefer-equals-comparison', 'a call', 'a if count(input.x) = 1'],
  ['idiomatic/prefer-equals-comparison', 'a pattern with a ref', 'a if [input.x] = input.y'],
  ['idiomatic/use-object-keys', 'some before the ref', 'a := «{k | some k; input.o[k]}»'],
  ['idiomatic/use-object-keys', 'a ref behind the key', 'a := «{k | input.o[k].b}»'],
  ['idiomatic/use-object-keys', 'a value that nothing uses', 'a := «{k | some k, v in input.o}»'],
  ['idiomatic/ambiguous-scope', 'a block for the document', docs('document')],
  ['style/comprehension-term-assignment', 'a variable', 'a := [x |\n\tsome y in input.ys\n\t«x :=» y\n]'],
  ['style/detached-metadata', 'a block above another one', docs('document')],
  ['style/external-reference', 'the value of the head', 'f(_) := {«a»: «b», «c»: «d»}'],
  ['style/external-reference', 'operands of calls', 'f(x) := count([input.a]) + x'],
  ['style/external-reference', 'the last operand', 'f(x) if {\n\tx == «data».a\n\tx == «data».b\n\tx == «data».c\n}'],
  ['style/messy-rule', 'heads with variables', 'a[x] := 1 if x := 1\n\nb := 2\n\n«a[y] := 2 if y := 2»'],
  ['style/no-whitespace-comment', 'a blank behind several signs', '## a\nb := 1'],
  ['style/pointless-reassignment', 'a head with a path', 'a.b := c'],
  ['style/prefer-snake-case', 'each use in a ref', 'a if {\n\tsome «xY»\n\tinput[«xY»]\n}'],
  ['style/prefer-some-in-iteration', 'a later use of a variable', 'a if {\n\tinput.x[i].y[_]\n\tinput.z[i]\n}'],
  ['style/prefer-some-in-iteration', 'the term of a comprehension', 'a := [{"b": c} | input[c]]'],
  ['style/rule-name-repeats-package', 'a word that goes on', '«pier» := 1'],
  ['style/yoda-condition', 'a wildcard alone', 'a if «1 ==» input[_]\n\nb if 1 == input.xs[_]'],
  ['style/yoda-condition', 'calls with variables', 'a if {\n\tx := 1\n\t1 < x + x\n\t«1 <» count(x)\n}'],
  ['testing/metasyntactic-variable', 'the uses that give a value', 'a if {\n\tsome «foo»\n\tinput[«foo»]\n\tinput.b[foo]\n}'],
  ['testing/test-outside-test-package', 'a function', 'test_a(x) if x\n\n«test_b» if true'],
  ['performance/defer-assignment', 'a unification below', 'a if {\n\t«x := input.x»\n\ty = input.y\n\tx == y\n}'],
  ['performance/defer-assignment', 'the value of the head', 'a := x if {\n\tx := input.x\n\tinput.y == 1\n}'],
  ['custom/prefer-value-in-head', 'a unification', 'a := x if {\n\tinput.b\n\tx = «1»\n}'],
  ['custom/prefer-value-in-head', 'a ref into an object: its last token counts', 'a := x if {\n\tinput.b\n\tx := «{"b": 1}[i»nput.c]\n}'],
  ['custom/narrow-argument', 'an index', 'f(«xs») := xs[0].a + xs[0].b'],
  ['custom/one-liner-rule', 'braces below', '«a» if\n{\n\tinput.b\n}'],
  ['custom/one-liner-rule', 'a line that goes on', 'a if input.b in {\n\t1,\n\t2,\n}'],
] as const)('%s: %s', (rule, _title, body) => expectFindings(rule, policy(body)));

/** Two rules, of which the first has a block for itself and one of a scope. */
function docs(scope: string): string {
  return `# METADATA\n# scope: ${scope}\n# title: both\n\n# METADATA\n# title: one\na if input.b\n\na if input.c`;
}

test.each([
  [
    'imports/unresolved-import',
    'a rule of the linter',
    { 'custom.rego': 'package custom.regal.rules.a\n\nimport data.regal.ast\n', 'b.rego': 'package b\n' },
  ],
  [
    'imports/unresolved-import',
    'a path into a rule',
    { 'a.rego': 'package a\n\n«import» data.b.c.d\nimport data.b.e.d\n', 'b.rego': 'package b\n\nc := 1\n\ne[x] := 1 if x := 2\n' },
  ],
  [
    'imports/unresolved-reference',
    'a built-in',
    { 'a.rego': 'package a\n\nimport data.time\n\nb := time.now_ns\n', 'b.rego': 'package b\n' },
  ],
  [
    'imports/unresolved-reference',
    'a name that a variable hides',
    { 'a.rego': 'package a\n\nimport data.b\n\nc(b) := b.x\n\nd := b.y\n', 'b.rego': 'package b\n' },
  ],
  [
    'imports/unresolved-reference',
    'the text to the next parenthesis',
    { 'a.rego': 'package a\n\nb if «data.c.d > count»(input.x)\n', 'c.rego': 'package c\n\ne := 1\n' },
  ],
  [
    'imports/circular-import',
    'the first package by name',
    { 'b.rego': 'package b\n\nimport data.c\n', 'c.rego': 'package c\n\nimport data.d\n', 'd.rego': 'package d\n\nimport «data.b»\n' },
  ],
  [
    'bugs/impossible-not',
    'a name that is a variable',
    {
      'a.rego': 'package a\n\nb contains 1\n',
      'c.rego': 'package c\n\nimport data.a\n\nd if {\n\ta := input\n\tnot a.b\n}\n\ne(a) if not a.b\n\nf if not «a».b\n',
    },
  ],
] as const)('%s over two files: %s', (rule, _title, files) => expectFindings(rule, files));

test.each([
  ['style/line-length', 'a threshold alone', { 'non-breakable-word-threshold': 10 }, `# ${'ab '.repeat(30)}`],
  ['style/prefer-some-in-iteration', 'no level of nesting', { 'ignore-if-sub-attribute': false }, 'a if input.xs[_].b'],
  ['imports/ignored-import', 'an import of input', {}, 'import input.a\n\nb := «input.a.c»'],
] as const)('%s with options: %s', (rule, _title, options, body) => expectFindings(rule, policy(body), options));
