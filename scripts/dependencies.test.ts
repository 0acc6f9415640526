import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

test('docs/dependencies.md has a line for each dependency, and for no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/dependencies.md'), 'utf8');
  const named = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  const types = Object.keys(manifest.devDependencies).filter((name) => name.startsWith('@types/'));
  const wanted = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)].filter((name) => !types.includes(name));
  expect(named.sort()).toEqual([...wanted, '@types/*'].sort());
});
