import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const rule = (name: string, body: string): string => `# METADATA
# description: Own words about ${name}
package custom.regal.rules.dock["${name}"]

import data.regal.ast
import data.regal.config
import data.regal.result

${body}
`;

async function found(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string[]> {
  return withFiles(files, async (directory) => {
    const { stdout, stderr } = await runCommand('lint', '-D', '--enable-category', 'dock', '-f', 'json', ...args, `${directory}/p`);
    if (!stdout.includes('"violations"')) return [stderr];
    const { violations } = JSON.parse(stdout) as { violations: { title: string; location: { row: number; col: number } }[] };
    return violations.map(({ title, location: { row, col } }) => `${title} ${row}:${col}`);
  });
}

test.each([
  ['names of refs', 'ast.ref_to_string(rule.head.ref) == "a.b[\\"c d\\"]"', ['x 3:1']],
  ['the constant part of a ref', 'ast.ref_static_to_string(rule.head.ref) == "m"', ['x 5:1']],
  ['options', 'count(ast.ref_to_string(rule.head.ref)) == config.rules.dock.x.length', ['x 3:1']],
  ['other built-ins', 'regal.last(rule.head.ref).value == "long"', ['x 7:1']],
  ['texts that are parsed', 'rule.head.ref[0].value == ast.policy("long := 1").rules[0].head.ref[0].value', ['x 7:1']],
])('rules read %s', async (_title, condition, wanted) => {
  const body = `report contains violation if {\n\tsome rule in input.rules\n\t${condition}\n\tviolation := result.fail(rego.metadata.chain(), result.location(rule.head))\n}`;
  const files = {
    '.regal/rules/x.rego': rule('x', body),
    '.regal/config.yaml': 'rules:\n  dock:\n    x:\n      level: error\n      length: 10\n',
    'p/p.rego': 'package p\n\na.b["c d"] := 1\n\nm[k] := 2 if some k in input.x\n\nlong := 3\n',
  };
  expect(await found(files)).toEqual(wanted);
});

test('a comment ignores a rule of the user', async () => {
  const body =
    'report contains violation if {\n\tsome rule in input.rules\n\tviolation := result.fail(rego.metadata.chain(), result.location(rule.head))\n}';
  const files = { '.regal/rules/x.rego': rule('x', body), 'p/p.rego': 'package p\n\n# regal ignore:x\na := 1\n\nb := 2\n' };
  expect(await found(files)).toEqual(['x 6:1']);
});

test('a rule that does not compile is named with its file and line', async () => {
  const files = { '.regal/rules/x.rego': rule('x', 'report contains x if y'), 'p/p.rego': 'package p\n' };
  expect((await found(files)).join('')).toMatch(/\.regal\/rules\/x\.rego:9/);
});

/** A policy with variables of each kind. */
const variables =
  'package p\n\nf(a) if a == 1\n\nq if {\n\tsome b\n\tinput.x[b]\n\tsome c in input.y\n\tevery d in c { d > 0 }\n\te := input.z[g]\n\tnot startswith(e, "x")\n}\n';

test.each([
  [
    'calls of functions',
    'some call in ast.function_calls[_]\n\tcall.name == "startswith"\n\tcount(call.args) == 2\n\tnode := call',
    ['x 11:6'],
  ],
  ['parameters', 'some node in ast.found.vars[_].args', ['x 3:3']],
  ['declared variables', 'some node in ast.found.vars[_].some', ['x 6:7']],
  ['variables of loops', 'some node in ast.found.vars[_].somein', ['x 8:7']],
  ['variables of every', 'some node in ast.found.vars[_].every', ['x 9:8']],
  ['assigned variables', 'some node in ast.found.vars[_].assign', ['x 10:2']],
  ['variables in refs', 'some node in ast.found.vars[_].ref\n\tnode.value == "g"', ['x 10:15']],
  ['negated expressions', 'some node in ast.negated_expressions[_]', ['x 11:2']],
  [
    'refs of rules by index',
    'some i, rule in input.rules\n\tsome node in ast.found.refs[ast.rule_index_strings[i]]\n\tast.ref_to_string(node.value) == "startswith"',
    ['x 11:6'],
  ],
  ['namespaces of built-ins', '"startswith" in ast.builtin_namespaces\n\tnode := input.package', ['x 1:1']],
  [
    'constants',
    'some call in ast.function_calls[_]\n\tsome node in call.args\n\tast.is_constant(node)\n\tnode.type == "string"',
    ['x 11:20'],
  ],
])('rules read %s of the library', async (_title, condition, wanted) => {
  const body = `report contains violation if {\n\t${condition}\n\tviolation := result.fail(rego.metadata.chain(), result.location(node))\n}`;
  expect(await found({ '.regal/rules/x.rego': rule('x', body), 'p/p.rego': variables })).toEqual(wanted);
});

test('rules read their level and options by name, and report with it', async () => {
  const body =
    'cfg := config.for_rule("dock", "x")\n\nreport contains violation if {\n\tcfg.level == "warning"\n\tsome r in input.rules\n\tcount(ast.name(r)) < cfg.min\n\tviolation := result.fail(rego.metadata.chain(), result.location(r.head))\n}';
  const files = {
    '.regal/rules/x.rego': `# METADATA\n# schemas:\n#   - input: schema.regal.ast\n${rule('x', body)}`.replace(
      '# METADATA\n# description',
      '# description',
    ),
    '.regal/config.yaml': 'rules:\n  dock:\n    x:\n      level: warning\n      min: 3\n',
    'p/p.rego': 'package p\n\nab := 1\n\nabc := 1\n',
  };
  await withFiles(files, async (directory) => {
    const { exit, stdout } = await runCommand('lint', '--disable-category', 'idiomatic', '-f', 'json', `${directory}/p`);
    const { violations } = JSON.parse(stdout) as { violations: { title: string; level: string }[] };
    expect({ exit, violations: violations.map(({ title, level }) => `${title} ${level}`) }).toEqual({ exit: 0, violations: ['x warning'] });
  });
});

test.each([
  ['a text', 'report contains "text"'],
  ['no set', 'report := 5'],
])('a rule that reports %s is named with its file and line', async (_title, body) => {
  const files = { '.regal/rules/x.rego': rule('x', body), 'p/p.rego': 'package p\n' };
  expect((await found(files)).join('')).toMatch(/\.regal\/rules\/x\.rego:9: `report` of the rule dock\/x must be a set of violations/);
});

test('an option of another type is named with its file and line', async () => {
  const config = 'rules:\n  style:\n    line-length:\n      max-line-length: long\n';
  await withFiles({ '.regal/config.yaml': config, 'p/p.rego': 'package p\n' }, async (directory) => {
    const { exit, stderr } = await runCommand('lint', `${directory}/p`);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/\.regal\/config\.yaml:4: rules\.style\.line-length\.max-line-length must be a number\n$/);
  });
});

