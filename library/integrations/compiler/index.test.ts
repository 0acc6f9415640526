import { expect, test } from 'vitest';
import { CompileErrors, compile, lint } from './index.js';

test('policies in memory are linted as files are', async () => {
  const sources = { 'authz/authz.rego': 'package authz\n\nisAdmin if input.role == "admin"\n' };
  const { findings, scanned } = await lint(sources, { config: { rules: { style: { 'prefer-snake-case': { level: 'warning' } } } } });
  expect(scanned).toBe(1);
  expect(findings).toMatchObject([{ rule: 'prefer-snake-case', level: 'warning', file: 'authz/authz.rego', row: 3, col: 1 }]);
  expect((await lint(sources, { disable: ['prefer-snake-case'] })).findings).toEqual([]);
});

test('a text that is no policy and a rule that there is not are refused', async () => {
  await expect(lint({ 'p.rego': 'package' })).rejects.toBeInstanceOf(CompileErrors);
  await expect(lint({}, { enable: ['no-such-rule'] })).rejects.toMatchObject({ code: 'invalid_lint_config' });
  await expect(lint({}, { config: [] })).rejects.toMatchObject({ code: 'invalid_lint_config' });
});

test('the compiler is there too', () => {
  expect(compile({ policies: { 'p.rego': 'package p\n\na := 1' }, entrypoints: ['p/a'] })).toHaveProperty('plans');
});
