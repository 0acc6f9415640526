import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
const dependencies = Object.keys(manifest.devDependencies);

/** The packages in a section's table. */
function rows(section: string): readonly string[] {
  const [, body = ''] = text.split(`\n## ${section}\n`);
  return [...body.split('\n## ')[0]!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!).sort();
}

test('docs/dependencies.md has a line for each dependency, and for no other', () => {
  const named = dependencies.map((name) => (name.startsWith('@types/') ? '@types/*' : name));
  expect([...rows('Bundled'), ...rows('For development')].sort()).toEqual([...new Set(named)].sort());
});

test('the package has no dependencies: it contains the code of the bundled packages, and their licences', () => {
  expect(manifest).not.toHaveProperty('dependencies');
  const licences = readFileSync(join(root, 'dist/licences.txt'), 'utf8');
  expect(dependencies.filter((name) => licences.includes(`\n${name} `)).sort()).toEqual(rows('Bundled'));
});
