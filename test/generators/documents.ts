/** Random inputs and base documents, with the members that random policies read. */
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import type { Choices } from './choices.js';
import { members } from './vocabulary.js';

const scalars: readonly Value[] = [
  0,
  1,
  2,
  'a',
  'b',
  'k',
  1,
  'a',
  'b',
  true,
  false,
  null,
  1.5,
  -1,
  '',
  '1',
  '0',
  'é',
  '😀',
  '__proto__',
  'A',
];
const keys = ['a', 'b', 'k', 'a', 'b', 'x', '1', '0', '__proto__', 'é', ''];

/** Numbers of all written forms, and texts that are no Unicode: as a reader makes them. */
const odd: readonly Value[] = [
  '1.0',
  '1e0',
  '-0',
  '0.10',
  '1e2',
  '1e400',
  '9007199254740993',
  '12345678901234567890',
  '"\\ud83d"',
  '"\\ud83d\\ude00"',
].map((text) => parseJson(text));

/** Keys for look-ups at run time. */
const slots: readonly Value[] = [
  ...['1', '0', 'a', 'k', '1.0', '01', '+1', '-0', 'null', 'true'],
  ...[0, 1, 2, 1.5, -1, true, false, null, [], [1, 'a']],
  ...['1.0', '1.0', '0.0', '2.0', '1e0', '-0', '1.50', '-1.0'].map((text) => parseJson(text)),
];

function objectOf(entries: readonly (readonly [string, Value])[]): Value {
  // Not by assignment, for `__proto__`.
  return Object.fromEntries(entries);
}

function randomValue(choices: Choices, depth: number): Value {
  const kind = depth === 0 ? 0 : choices.below(5);
  if (kind <= 1) return choices.one(choices.chance(4) ? odd : scalars);
  if (kind <= 3) return choices.times(choices.below(4), () => randomValue(choices, depth - 1));
  return objectOf(choices.times(choices.below(4), () => [choices.one(keys), randomValue(choices, depth - 1)]));
}

/** A list of names, an object with them as keys, or anything. */
function names(choices: Choices): Value {
  const some = choices.times(choices.below(4), () => choices.one(['a', 'b', 'k', 'x', 'a']));
  if (choices.chance(45)) return some;
  return choices.chance(80) ? objectOf(some.map((name) => [name, choices.one<Value>([1, true, false, 'a'])])) : randomValue(choices, 1);
}

/** An object with some of the members. */
function row(choices: Choices): Value {
  return objectOf(members.filter(() => choices.chance(70)).map((name) => [name, names(choices)]));
}

/** Keys that look like positions and other constants. */
function namedValues(choices: Choices): Value {
  const all = ['0', '1', '-1', '1.0', '1e0', '01', '1.5', '1.50', 'a', 'null', 'true', 'false', '[]', ''];
  return objectOf(all.filter(() => choices.chance(50)).map((key) => [key, choices.chance(50) ? true : randomValue(choices, 1)]));
}

function rows(choices: Choices): Value {
  return choices.times(choices.below(4), () => (choices.chance(90) ? row(choices) : randomValue(choices, 1)));
}

function numbersOf(choices: Choices): Value {
  return choices.times(choices.below(4), () => choices.one<Value>([0, 1, 2, 3, 1, 'a', 1.5]));
}

/** @param functions their names, which keys may have */
export function randomInput(choices: Choices, functions: readonly string[] = []): Value | undefined {
  if (choices.chance(4)) return undefined;
  if (choices.chance(6)) return randomValue(choices, 2);
  const parts: [string, Value][] = [
    ['a', choices.chance(40) ? { b: randomValue(choices, 1), a: randomValue(choices, 2) } : randomValue(choices, 2)],
    ['b', randomValue(choices, 2)],
    ['n', numbersOf(choices)],
    ['o', choices.chance(70) ? { a: randomValue(choices, 1), b: choices.one(scalars), k: 1 } : randomValue(choices, 2)],
    [
      'p',
      choices.times(choices.below(4), () => (choices.chance(70) ? [choices.one(scalars), choices.one(scalars)] : randomValue(choices, 2))),
    ],
    ['cs', rows(choices)],
    ['u', row(choices)],
    ['slot', functions.length > 0 && choices.chance(30) ? choices.one(functions) : choices.one(slots)],
  ];
  return objectOf(parts.filter(() => choices.chance(92)));
}

export function randomData(choices: Choices): Value {
  return {
    d: objectOf([
      ['a', { b: randomValue(choices, 1), a: choices.one(scalars) }],
      ['b', [randomValue(choices, 1), { k: 1 }]],
      ['names', choices.chance(50) ? row(choices) : names(choices)],
      ['rows', rows(choices)],
      ['none', null],
      ['slots', choices.times(choices.below(4), () => choices.one(slots))],
      ['blocked', choices.chance(60) ? namedValues(choices) : choices.times(1 + choices.below(3), () => randomValue(choices, 1))],
    ]),
    a: { z: { a: 1, m: randomValue(choices, 1) }, b: { a: 2 } },
    e: { k: { a: [1] } },
  };
}