test.each([
  [[], 'PASS: 1/3\nFAIL: 1/3\nSKIPPED: 1/3\n', 2],
  [['--verbose', '--run', 'test_good'], 't.rego:5:\ndata.t.test_good: PASS', 0],
  [['-r', 'todo_', '-z'], 'SKIPPED: 1/1\n', 0],
  [['-f', 'tap'], 'not ok 2 - data.t.test_bad', 2],
  [['--var-values'], 'x == 2\n    \t|\n    \t1\n', 2],
  [['-v', '-r', 'bad'], 'FAILURES\n', 2],
  [[], '\n  read 1\n', 2],
  [['--threshold', '90', '-r', 'good'], 'Code coverage threshold not met', 2],
  [['--coverage', '-r', 'good'], '"t.rego": {', 0],
  [['--coffee'], 'unknown flag: --coffee', 1],
] as const)('regal test %j runs tests as writ does', async (args, wanted, code) => {
  const text =
    'package t\n\nimport data.regal.ast\n\ntest_good if ast.policy("a := 1").rules\n\ntest_bad if {\n\tx := 1\n\tprint("read", x)\n\tx == 2\n}\n\ntodo_test_x if false\n';
  await withFiles({ 't.rego': text }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand('regal', 'test', ...args, directory);
    expect({ exit, text: (stdout + stderr).replaceAll(`${directory}/`, '') }).toEqual({
      exit: code,
      text: expect.stringContaining(wanted),
    });
  });
});

