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
  ['bugs/sprintf-arguments-mismatch', 'a sign without a verb', 'a := sprintf(«"50%", []»)\n\nb := sprintf("%d%%", [1])'],
  ['style/messy-rule', 'a default', 'a := 1 if input.b\n\nc := 1\n\n«default» a := 2'],
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
  ['bugs/annotation-without-metadata', 'blocks by rows and columns', '«# title: x»\na := 1 # title: y\n# title: z\nb := 1'],
  ['bugs/annotation-without-metadata', 'blanks, no quotes', '«#   scope: rule»\na := 1\n\n#"title": x\nb := 1'],
  ['bugs/argument-always-wildcard', 'the definition with a body', 'f(_, 1) := 1\n\nf(«_», x) := 2 if x > 2'],
  ['bugs/argument-always-wildcard', 'a default above others', 'default f(«_») := 1\n\nf(_) := 2'],
  ['bugs/duplicate-rule', 'blanks in texts', 'a := "a b" if input.x\n\na := "ab" if input.x'],
  ['bugs/duplicate-rule', 'no defaults', 'default a := 1\n\ndefault a := 1'],
  ['bugs/duplicate-rule', 'wildcards', '«a if input.x[_]»\n\na if input.x[_]'],
  ['bugs/duplicate-rule', 'version 0', 'a { input.x }\n\na { input.x }\n\n«b := 1»\n\nb := 1'],
  ['bugs/if-object-literal', 'under not', 'a if not «{"b": 1}»'],
  ['bugs/if-empty-object', 'braces within those of version 0', '«a { {} }»'],
  ['bugs/import-shadows-rule', 'a longer head', 'import data.b.a\n\na[x] := 1 if x := 1\n\n«a contains 1»'],
  ['bugs/inconsistent-args', 'the second definition', 'f(a, b) := a if b\n\nf(«a, b») := b if a\n\nf(b, a) := b if a == 2'],
  ['bugs/internal-entrypoint', 'no function', '# METADATA\n# entrypoint: true\n_f(x) := x'],
  ['bugs/internal-entrypoint', 'all parts', '# METADATA\n# entrypoint: true\na.«_b»[«"_c"»] := 1'],
  ['bugs/invalid-metadata-attribute', 'words', '# METADATA\n«# my key: 1»\n# "c": 1\n# authors:\n# - name: b\na := 1'],
  ['bugs/invalid-metadata-attribute', 'a block that begins otherwise', '# note\n# METADATA\n# b: 1\na := 1'],
  ['bugs/leaked-internal-reference', 'any ref', 'a := «input._b»\n\nb := data.p["_x-y"]\n\nc := «data.x._f»(1)'],
  ['bugs/not-equals-in-loop', 'no value', 'a := input.x[_] != 3\n\nb if $"{input.x[_] != 1}" == "c"'],
  ['bugs/not-equals-in-loop', 'a closure', 'a := [1 | input.x[_] «!=» 1]'],
  ['bugs/redundant-existence-check', 'an operand of an operand', 'a if {\n\tinput.xs\n\tcount(input.xs) > 0\n}'],
  ['bugs/redundant-existence-check', 'a ref below it in the head', 'a := input.b.c if «input.b»'],
  ['bugs/redundant-existence-check', 'a path that is not constant', 'a if {\n\tx := 1\n\tinput[x]\n\tinput[x] == 1\n}'],
  ['bugs/redundant-existence-check', 'no else and no closure', 'a := [1 | input.x; input.x == 1]'],
  ['bugs/redundant-existence-check', 'a called function', 'a if {\n\t«data.b»\n\tdata.b.f(1)\n}'],
  ['bugs/redundant-loop-count', 'a variable', 'a if {\n\txs := input.xs\n\tcount(xs) > 0\n\tsome x in xs\n\tx\n}'],
  ['bugs/rule-assigns-default', 'an array with elements', 'default a := [1]\n\na := [1] if input.b'],
  ['bugs/rule-assigns-default', 'an empty one', 'default a := {}\n\na := «{}» if input.b'],
  ['bugs/rule-shadows-builtin', 'longer names', 'http.a := 1\n\n«json» contains 1'],
  ['bugs/unassigned-return-value', 'in a text', 'a if $"{lower(input.x)}" == "b"'],
  ['bugs/unused-output-variable', 'one of several', 'a if {\n\tsome i\n\tinput.x[i]\n\tinput.y[_]\n}'],
  ['custom/naming-convention', 'no conventions', 'aB := 1'],
  ['idiomatic/ambiguous-scope', 'internal rules', docs('rule').replaceAll('\na if', '\n_a if')],
  ['idiomatic/custom-has-key-construct', 'an assignment', 'f(x, k) if {\n\t_ := x[k]\n}\n\n«g(x, k)» if {\n\t_ = x[k].b\n}'],
  ['idiomatic/custom-in-construct', 'an attribute', '«f(xs, x)» if xs[_].a == x'],
  ['idiomatic/equals-pattern-matching', 'a unification', 'f(x) if x = 1\n\n«g(x) if not x == 1»'],
  ['idiomatic/in-wildcard-key', 'two wildcards', 'a if some «_», _ in input'],
  ['idiomatic/prefer-set-or-object-rule', 'no loop', '«a := {x | x := input.x}»\n\nb := {x | x := input.xs[_]}'],
  ['idiomatic/prefer-set-or-object-rule', 'a default', 'default «a := {x | some x in [1]; x > 0}»'],
  ['idiomatic/single-item-in', 'some', 'a if some x «in» ["b"]'],
  ['idiomatic/superfluous-object-get', 'other values', 'a if «object.get(input, "b", {})» == input.c'],
  ['idiomatic/superfluous-object-get', 'empty ones', 'a if object.get(input, "b", []) == []\n\nc := object.get(input, "b", 1) == 2'],
  ['idiomatic/use-object-keys', 'a ref with variables', 'a := «{k | some k, _ in input[input.x]}»'],
  ['idiomatic/use-some-for-output-vars', 'the term of a closure', 'a := [input.x[«k»] | input.y]\n\nb := [k | input.x[k]]'],
  ['imports/ignored-import', 'with', 'import data.b\n\na if b with «data.b.c» as 1'],
  ['imports/import-shadows-import', 'a keyword', 'import data.keywords\nimport «future.keywords»\n\na { input.x }'],
  ['performance/defer-assignment', 'a value within a call of the head', 'a := x + 1 if {\n\t«x := input.x»\n\tinput.y == 1\n}'],
  ['performance/defer-assignment', 'a wildcard', 'a if {\n\t«_ := input.x»\n\tinput.y == 1\n}'],
  ['performance/non-loop-expression', 'one line', 'a if { some x in input.xs; input.y == 1; x.b }'],
  ['performance/non-loop-expression', 'a value of its own', 'a if {\n\tsome x in input.xs\n\ty := input.y\n\ty == x\n}'],
  ['performance/non-loop-expression', 'a wildcard in a comparison', 'a if {\n\tinput.xs[_] == 1\n\tinput.y == 1\n}'],
  ['performance/non-loop-expression', 'a closure', 'a := [x |\n\tsome x in input.xs\n\tinput.y == 1\n]'],
  ['performance/non-loop-expression', 'a key', 'a if {\n\tsome k\n\tinput.xs[k] == 1\n\t«input.y == 1»\n}'],
  ['performance/non-loop-expression', 'a walk', 'a if {\n\twalk(input, [_, v])\n\t«input.y == 1»\n\tv == 1\n}'],
  ['performance/with-outside-test-context', 'each', 'a if data.b «with» input as 1 «with» data.c as 2'],
  ['style/function-arg-return', 'calls among the operands', 'a if {\n\tlower(upper(input.x), y)\n\ty == "a"\n}'],
  ['style/messy-rule', 'a test between', 'a if input.b\n\ntest_c if a\n\n«a if input.c»'],
  ['style/pointless-reassignment', 'a wildcard', 'a if {\n\tx := 1\n\t«_ :=» x\n}'],
  ['style/prefer-snake-case', 'a variable of the head', 'a[«xY»] := 1 if some «xY» in input.b'],
  ['style/unconditional-assignment', 'keys', 'a[k] := 1 if «k :=» input.k\n\nb.c[k] := v if «v :=» input.b[k]'],
  ['testing/dubious-print-sprintf', 'the first operand', 'a if print("b", sprintf("%s", [input.c]))'],
  ['testing/todo-test', 'a function', 'todo_test_a(x) if x'],
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
  [
    'imports/prefer-package-imports',
    'a path between two packages',
    {
      'a.rego': 'package a\n\n«import» data.b.c\nimport data.b.c.d\nimport data.b\n',
      'b.rego': 'package b\n',
      'd.rego': 'package b.c.d\n',
    },
  ],
  [
    'testing/file-missing-test-suffix',
    'the whole name',
    { 'test.rego': 'package a_test\n\ntest_b if 1 == 1\n', 'b_test.rego': 'package b_test\n\ntest_b if 1 == 1\n' },
  ],
  [
    'testing/test-outside-test-package',
    'the whole path',
    { 'a.rego': 'package a.test\n\n«test_b» if 1 == 1\n', 'b.rego': 'package test\n\ntest_b if 1 == 1\n' },
  ],
] as const)('%s over two files: %s', (rule, _title, files) => expectFindings(rule, files));

