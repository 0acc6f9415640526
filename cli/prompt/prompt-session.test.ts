import { expect, test } from 'vitest';
import { emptyBundle } from '../../engine/bundle/bundle.js';
import type { PlainObject } from '../../values/value.js';
import { PromptSession } from './prompt-session.js';

async function session(lines: readonly string[], data: PlainObject = {}) {
  const printed: string[] = [];
  const io = {
    stdin: () => new Uint8Array(),
    stdout: (text: string) => void printed.push(text),
    stderr: (text: string) => void printed.push(text),
    env: {},
    color: false,
  };
  const bundle = { ...emptyBundle, data };
  const prompt = new PromptSession({ bundle, bundles: [], loose: undefined }, io, 'pretty', 'v1');
  const prompts: string[] = [];
  let continues = true;
  for (const line of lines) {
    prompts.push(prompt.prompt);
    continues = await prompt.line(line);
  }
  return { printed, prompts, continues };
}

test.each([
  ['a query that is one value shows it', ['1 + 1'], ['2\n']],
  ['an undefined query says so', ['data.nosuch'], ['undefined\n']],
  [
    'a rule that assigns is defined again',
    ['x := 1', 'x := 2', 'x'],
    [expect.stringContaining("'x' defined"), expect.stringContaining("'x' re-defined"), '2\n'],
  ],
  ['rules of one set are added up', ['s contains 1', 's contains 2', 'count(s)'], [expect.anything(), expect.anything(), '2\n']],
  ['a removed rule is undefined', ['x := 1', 'unset x', 'data.repl.x'], [expect.anything(), 'undefined\n']],
  [
    'trace shows how a query is evaluated, until it is turned off',
    ['trace', 'x = 1', 'trace', 'data.nosuch'],
    [expect.stringMatching(/^query:1 {5}Enter x = 1\nquery:1 {5}\| Eval x = 1\n/), expect.stringContaining('x'), 'undefined\n'],
  ],
  ['notes shows notes alone', ['notes', 'trace("why")'], ['query:1     Enter trace("why", _)\nquery:1     | Note "why"\n', 'true\n']],
  ['imports apply to later lines', ['import data.a.b', 'b'], ['7\n']],
  [
    'rules belong to the package',
    ['package other.pkg', 'y := 1', 'package repl', 'data.other.pkg.y'],
    [expect.stringContaining('package other.pkg'), '1\n'],
  ],
  ['the document at data.repl.input is the input', ['input.user'], ['"al"\n']],
])('%s', async (_title, lines, expected) => {
  expect((await session(lines, { a: { b: 7 }, repl: { input: { user: 'al' } } })).printed).toEqual(expected);
});

test.each([
  ['of one keyword', ['import future.keywords.or', 'p if false or true', 'p or q'], [expect.stringContaining("'p' defined"), 'true\n']],
  [
    'of all keywords',
    ['import future.keywords', 'p if true and not false', 'false and p', 'p and p'],
    [expect.anything(), 'undefined\n', 'true\n'],
  ],
  [
    'with lines that end in the operator',
    ['import future.keywords.or', 'p if false or', 'true', 'false or', 'p'],
    [expect.anything(), 'true\n'],
  ],
])('an import %s makes the words operators', async (_title, lines, expected) => {
  expect((await session(['q := 1', ...lines])).printed.slice(1)).toEqual(expected);
});

test('a line with an open bracket continues on the next line, until an empty line', async () => {
  const { printed, prompts } = await session(['sum([1,', '2])', 'sum([1,', '']);
  expect(prompts).toEqual(['> ', '| ', '> ', '| ']);
  expect(printed[0]).toBe('3\n');
  expect(printed[1]).toContain('rego_parse_error');
});

test.each([
  ['allow if {', '\tinput.user == "al"', '}'],
  ['f(x) := y if {', 'y := x + 1', '}'],
  ['s contains x if {', 'some x in [1,', '2]', '}'],
  ['p := {', '"a": 1,', '}'],
  ['default allow := [', '1]'],
  ['p if true ==', 'true'],
])('a rule continues on the next line: %s', async (...lines) => {
  const { printed, prompts } = await session(lines);
  expect(prompts).toEqual(['> ', ...lines.slice(1).map(() => '| ')]);
  expect(printed).toEqual([expect.stringContaining('defined in package repl')]);
});

test('an unfinished rule is reported after an empty line', async () => {
  const { printed, prompts } = await session(['allow if {', '', '1']);
  expect(prompts).toEqual(['> ', '| ', '> ']);
  expect(printed).toEqual([expect.stringContaining('rego_parse_error'), '1\n']);
});

test('a rule that does not compile is not kept', async () => {
  const { printed } = await session(['x := nosuch(1)', 'show']);
  expect(printed[0]).toContain('undefined function nosuch');
  expect(printed[1]).toBe('package repl\n');
});

test.each(['exit', 'quit'])('%s ends it', async (word) => {
  expect((await session(['1', word])).continues).toBe(false);
});
