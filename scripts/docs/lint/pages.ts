/** The pages of the linter's rules, from the table of rules and the guide. */

import { warningTable } from '../../../compiler/diagnostics/warning-table.js';
import { rules } from '../../../views/lint/rules/table.js';
import { bugs } from './guide/bugs.js';
import { filesOf, type RuleGuide } from './guide/example.js';
import { idiomatic } from './guide/idiomatic.js';
import { imports } from './guide/imports.js';
import { custom, performance, testing } from './guide/others.js';
import { style } from './guide/style.js';
import { writ } from './guide/writ.js';

type LintRule = (typeof rules)[number];

/** All guides, by category and name. */
export const guides = { bugs, custom, idiomatic, imports, performance, style, testing, writ };

/** The folder of the pages. */
export const pagesFolder = 'docs/lint';

/** The pages by path: one for each rule, and the list of all. */
export function lintPages(): ReadonlyMap<string, string> {
  const pages = rules.map(
    (rule) => [`${pagesFolder}/${rule.category}/${rule.name}.md`, rulePage(rule, guideOf(rule))] as const,
  );
  return new Map([...pages, [`${pagesFolder}/rules.md`, listPage()]]);
}

/** The warnings that the compiler tells without the linter. */
const checked = new Set(Object.values(warningTable).flatMap((row) => (row.isOnlyLinted ? [] : [row.code])));

export function guideOf({ category, name }: LintRule): RuleGuide {
  const guide = guides[category][name];
  if (guide === undefined) throw new Error(`the rule ${category}/${name} has no guide`);
  return guide;
}

function rulePage(rule: LintRule, { why, bad, good, options, file }: RuleGuide): string {
  const { name, category, finds } = rule;
  const facts = [
    `Category \`${category}\``,
    rule.isOff ? 'off unless it is enabled' : rule.level === undefined ? 'on' : 'on as a warning',
    ...(checked.has(rule.name) && category === 'writ' ? ['`writ check` tells it too'] : []),
    ...(rule.isFixable ? ['`writ fix` fixes it'] : []),
    ...(rule.conclude && !rule.visit ? ['runs if there are several files'] : []),
  ];
  return `# ${name}

${finds}.

${why}

${facts.join(', ')}.

## Avoid
${block(filesOf(bad, file))}
## Write
${block(filesOf(good, file))}${optionsText(rule, options)}
[All rules](../rules.md)
`;
}

function block(files: Readonly<Record<string, string>>): string {
  const several = Object.keys(files).length > 1;
  const texts = Object.entries(files).map(([path, text]) =>
    several || path.includes('other/') ? `# ${path}\n${text}` : text,
  );
  return `\`\`\`rego\n${texts.join('\n')}\`\`\`\n`;
}

/** The options with their defaults; those that the examples need, with the default beside them. */
function optionsText({ category, name, options: defaults = {} }: LintRule, given: RuleGuide['options'] = {}): string {
  const entries = Object.entries({ ...defaults, ...given });
  if (entries.length === 0) return '';
  const lines = entries.map(([key, value]) => {
    const note = key in given ? ` # as in the examples; by default ${JSON.stringify(defaults[key])}` : '';
    return `      ${key}: ${JSON.stringify(value)}${note}\n`;
  });
  return `\n## Options\n\`\`\`yaml\nrules:\n  ${category}:\n    ${name}:\n${lines.join('')}\`\`\`\n`;
}

function listPage(): string {
  const sections = [...Map.groupBy(rules, ({ category }) => category)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, list]) => {
      const rows = list
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(
          ({ name, finds, isOff, isFixable }) =>
            `| [${name}](${category}/${name}.md) | ${finds.replaceAll('|', '\\|')} | ${[isOff ? 'off' : '', isFixable ? 'fix' : ''].filter(Boolean).join(', ')} |\n`,
        );
      return `## ${category}\n| rule | finds | |\n|---|---|---|\n${rows.join('')}`;
    });
  return `# Rules of the linter\n\nRules marked \`off\` run only if they are enabled. Those marked \`fix\` have a fix ([lint.md](../lint.md#fixes)).\n\n${sections.join('\n')}`;
}