test.each([
  ['ast.named_refs(rule.head.ref)[0].value == "m"', ['x 5:1']],
  ['ast.rule_names_ordered[3] == "f"; rule.head.args', ['x 9:1']],
  ['ast.resolved_imports.z == ["data", "y"]; rule.head.ref[0].value == "long"', ['x 7:1']],
  ['some v in ast.find_vars(rule); v.value == "k"', ['x 5:1']],
  ['ast.var_in_head(rule.head, "k")', ['x 5:1']],
  ['"f" in ast.all_function_names; "http" in ast.all_function_namespaces; ast.function_arg_names(rule) == ["q"]', ['x 9:1']],
  ['some v in ast.found.vars[ast.rule_index_strings[1]].ref; ast.is_output_var(rule, v); rule.head.ref[0].value == "m"', []],
  ['some e in rule.body; [l, r] := ast.assignment_terms(e.terms); l.value == "k"', ['x 5:1']],
  ['util.to_location_object(rule.location).text == "long := 1"', ['x 7:1']],
  ['util.longest_prefix({["a", "b", "c"], ["a", "b", "d"]}) == ["a", "b"]; util.rest([1, 2]) == [2]; rule.head.args', ['x 9:1']],
  ['util.all_paths(["a", "b"]) == [["a"], ["a", "b"]]; util.last_indexof([1, 2, 1], 1) == 2; rule.head.args', ['x 9:1']],
  ['ast.comments_decoded[0].text == "# note"; rule.head.args', ['x 9:1']],
  ['ast.with_rego_v0("a { true }").regal.file.rego_version == "v0"; rule.head.args', ['x 9:1']],
  ['[[c]] := ast.comments.blocks; c.location.row == 6; c.text == "# note"; rule.head.args', ['x 9:1']],
  ['ast.comments.annotation_match("# title: x"); not ast.comments.annotation_match("# to: x"); rule.head.args', ['x 9:1']],
  ['"scope" in ast.comments.metadata_attributes; ast.ignore_directives == {}; rule.head.args', ['x 9:1']],
  ['ast.imports_has_path(input.imports, ["data", "y"]); ast.imports_keyword(input.imports, "in"); rule.head.args', ['x 9:1']],
  ['some word in ast.keywords[5]; word.name == "if"; word.location.col == 11; rule.head.args', ['x 9:1']],
  ['ast.keywords[1] == {{"name": "package", "location": {"row": 1, "col": 1}}}; rule.head.args', ['x 9:1']],
  ['count(ast.all_functions["http.send"].decl.args) == 1; ast.all_functions.f; rule.head.args', ['x 9:1']],
  ['ast.function_ret_in_args("count", [1, 2, 3]); ast.function_ret_args("count", [1, 2, 3]) == [3]; rule.head.args', ['x 9:1']],
  ['ast.extend_ref_terms([{"value": "a"}], [{"value": "b", "type": "var"}])[1].type == "string"; rule.head.args', ['x 9:1']],
  ['util.has_duplicates([1, 2, 1], 1); util.repeat("ab", 2) == "abab"; util.parse_bool("TRUE"); rule.head.args', ['x 9:1']],
  ['util.with_source_files("d/x", [7]) == {"p1.rego": {"d/x": 7}}; rule.head.args', ['x 9:1']],
  ['result.location_and_description(rule.head, "own").description == "own"; rule.head.args', ['x 9:1']],
  ['result.location(rule.head.ref).location.row == 7', ['x 7:1']],
  [
    'terms := [{"location": "9:9:9:10"}, {"location": "9:7:9:8"}]; result.infix_expr_location(terms).location.end.col == 10; rule.head.args',
    ['x 9:1'],
  ],
  ['capabilities.has_if; capabilities.is_opa_v1; capabilities.provided.builtins.count; rule.head.args', ['x 9:1']],
  ['config.rules.style["line-length"]["max-line-length"] == 120; rule.head.args', ['x 9:1']],
  [
    'config.level_for_rule("dock", "x") == "error"; not config.ignored_rule("dock", "x"); config.user_config == {}; rule.head.args',
    ['x 9:1'],
  ],
])('rules have of the library: %s', async (condition, wanted) => {
  const body = `import data.regal.capabilities\nimport data.regal.util\n\nreport contains violation if {\n\tsome rule in input.rules\n\t${condition}\n\tviolation := result.fail(rego.metadata.chain(), result.location(rule.head))\n}`;
  const text = 'package p\nimport data.y as z\na.b["c d"] := 1\n\nm[k] := 2 if k := input.k\n# note\nlong := 1\n\nf(q) := q + z\n';
  expect(await found({ 'p/p.rego': text, '.regal/rules/x.rego': rule('x', body) })).toEqual(wanted);
});

test('an aggregate of nothing is reported, and comments ignore what is found in a file', async () => {
  const body = (condition: string, details: string) =>
    `aggregate contains result.aggregate(rego.metadata.chain(), {"at": result.location(r.head)}) if {\n\tsome r in input.rules\n\tr.head.ref[0].value == "a"\n}\n\naggregate_report contains violation if {\n\t${condition}\n\tviolation := result.fail(rego.metadata.chain(), ${details})\n}`;
  const files = {
    '.regal/rules/x.rego': rule('x', body('count(input.aggregate) == 0', '{"message": "none"}')),
    '.regal/rules/y.rego': rule(
      'y',
      body('some entry in input.aggregate\n\tendswith(entry.aggregate_source.file, ".rego")', 'entry.aggregate_data.at'),
    ),
    'p/p.rego': 'package p\n\nb := 1\n',
    'p/q.rego': 'package p\n\nc := 1\n',
  };
  expect(await found(files)).toEqual(['x 0:0']);
  const [first, second] = ['package p\n\n# regal ignore:y\na := 1\n', 'package q\n\na := 1\n'];
  expect(await found({ ...files, 'p/p.rego': first, 'p/q.rego': second })).toEqual(['y 3:1']);
});

