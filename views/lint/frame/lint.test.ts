import { expect, test } from 'vitest';
import { LintConfigError, lint, readLintConfig } from '../index.js';

/** Lints one text; a finding is `rule row:col-row:col`. */
async function found(text: string, options: Parameters<typeof lint>[1] = {}): Promise<string[]> {
  const { findings } = await lint([{ file: 'p/p.rego', text: `package p\n\n${text}\n` }], options);
  return findings.map(({ rule, row, col, end }) => `${rule} ${row}:${col}${end ? `-${end.row}:${end.col}` : ''}`);
}

const only = (...enable: string[]) => ({ flags: { disableAll: true, enable } });

test('a finding has the place of the node in characters, and the line', async () => {
  const text = 'a := "日本" # 🙂 x\n\nb if "日" == input.x';
  const { findings } = await lint([{ file: 'p/p.rego', text: `package p\n\n${text}\n` }], only('yoda-condition'));
  expect(findings).toEqual([
    {
      rule: 'yoda-condition',
      category: 'style',
      level: 'error',
      description: 'Write the constant on the right side',
      file: 'p/p.rego',
      row: 5,
      col: 6,
      end: { row: 5, col: 12 },
      text: 'b if "日" == input.x',
    },
  ]);
});

test.each([
  ['a flag for a rule beats one for its category', { disableCategory: ['style'], enable: ['todo-comment'] }, 1],
  ['a category beats all', { disableAll: true, enableCategory: ['style'] }, 1],
  ['disabling beats enabling', { enable: ['todo-comment'], disable: ['todo-comment'] }, 0],
])('%s', async (_title, flags, count) => {
  expect(await found('# TODO later\na := 1', { flags })).toHaveLength(count);
});

test('options in the configuration replace all defaults of the rule', async () => {
  const text = 'table := {\n\t"a": 1,\n\t"b": 2,\n}';
  const config = (options: object) => readLintConfig({ rules: { style: { 'rule-length': options } } });
  expect(await found(text, { config: config({ 'max-rule-length': 2 }) })).toEqual(['rule-length 3:1-6:2']);
  expect(await found(text, { config: config({ 'max-rule-length': 2, 'except-empty-body': true }) })).toEqual([]);
});

test.each([
  ['an unknown rule', { rules: { style: { 'todo-remark': {} } } }, 'todo-remark'],
  ['an unknown category', { rules: { taste: { 'todo-comment': {} } } }, 'taste'],
])('%s in the configuration is refused by name', async (_title, document, name) => {
  const error = await found('a := 1', { config: readLintConfig(document) }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LintConfigError);
  expect((error as Error).message).toContain(name);
});

test.each([
  ['p/{p,q}.rego', 0],
  ['p/{p', 1],
  ['p/{q,{p.rego', 0],
  ['[b-a].rego', 1],
  ['[!q].rego', 0],
  ['[a\\]', 1],
])('files are left out by the pattern %s', async (pattern, count) => {
  expect(await found('a if 1 == input.x', { ...only('yoda-condition'), ignoreFiles: [pattern] })).toHaveLength(count);
});

test('a rule that names a list where a mapping is wanted is refused', () => {
  expect(() => readLintConfig({ rules: ['style'] })).toThrow('rules must be a mapping');
});

test.each([
  ['in the line above', '# regal ignore:yoda-condition\na if 1 == input.x', 0],
  ['twice in a comment', '# regal ignore:todo-comment regal ignore:yoda-condition\na if 1 == input.x', 0],
  ['in the line', 'a if 1 == input.x # regal ignore:todo-comment,yoda-condition', 0],
  ['with a star', '# regal ignore:*\na if 1 == input.x', 1],
  ['with a blank before a comma', '# regal ignore:yoda-condition , x\na if 1 == input.x', 1],
  ['in the line below', 'a if 1 == input.x\n# regal ignore:yoda-condition', 1],
  ['of another rule', '# regal ignore:todo-comment\na if 1 == input.x', 1],
])('a directive %s leaves %i findings', async (_title, text, count) => {
  expect(await found(text, only('yoda-condition'))).toHaveLength(count);
});

test('a timeout ends the run between two files', async () => {
  await expect(found('a := 1', { timeout: -1 })).rejects.toThrow('the timeout has passed');
});

test('rules over several files do not run for one', async () => {
  const sources = ['a', 'b'].map((name) => ({ file: `${name}.rego`, text: `package ${name}\n` }));
  const options = only('no-defined-entrypoint');
  expect((await lint(sources.slice(1), options)).findings).toEqual([]);
  expect((await lint(sources, options)).findings).toHaveLength(1);
});

test('before version 1 of the language, files of both versions are told what it changes', async () => {
  const capabilities = { features: ['rego_v1_import'], future_keywords: ['if', 'in'] };
  const { findings, notices } = await lint([{ file: 'p/p.rego', text: 'package p\n\na if any([input.x])\n' }], {
    ...only('deprecated-builtin', 'use-rego-v1', 'use-if', 'use-contains', 'implicit-future-keywords'),
    capabilities,
  });
  expect(findings.map(({ rule }) => rule).sort()).toEqual(['deprecated-builtin', 'use-rego-v1']);
  // Of rules that a release needs no more, nothing is said.
  expect(notices.map(({ rule }) => rule)).toEqual(['use-contains']);
});

test('a rule that the configuration names is not left out silently', async () => {
  const capabilities = { features: ['rego_v1_import'], future_keywords: ['if', 'in'] };
  const sources = [{ file: 'p/p.rego', text: 'package p\n\nimport future.keywords\n' }];
  const left = async (config?: object) => {
    const options = { capabilities, ...(config && { config: readLintConfig({ rules: config }) }) };
    const { notices } = await lint(sources, { ...only('implicit-future-keywords', 'use-contains'), ...options });
    return notices.map(({ rule }) => rule);
  };
  expect(await left()).toEqual(['use-contains']);
  expect(await left({ imports: { default: { level: 'error' } } })).toEqual(['use-contains']);
  expect(await left({ imports: { 'implicit-future-keywords': { level: 'error' } } })).toEqual(['implicit-future-keywords', 'use-contains']);
});

test('calls of a built-in that the version lacks are not checked against it', async () => {
  const text = 'package p\n\na := sprintf("%s", [])\n';
  const without = { builtins: [{ name: 'count' }], features: ['rego_v1'], future_keywords: [] };
  const count = async (options: object) =>
    (await lint([{ file: 'p/p.rego', text }], { ...only('sprintf-arguments-mismatch'), ...options })).findings.length;
  expect(await count({})).toBe(1);
  expect(await count({ capabilities: without })).toBe(0);
});
