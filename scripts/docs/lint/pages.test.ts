import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWarnings } from '../../../compiler/warnings/find-warnings.js';
import { lint, readLintConfig } from '../../../views/lint/index.js';
import { rules } from '../../../views/lint/rules/table.js';
import { filesOf } from './guide/example.js';
import { guideOf, guides, lintPages } from './pages.js';

test('the pages are what `npm run lint-pages` writes', () => {
  for (const [path, text] of lintPages()) expect(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8'), path).toBe(text);
});

test('there are 108 rules of Regal, each has a guide, and there are no other guides', () => {
  const named = Object.entries(guides).flatMap(([category, guide]) => Object.keys(guide).map((name) => `${category}/${name}`));
  expect(named.sort()).toEqual(rules.map(({ category, name }) => `${category}/${name}`).sort());
  expect(rules.filter(({ category }) => category !== 'writ')).toHaveLength(108);
});

/** How often a rule finds something in an example. */
async function count(rule: (typeof rules)[number], text: string): Promise<number> {
  const { file, options } = guideOf(rule);
  const { category, name } = rule;
  const others = rules.filter((other) => other.category === category && other.name !== name);
  const sources = Object.entries(filesOf(text, file)).map(([path, content]) => ({ file: path, text: content }));
  const config = options && readLintConfig({ rules: { [category]: { [name]: options } } });
  const { findings } = await lint(sources, {
    ...(config && { config }),
    // A rule of another category may have the same name.
    flags: { disableAll: true, enableCategory: [category], disable: others.map((other) => other.name) },
    findWarnings: (compiled) => findWarnings(compiled, { isLint: true }),
  });
  return findings.length;
}

test.each(rules)('$category/$name finds something in its bad example, and nothing in the good one', async (rule) => {
  const { bad, good } = guideOf(rule);
  expect(await count(rule, bad)).toBeGreaterThan(0);
  expect(await count(rule, good)).toBe(0);
});
