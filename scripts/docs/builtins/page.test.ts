import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formerBuiltins, guide } from '../../../values/builtins/guide.js';
import { builtins } from '../../../values/builtins/registry.js';
import { builtinsPage, pagePath } from './page.js';

test('the page is what `npm run builtins-page` writes', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../..', pagePath), 'utf8');
  expect(await builtinsPage()).toBe(page);
});

test('the guide has each built-in that policies may call, once', () => {
  const written = guide.flatMap((group) => Object.keys(group.builtins));
  const hidden = ['internal.print', 'internal.template_string', 'internal.test_case'];
  expect([...written, ...Object.keys(formerBuiltins), ...hidden].sort()).toEqual([...builtins.keys()].sort());
});

test('the built-ins of version 0 alone are those that are deprecated', () => {
  expect(Object.keys(formerBuiltins).sort()).toEqual([...builtins.deprecated].sort());
});

test('an example calls its built-in', () => {
  for (const { builtins: entries } of guide) {
    for (const [name, { example, does }] of Object.entries(entries)) {
      expect(example).toContain(builtins.get(name)!.infix ?? `${name}(`);
      expect(does).toMatch(/^[A-Z].*\.$/);
    }
  }
});
