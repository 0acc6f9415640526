/** `regal new rule`: the files of a rule of one's own, to begin with. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from '../command.js';
import { CommandError, usageError } from '../exit.js';
import type { Io } from '../io.js';
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
    {
      name: 'type',
      short: 't',
      type: ['custom', 'builtin'],
      usage: "kind of the rule: your own, or one of Regal's bundle, below bundle/regal/rules",
      default: 'custom',
    },
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
    const type = flags.text('type') ?? 'custom';
    const output = flags.text('output') ?? '.';
    const isOwn = type === 'custom';
    const rules = isOwn ? ['.regal', 'rules', 'custom', 'regal', 'rules'] : ['bundle', 'regal', 'rules'];
    const folder = join(output, ...rules, category, name);
    const file = join(folder, name.replaceAll('-', '_'));
    if (existsSync(`${file}.rego`)) throw new CommandError(`${file}.rego exists: a rule of this name is there`);
    mkdirSync(folder, { recursive: true });
    const title = name.replaceAll('_', '-');
    const root = isOwn ? 'custom.regal.rules' : 'regal.rules';
    writeFile(`${file}.rego`, ruleText(packageOf(root, category, title)));
    writeFile(`${file}_test.rego`, testText(root, category, title));
    io.stdout(`Created ${type} rule ${JSON.stringify(name)} in ${folder}\n`);
    if (!isOwn) {
      const page = join(output, 'docs', 'rules', category, `${name}.md`);
      mkdirSync(dirname(page), { recursive: true });
      writeFile(page, pageText(category, title));
      io.stdout(`Created doc template for builtin rule ${JSON.stringify(name)} at ${page}\n`);
      await configure(join(output, 'bundle', 'regal', 'config', 'provided', 'data.yaml'), category, title, io);
    }
    return 0;
  },
};

/** Adds a rule to the configuration of the bundle: `regal new` runs beside it. */
async function configure(file: string, category: string, title: string, io: Pick<Io, 'stdout'>): Promise<void> {
  const { parseDocument } = await import('yaml');
  const here = join('bundle', 'regal', 'config', 'provided', 'data.yaml');
  const source = existsSync(file) ? file : here;
  if (!existsSync(source)) throw new CommandError(`open ${here}: no such file: run this in the repository of Regal`);
  const document = parseDocument(readFileSync(source, 'utf8'));
  document.setIn(['rules', category, title, 'level'], 'error');
  mkdirSync(dirname(file), { recursive: true });
  writeFile(file, String(document));
  io.stdout(`Wrote configuration update to ${file}\n`);
}

function pageText(category: string, title: string): string {
  return `# ${title}

**Summary**: What is wrong, in a few words

**Category**: ${category[0]!.toUpperCase()}${category.slice(1)}

**Avoid**

\`\`\`rego
package policy

rename_me := true
\`\`\`

**Prefer**

\`\`\`rego
package policy

allowed := true
\`\`\`

## Rationale

Why the second is better.

## Configuration Options

\`\`\`yaml
rules:
  ${category}:
    ${title}:
      # error, warning or ignore
      level: error
\`\`\`
`;
}

/** `custom.regal.rules.naming["camel-case"]`, `regal.rules.naming.short`. */
function packageOf(root: string, category: string, title: string): string {
  return `${root}.${category}${/^[a-z_]\w*$/.test(title) ? `.${title}` : `[${JSON.stringify(title)}]`}`;
}

function ruleText(path: string): string {
  return `# METADATA
# description: What is wrong, in a few words
package ${path}

import data.regal.ast
import data.regal.result

report contains violation if {
	some rule in input.rules
	ast.ref_to_string(rule.head.ref) == "rename_me"

	violation := result.fail(rego.metadata.chain(), result.location(rule.head))
}
`;
}

function testText(root: string, category: string, title: string): string {
  return `package ${packageOf(root, category, `${title}_test`)}

import data.regal.ast

import data.${packageOf(root, category, title)} as rule

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
