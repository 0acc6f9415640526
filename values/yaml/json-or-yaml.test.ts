import { describe, expect, test } from 'vitest';
import { parseJsonOrYaml } from './json-or-yaml.js';

const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a document is JSON or YAML', () => {
  test.each([
    ['{"a": [1]}', { a: [1] }],
    ['a: [1]', { a: [1] }],
    ['{a: 1}', { a: 1 }],
    ["{a: '['}", { a: '[' }],
    [`{a: '${'['.repeat(10_001)}'}`, { a: '['.repeat(10_001) }],
    ['[1] # one', [1]],
  ])('%#', async (text, value) => {
    expect(await parseJsonOrYaml(text)).toEqual(value);
  });

  test.each([
    ['arrays that are too deep', arrays(10_001), 'nested deeper than 10000 levels'],
    ['objects that are too deep', objects(10_001), 'nested deeper than 10000 levels'],
    ['after spaces', `\n ${arrays(20_000)}`, 'nested deeper than 10000 levels'],
    ['deep JSON with a mistake', arrays(1500).replace('[]', '[x]'), /^invalid character 'x' looking for beginning of value/],
    ['YAML that is too deep', `a: ${arrays(1500)}`, 'yaml: exceeded max depth'],
    ['neither', '{a: [}', /^yaml: /],
  ])('the complaint about %s', async (_name, text, message) => {
    await expect(parseJsonOrYaml(text)).rejects.toThrow(message);
  });
});
