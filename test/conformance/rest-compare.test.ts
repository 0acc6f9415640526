import { expect, test } from 'vitest';
import { parseJson } from '../../values/json/json.js';
import { difference, type Freedom } from './rest-compare.js';

type Row = [title: string, want: string, got: string, freedom?: Freedom];

const v = (name: string) => `{"type":"var","value":"${name}"}`;
const binding = (name: string, value: number) => `{"key":${v(name)},"value":{"type":"number","value":${value}}}`;

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
  [
    'names of generated rules',
    '{"terms":[{"type":"var","value":"__not1_0_2__"}]}',
    '{"terms":[{"type":"var","value":"__not3_1_1__"}]}',
    { alpha: true },
  ],
  [
    'generated variables in texts renamed one to one',
    '{"m": ["__local0__ = 1; __local1__1 = __local0__"]}',
    '{"m": ["__local4__ = 1; __localq2__ = __local4__"]}',
    { locals: ['/m'] },
  ],
  ['the operation of an event in another case', '{"explanation": [{"op": "enter"}]}', '{"explanation": [{"op": "Enter"}]}'],
  [
    'bindings of an event in another order, renamed one to one',
    `{"explanation": [{"node": ${v('a')}, "locals": [${binding('a', 1)}, ${binding('b', 1)}]}, {"node": ${v('b')}}]}`,
    `{"explanation": [{"node": ${v('x')}, "locals": [${binding('y', 1)}, ${binding('x', 1)}]}, {"node": ${v('y')}}]}`,
    { alpha: true },
  ],
  [
    'alternatives of a condition in another order',
    '{"q": "WHERE ((a = E\'1\' AND b = \'x OR y\') OR c = 2)"}',
    '{"q": "WHERE (c = N\'2\' OR (a = 1 AND b = \'x OR y\'))"}',
    { disjunctions: ['/q'] },
  ],
  ['numerals of a condition without their quotes', '{"q": "WHERE a < E\'-1.5\'"}', '{"q": "WHERE a < -1.5"}'],
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
  [
    'generated variables in texts renamed two ways',
    '{"m": ["__local0__", "__local0__"]}',
    '{"m": ["__local1__", "__local2__"]}',
    { locals: ['/m'] },
  ],
  ['generated variables in texts renamed without leave', '{"m": "__local0__"}', '{"m": "__local1__"}'],
  [
    'bindings of an event with another value',
    `{"explanation": [{"locals": [${binding('a', 1)}, ${binding('b', 2)}]}]}`,
    `{"explanation": [{"locals": [${binding('a', 1)}, ${binding('b', 1)}]}]}`,
    { alpha: true },
  ],
  [
    'bindings of an event that change their variables',
    `{"explanation": [{"locals": [${binding('a', 1)}]}, {"locals": [${binding('a', 1)}]}]}`,
    `{"explanation": [{"locals": [${binding('x', 1)}]}, {"locals": [${binding('y', 1)}]}]}`,
    { alpha: true },
  ],
  ['a result that is called locals in another order', '{"result": {"locals": [1, 2]}}', '{"result": {"locals": [2, 1]}}', { alpha: true }],
  ['alternatives of a condition in another order without leave', '{"q": "WHERE (a = 1 OR b = 2)"}', '{"q": "WHERE (b = 2 OR a = 1)"}'],
  [
    'alternatives within a conjunction in another order',
    '{"q": "WHERE (a = 1 AND (b = 1 OR c = 2))"}',
    '{"q": "WHERE (a = 1 AND (c = 2 OR b = 1))"}',
    { disjunctions: ['/q'] },
  ],
  ['a text of a condition without its quotes', '{"q": "WHERE a = E\'x\'"}', '{"q": "WHERE a = x"}', { disjunctions: ['/q'] }],
  ['variables renamed without leave', '[{"type":"var","value":"a"}]', '[{"type":"var","value":"b"}]'],
];

test.each(other)('%s is not the same', (_title, want, got, freedom = {}) => {
  expect(difference(parseJson(want), parseJson(got), freedom)).toBeDefined();
});