test.each([
  ['style/line-length', 'a threshold alone', { 'non-breakable-word-threshold': 10 }, `# ${'ab '.repeat(30)}`],
  ['style/prefer-some-in-iteration', 'no level of nesting', { 'ignore-if-sub-attribute': false }, 'a if input.xs[_].b'],
  [
    'custom/naming-convention',
    'a head with variables',
    { conventions: [{ pattern: '^[a-z]+$', targets: ['rule'] }] },
    '«a[x] := 1» if x := input.x',
  ],
  [
    'imports/unresolved-reference',
    'globs with choices',
    { 'except-paths': ['data.{a,b}.[a-z]?'] },
    'c if data.a.xy\n\nd if «data.a.X1»\n\ne if data.b.x1',
  ],
  [
    'imports/unresolved-import',
    'a last wildcard for any path',
    { 'except-imports': ['data.a.*', 'b.*.c'] },
    'import data.a.b.c\nimport data.b.x.c\n«import» data.b.x.y.c\n«import» data.a',
  ],
  ['style/rule-length', 'a default', { 'max-rule-length': 1 }, 'default a := {\n\t"b": 1,\n}\n\n«c» if {\n\tinput.d\n}'],
  ['imports/ignored-import', 'an import of input', {}, 'import input.a\n\nb := «input.a.c»'],
] as const)('%s with options: %s', (rule, _title, options, body) =>
  // Rules over several files do not run for one.
  expectFindings(rule, { ...policy(body), 'other.rego': 'package other\n' }, options),
);

