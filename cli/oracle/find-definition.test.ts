import { expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';
import { findDefinition } from './find-definition.js';

const lib = 'package lib.text\n\nf(x) := lower(x)\n\nf(x) := x if is_number(x)\n\nnames[x].y := 1 if some x in input.xs\n';

/** In the text, the cursor stands before `^`, and the definition begins at `«`. */
function definitionIn(marked: string) {
  const text = marked.replaceAll(/[«^]/g, '');
  const module = parseModule('p.rego', text);
  const modules = [module, parseModule('lib.rego', lib)];
  return { found: findDefinition(modules, module, marked.replace('«', '').indexOf('^')), start: marked.replace('^', '').indexOf('«') };
}

test.each([
  ['a rule of the module', 'p if ^q\n\n«q := 1\n\nq := 2'],
  ['a rule that is called', 'p := ^f(1)\n\n«f(x) := x'],
  ['a rule by its full path', 'p if data.p.^q\n\n«q := 1'],
  ['a rule below which a path leads', 'p if data.p.q.^r.s\n\n«q := {}'],
  ['a rule of several parts', 'p if q.^r\n\n«q.r.s := 1'],
  ['a head', '«p := 1\n\n^p := 2'],
  ['the module, by the path of its package', 'p if data.^p', 0],
  ['a parameter', 'f(«x) := y if y := ^x'],
  ['a declared variable', 'p if { some «x; input.y[^x] }'],
  ['a variable of some … in', 'p if { some k, «v in input.y; ^v > 1; k }'],
  ['an assigned variable', 'p := ^x if «x := 1'],
  ['a variable of every', 'p if every «x in input.y { ^x > 1 }'],
  ['a variable of a comprehension', 'p := [^x | some «x in input.xs] if { x := 1; x }'],
  ['a variable that hides a rule', 'p := ^q if «q := 1\n\nq := 2'],
  ['a variable that nothing declares', 'p[«x] if input.y[^x]'],
  ['a variable of an else', 'p := 1 if input.a else := ^y if «y := 2'],
  ['a rule in a template', 'p := $"{^q}"\n\n«q := 1'],
  ['a rule in with', 'p if input.x with input.x as ^q\n\n«q := 1'],
  ['an import of the input', '«import input.a\n\np := ^a.b'],
] as const)('finds %s', (_title, body, start = undefined) => {
  const { found, start: marked } = definitionIn(`package p\n\n${body}\n`);
  expect(found).toMatchObject({ source: { file: 'p.rego' }, start: start ?? marked });
});

test.each([
  ['a function of an import', 'import data.lib.text\n\np := text.^f(1)', 3],
  ['an import', 'import data.lib.text.^f', 3],
  ['a function under another name', 'import data.lib.text.f as g\n\np := ^g(1)', 3],
  ['a rule with a variable in its head', 'p := data.lib.text.names.^a.y', 7],
  ['a package', 'import data.lib.^text', 1],
  ['a package above', 'import data.^lib', 1],
])('finds %s in another module', (_title, body, row) => {
  expect(definitionIn(`package p\n\n${body}\n`).found).toMatchObject({ source: { file: 'lib.rego' }, row });
});

test.each([
  ['a built-in', 'p := ^count(input)', 'oracle_no_definition_found'],
  ['the input', 'p := ^input.x', 'oracle_no_definition_found'],
  ['a document', 'p := data.other.^x', 'oracle_no_definition_found'],
  ['a string', 'p := "^x"', 'oracle_no_match_found'],
  ['a blank line', 'p := 1\n^', 'oracle_no_match_found'],
])('%s has none', (_title, body, miss) => {
  expect(definitionIn(`package p\n\n${body}\n`).found).toBe(miss);
});

test('the command reads bundles, counts bytes, and writes JSON', async () => {
  await withFiles({ 'b/lib.rego': lib, 'b/p.rego': 'package p\n\n# é\nq := data.lib.text.f(1)\n' }, async (directory) => {
    const at = (place: string, ...flags: string[]) =>
      runCommand('oracle', 'find-definition', '-b', `${directory}/b`, ...flags, `${directory}/b/${place}`);
    const result = (file: string, row: number) => ({
      exit: 0,
      stdout: `{
  "result": {
    "file": "${directory}/b/${file}",
    "row": ${row},
    "col": 1
  }
}
`,
    });
    expect(await at('p.rego:35')).toMatchObject(result('lib.rego', 3));
    expect(await at('p.rego:0x10')).toMatchObject(result('p.rego', 4));
    expect(await at('p.rego:11')).toMatchObject({ exit: 0, stdout: '{\n  "error": {\n    "code": "oracle_no_match_found"\n  }\n}\n' });
    expect(await at('p.rego')).toMatchObject({ exit: 1, stderr: expect.stringContaining('it has the form <filename>:<offset>') });
    expect(await at('none.rego:1')).toMatchObject({ exit: 1, stderr: expect.stringContaining('no such file or directory') });
  });
});

test.each([
  ['no policy', '{}', 'package expected', { row: 1, col: 1 }],
  ['a policy that is not finished', 'package a\n\nallow if {', 'unexpected eof token', { row: 3, col: 10 }],
  ['nothing', '', 'empty module', { row: 0, col: 0 }],
])('the errors of %s are JSON, too: an editor asks while its author types', async (_title, text, message, place) => {
  const buffer = { stdin: () => new TextEncoder().encode(text) };
  const args = ['oracle', 'find-definition', '--stdin-buffer', 'x.rego:3'];
  const { exit, stdout, stderr } = await runWith(buffer, args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const location = { file: 'x.rego', ...place };
  expect(JSON.parse(stdout)).toEqual({
    error: [expect.objectContaining({ code: 'rego_parse_error', message: expect.stringContaining(message), location })],
  });
});
