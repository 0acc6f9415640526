import { expect, test } from 'vitest';
import { annotationsToJson, moduleToJson } from '../ast/ast-json.js';
import { printRef } from '../ast/print.js';
import { parseModule, parseModuleSteps } from './parse.js';

const everyField = `# METADATA
# scope: package
# title: All fields
# description: |
#  Two
#  lines
# organizations:
# - Acme
# related_resources:
# - https://example.com/a
# - ref: https://example.com/b
#   description: the second
# authors:
# - Ann Example <ann@example.com>
# - Bob
# - name: Cy
#   email: cy@example.com
# schemas:
# - input: schema.input
# - data.x: {type: object}
# compile:
#   unknowns: [input.a]
#   mask_rule: data.m.mask
# entrypoint: true
# custom:
#   key: [1, {a: b}]
# labels:
#   team: red
package m

p := 1
`;

test('every field is read and shown', () => {
  const { annotations } = parseModule('m.rego', everyField);
  const ref = (...parts: string[]): unknown => parts.map((value, i) => ({ type: i === 0 ? 'var' : 'string', value }));
  expect(annotationsToJson(annotations[0]!)).toEqual({
    scope: 'package',
    title: 'All fields',
    description: 'Two\nlines\n',
    entrypoint: true,
    organizations: ['Acme'],
    related_resources: [{ ref: 'https://example.com/a' }, { ref: 'https://example.com/b', description: 'the second' }],
    authors: [{ name: 'Ann Example', email: 'ann@example.com' }, { name: 'Bob' }, { name: 'Cy', email: 'cy@example.com' }],
    schemas: [
      { path: ref('input'), schema: ref('schema', 'input') },
      { path: ref('data', 'x'), definition: { type: 'object' } },
    ],
    compile: { unknowns: [ref('input', 'a')], mask_rule: ref('data', 'm', 'mask') },
    custom: { key: [1, { a: 'b' }] },
    labels: { team: 'red' },
  });
});

test('a block belongs to the next rule, a document block to all rules of the path', () => {
  const module = parseModule(
    'm.rego',
    `package m

# METADATA
# title: first
p.q := 1 if input.a

# METADATA
# title: all
# scope: document
p.q := 2 if input.b

r := 3
`,
  );
  expect(module.rules.map(({ annotations }) => annotations.map(({ title }) => title))).toEqual([['first', 'all'], ['all'], []]);
  expect(module.annotations.map(({ path }) => printRef(path))).toEqual(['data.m.p.q', 'data.m.p.q']);
});

test('without a scope, an entrypoint is of the document', () => {
  const { annotations } = parseModule('m.rego', 'package m\n\n# METADATA\n# entrypoint: true\np := 1\n');
  expect(annotations[0]?.scope).toBe('document');
});

test('a block ends where the comments do, or leave the first column', () => {
  const module = parseModule('m.rego', 'package m\n\n# METADATA\n# title: a\n\n# title: b\np := 1\n');
  expect(module.annotations.map(({ title }) => title)).toEqual(['a']);
});

test('metadata may be left unread', () => {
  expect(parseModule('m.rego', '# METADATA\n# scope: galaxy\npackage m', { processAnnotations: false }).annotations).toEqual([]);
});

test('comments are kept with their places', () => {
  const json = moduleToJson(parseModule('m.rego', 'package m\n\np := 1 # é\n')) as { comments: unknown };
  expect(json.comments).toEqual([{ Text: 'IMOp', Location: { file: 'm.rego', row: 3, col: 8 } }]);
});

test('blocks of many rules are read in time that grows with their number', () => {
  const texts = ['title: one', 'scope: document'].map((field) => `# METADATA\n# ${field}\n`);
  const rules = Array.from({ length: 4000 }, (_, i) => `${texts[i % 2]}r${i} := ${i}\n`);
  let yields = 0;
  const steps = parseModuleSteps('m.rego', `package m\n\n${rules.join('\n')}`);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields++;
  expect(yields).toBeGreaterThan(4000);
  expect(step.value.rules.every(({ annotations }) => annotations?.length === 1)).toBe(true);
});

test('blocks belong to the next rule of their path, wherever others of that name stand', () => {
  const text = ['package m', '# METADATA', '# title: one', 'p if input.a', '# METADATA', '# title: two', 'p if input.b', 'p if input.c'];
  const { rules } = parseModule('m.rego', text.join('\n'));
  expect(rules.map(({ annotations }) => annotations?.map(({ title }) => title))).toEqual([['one'], ['two'], []]);
});

test('a block may stand right below another', () => {
  const text =
    '# METADATA\n# title: a\n# METADATA\n# scope: subpackages\npackage m\n\n# METADATA\n# title: r\n# METADATA\n# scope: document\np := 1\n';
  const { annotations, rules } = parseModule('m.rego', text);
  expect(annotations.map(({ scope, loc }) => `${loc.row} ${scope}`)).toEqual(['1 package', '3 subpackages', '7 rule', '9 document']);
  expect(rules[0]!.annotations).toHaveLength(2);
});

test.each([
  ['a list', '# authors: me', 'cannot unmarshal !!str `me` into []interface {}'],
  ['a mapping', '# custom: 1', 'cannot unmarshal !!int `1` into map[string]interface {}'],
  ['a flag', '# entrypoint: maybe', 'cannot unmarshal !!str `maybe` into bool'],
  ['a key that is there already', '# title: again', 'duplicated mapping key'],
])('a fault in the metadata is at its key: %s', (_title, line, message) => {
  const text = `package m\n\n# METADATA\n# title: x\n# organizations: [a]\n${line}\np := 1\n`;
  expect(() => parseModule('m.rego', text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      diagnostics: [expect.objectContaining({ location: { file: 'm.rego', row: 6, col: 1 }, details: { line, idx: 0 } })],
    }),
  );
});
