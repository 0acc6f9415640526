/** `regal new rule`: the files of a rule of one's own, to begin with. */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../command.js';
import { CommandError, usageError } from '../exit.js';
import { writeFile } from '../output/write-file.js';

export const regalNewCommand: Command = {
  name: 'new',
  use: 'rule',
  long: `Writes a rule of your own and its test below .regal/rules, to begin with.

The rule finds rules with the name rename_me: what it looks for is yours to write.`,
  examples: [
    ['Begin a rule of the category naming', 'regal new rule --category naming --name camel-case'],
    ['Run its test', 'regal test .regal/rules'],
  ],
  flags: [
    { name: 'type', short: 't', type: ['custom'], usage: 'kind of the rule', default: 'custom' },
    { name: 'category', short: 'c', type: 'string', usage: 'category of the rule, a word of small letters' },
    { name: 'name', short: 'n', type: 'string', usage: 'name of the rule' },
    { name: 'output', short: 'o', type: 'string', usage: 'directory with .regal (default: that of the process)' },
  ],
  arguments: ['rule'],
  async run({ flags, positionals }, io) {
    if (positionals.length !== 1 || positionals[0] !== 'rule') throw usageError('new makes one thing: a rule');
    const category = flags.text('category') ?? '';
    const name = flags.text('name') ?? '';
    if (!/^[a-z]+$/.test(category)) throw usageError('--category must be a word of small letters');
    if (!/^[a-z_][a-z0-9_-]*$/.test(name))
      throw usageError('--name must begin with a small letter, and have small letters, digits, _ and - only');
    const folder = join(flags.text('output') ?? '.', '.regal', 'rules', 'custom', 'regal', 'rules', category, name);
    const file = join(folder, name.replaceAll('-', '_'));
    if (existsSync(`${file}.rego`)) throw new CommandError(`${file}.rego exists: a rule of this name is there`);
    mkdirSync(folder, { recursive: true });
    const title = name.replaceAll('_', '-');
    writeFile(`${file}.rego`, ruleText(category, title));
    writeFile(`${file}_test.rego`, testText(category, title));
    io.stdout(`Created custom rule ${JSON.stringify(name)} in ${folder}\n`);
    return 0;
  },
};

/** `naming["camel-case"]`, `naming.short`. */
function packageOf(category: string, title: string): string {
  return `custom.regal.rules.${category}${/^[a-z_]\w*$/.test(title) ? `.${title}` : `[${JSON.stringify(title)}]`}`;
}

function ruleText(category: string, title: string): string {
  return `# METADATA
# description: What is wrong, in a few words
package ${packageOf(category, title)}

import data.regal.ast
import data.regal.result

report contains violation if {
	some rule in input.rules
	ast.ref_to_string(rule.head.ref) == "rename_me"

	violation := result.fail(rego.metadata.chain(), result.location(rule.head))
}
`;
}

function testText(category: string, title: string): string {
  return `package ${packageOf(category, `${title}_test`)}

import data.regal.ast

import data.${packageOf(category, title)} as rule

test_finding if {
	found := rule.report with input as ast.policy("rename_me := true")

	{violation.location.row | some violation in found} == {3}
}

test_no_finding if {
	found := rule.report with input as ast.policy("allowed := true")

	found == set()
}
`;
}