test.each([
  ['a negative number, by its sign', 'constant-condition', 'a if -1', '3:6-3:7'],
  ['the value of a head, by its sign', 'rule-assigns-default', 'default a := -1\n\na := -1 if input.b', '5:6-5:7'],
  ['parentheses, as long as with them', 'prefer-some-in-iteration', 'a if x := (input.b[_])', '3:12-3:24'],
  ['parentheses of a call', 'superfluous-object-get', 'a if (object.get(input, "b", 1)) == 2', '3:7-3:34'],
  ['parentheses over rows', 'prefer-some-in-iteration', 'a if x := (\n\tinput.b[_]\n)', '4:2-6:2'],
  ['a ref into a literal, from its last sign on', 'prefer-some-in-iteration', 'a if x := ["b"][_]', '3:11-3:15'],
  ['wide characters: as long as their bytes', 'todo-comment', 'a := "ä" # todo ä𝄞', '3:10-3:23'],
  ['wide characters in the last row', 'equals-pattern-matching', 'f(x) if {\n\tx == "ä" }', '3:1-4:13'],
  ['a range, from the start of its last node', 'sprintf-arguments-mismatch', 'a := sprintf("ä%s", [])', '3:14-3:23'],
  ['a comment of metadata: the block', 'no-whitespace-comment', '#METADATA\n# title: b\na := 1', '3:1-4:11'],
] as const)('ends as the reference counts them: %s', async (_title, rule, body, place) => {
  const { findings } = await lint([{ file: 'p/p.rego', text: `package p\n\n${body}\n` }], {
    flags: { disableAll: true, enable: [rule] },
  });
  expect(findings.map(({ row, col, end }) => `${row}:${col}-${end?.row}:${end?.col}`)).toEqual([place]);
});
