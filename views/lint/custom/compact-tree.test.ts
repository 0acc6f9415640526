import { expect, test } from 'vitest';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { compactTree } from './compact-tree.js';

function tree(text: string) {
  const file = { name: 'p.rego', text, absolute: '/w/p.rego', operations: ['lint'] };
  return compactTree(parseModule('p.rego', text), file) as Record<string, never>;
}

test('what no author wrote has no place, and is left out where it can be', () => {
  const { rules } = tree('package p\n\nallow if input.x\n') as unknown as { rules: readonly [Record<string, unknown>] };
  expect(rules[0].head).toEqual({
    location: '3:1:3:6',
    ref: [{ type: 'var', value: 'allow', location: '3:1:3:6' }],
    value: { type: 'boolean', value: true },
  });
  expect(tree('package p\n').rules).toBeUndefined();
});

test('starts count characters, and ends of the same row bytes', () => {
  const { rules } = tree('package p\n\na := ["日本", 1]\n') as unknown as { rules: readonly [{ head: { value: { value: unknown } } }] };
  expect(rules[0].head.value.value).toEqual([
    { type: 'string', value: '日本', location: '3:7:3:15' },
    { type: 'number', value: 1, location: '3:13:3:14' },
  ]);
});

test('a first comment of metadata has the place of its block', () => {
  const { comments } = tree('# METADATA\n# title: x\npackage p # y\n') as unknown as { comments: readonly string[] };
  expect(comments).toEqual(['1:1:2:11', '2:1:2:11', '3:11:3:14']);
});