test('annotations of rules name the schema of the tree: what it does not have is an error', async () => {
  const text = `# METADATA\n# description: x\n# schemas:\n# - input: schema.regal.ast\npackage custom.regal.rules.dock.x\n\nreport contains {} if input.rules[_].head.name == "a"\n`;
  const files = { '.regal/rules/x.rego': text, 'p/p.rego': 'package p\n' };
  expect((await found(files)).join('')).toMatch(/x\.rego:7: rego_type_error: undefined ref: input\.rules\[_\]\.head\.name/);
});

/** A bundle with packages of the linter's own names: its words are those of no other. */
const bundle = {
  'b/regal/config/config.rego': `package regal.config

merged := data.internal.combined_config

for_rule(category, name) := merged.rules[category][name]

words := data.regal.config.provided.words
`,
  'b/regal/config/provided/data.yaml': 'words: [later]\n',
  'b/regal/result/result.rego': `package regal.result

import data.regal.config

fail(chain, location) := violation if {
	some link in chain
	link.annotations.scope == "package"
	[category, title] := array.slice(link.path, 2, 4)
	level := config.for_rule(category, title).level
	violation := {"category": category, "title": title, "level": level, "description": "own words", "location": location}
}
`,
  'b/regal/rules/style/todo.rego': `# METADATA
# description: own words
package regal.rules.style["todo-comment"]

import data.regal.config
import data.regal.result

report contains violation if {
	some i, line in input.regal.file.lines
	contains(line, config.words[_])
	violation := result.fail(rego.metadata.chain(), {"file": input.regal.file.name, "row": i + 1, "col": 1})
}

aggregate contains {"file": input.regal.file.name}

aggregate_report contains violation if {
	files := {entry.file | some entry in input.aggregates_internal[_]["style/todo-comment"]}
	count(files) == count(input.aggregate)
	violation := result.fail(rego.metadata.chain(), {"file": "all", "row": count(files), "col": 1})
}
`,
};

test('rules of such a bundle may stand alone', async () => {
  const text = `# METADATA
# description: own words
package regal.rules.style["todo-comment"]

import data.regal.result

report contains violation if {
	some i, line in input.regal.file.lines
	contains(line, "later")
	violation := result.fail(rego.metadata.chain(), {"location": {"file": "x", "row": i + 1, "col": 1}})
}
`;
  await withFiles({ 'b/todo.rego': text, 'p/p.rego': 'package p\n\n# later\na := 1\n' }, async (directory) => {
    const args = ['lint', '-D', '--enable', 'todo-comment', '-f', 'json', '--rules', `${directory}/b`];
    const { violations } = JSON.parse((await runCommand(...args, `${directory}/p`)).stdout) as { violations: object[] };
    expect(violations).toMatchObject([{ title: 'todo-comment', category: 'style', level: 'error', description: 'own words' }]);
  });
});

test('a bundle of the linter is given as a folder: its rules and packages stand in the place of ours', async () => {
  const files = {
    ...bundle,
    '.regal/config.yaml': 'rules:\n  style:\n    todo-comment:\n      level: warning\n',
    'p/p.rego': 'package p\n\n# later\n# todo: now\na := 1\n',
    'p/q.rego': 'package p\n\nb := 1\n',
  };
  await withFiles(files, async (directory) => {
    const args = ['lint', '-D', '--enable', 'line-length', '-f', 'json', '--rules', `${directory}/b`];
    const without = await runCommand(...args, `${directory}/p`);
    expect(JSON.parse(without.stdout)).toMatchObject({ violations: [] });
    const { stdout } = await runCommand(...args, '--enable', 'todo-comment', `${directory}/p`);
    const { violations } = JSON.parse(stdout) as {
      violations: { title: string; level: string; location: { file: string; row: number } }[];
    };
    const found = violations.map(
      ({ title, level, location: { file, row } }) => `${title} ${level} ${file.replace(`${directory}/`, '')}:${row}`,
    );
    expect(found.sort()).toEqual(['todo-comment warning all:2', 'todo-comment warning p/p.rego:3']);
  });
});
