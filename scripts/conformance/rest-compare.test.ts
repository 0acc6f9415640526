import { expect, test } from 'vitest';
import { parseJson } from '../../runtime/values/json.js';
import { difference, type Freedom } from './rest-compare.js';

type Row = [title: string, want: string, got: string, freedom?: Freedom];

const same: Row[] = [
  ['numbers as decimals', '{"a": 1.0, "b": 1e2}', '{"b": 100, "a": 1}'],
  ['a masked value of the same type', '{"id": "x"}', '{"id": "y"}', { masks: ['/id'] }],
  ['masks with any key', '{"m": {"a": 1, "b": 2}}', '{"m": {"a": 5, "b": 6}}', { masks: ['/m/*'] }],
  ['an optional key that is missing', '{"a": 1, "b": 2}', '{"a": 1}', { optional: ['/b'] }],
  ['an optional key that is added', '{"a": 1}', '{"a": 1, "b": 2}', { optional: ['/b'] }],
  ['an open object with more keys', '{"m": {"a": 1}}', '{"m": {"a": 1, "z": 2}}', { open: ['/m'] }],
  ['an open array with more elements', '[1]', '[1, 2]', { open: [''] }],
  ['an array in another order', '{"r": [1, 2, 2]}', '{"r": [2, 1, 2]}', { unordered: ['/r'] }],
  ['a text that begins as it should', '{"m": "malformed: x"}', '{"m": "malformed: y"}', { prefixes: { '/m': 'malformed: ' } }],
  [
    'variables renamed one to one',
    '[{"type":"var","value":"a"},{"type":"var","value":"a"}]',
    '[{"type":"var","value":"b"},{"type":"var","value":"b"}]',
    { alpha: true },
  ],
];

test.each(same)('%s is the same', (_title, want, got, freedom = {}) => {
  expect(difference(parseJson(want), parseJson(got), freedom)).toBeUndefined();
});

const other: Row[] = [
  ['another number', '{"a": 1}', '{"a": 2}'],
  ['a key too many', '{"a": 1}', '{"a": 1, "b": 2}'],
  ['a key too few', '{"a": 1, "b": 2}', '{"a": 1}'],
  ['a masked value of another type', '{"id": "x"}', '{"id": 1}', { masks: ['/id'] }],
  ['a masked key that is missing', '{"id": "x"}', '{}', { masks: ['/id'] }],
  ['an array in another order', '[1, 2]', '[2, 1]'],
  ['a multiset with other members', '[1, 1, 2]', '[1, 2, 2]', { unordered: [''] }],
  ['an open array with fewer elements', '[1, 2]', '[1]', { open: [''] }],
  ['a text that begins otherwise', '{"m": "malformed: x"}', '{"m": "other"}', { prefixes: { '/m': 'malformed: ' } }],
  [
    'two variables made one',
    '[{"type":"var","value":"a"},{"type":"var","value":"b"}]',
    '[{"type":"var","value":"c"},{"type":"var","value":"c"}]',
    { alpha: true },
  ],
  ['input renamed', '{"type":"var","value":"input"}', '{"type":"var","value":"x"}', { alpha: true }],
  [
    'an operator renamed',
    '{"terms":[{"type":"ref","value":[{"type":"var","value":"eq"}]}]}',
    '{"terms":[{"type":"ref","value":[{"type":"var","value":"lt"}]}]}',
    { alpha: true },
  ],
  ['variables renamed without leave', '[{"type":"var","value":"a"}]', '[{"type":"var","value":"b"}]'],
];

test.each(other)('%s is not the same', (_title, want, got, freedom = {}) => {
  expect(difference(parseJson(want), parseJson(got), freedom)).toBeDefined();
});
