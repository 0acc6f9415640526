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
