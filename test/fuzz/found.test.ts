/** Small policies that were decided differently in some way: all ways agree. */
import { expect, test } from 'vitest';
import { numberFromText } from '../../values/numbers/number.js';
import type { PlainObject, Value } from '../../values/value.js';
import { canonical, show } from './answers.js';
import { differencesOf, ways } from './compare.js';
import { subjectOf } from './policy-case.js';
import { vm } from './ways/programs.js';

type Row = readonly [title: string, rules: string, wanted: string, input?: Value, data?: PlainObject];

/** Four times: rounds of short loops are not compared. */
function often(elements: readonly Value[]): Value {
  return Array.from({ length: 4 }, () => elements).flat();
}

/** A set whose members were added in another order than that of the language, and equal numbers. */
const printed = (rules: string) => `s contains x if some x in input\n${rules}\np := json.marshal(q)`;
/** Two sets, the numbers of the second one later than texts and whole numbers of the first. */
const inRounds = (rules: string) => `sets[x] := {y | some y in data.s[x]} if some x in input\n${rules}\np := json.marshal(q)`;
const inTwoSets = [['a', 'b'], { n: { a: 1, b: 0.5, c: 4 }, s: { a: ['c', 'a'], b: ['b', 'd'] } }] as const;
const forms = { n: { a: numberFromText('1.0'), b: 1 } };

const rows: readonly Row[] = [
  ['a key that is known by its variable', 'p contains x if { x = "a"; {x: 1} = {"a": 1} }', '{"a"}'],
  ['a key that is a bound collection', 'p contains x if { x = [1]; {x: 2} = {[1]: 2} }', '{[1]}'],
  ['a key that is none of the other object', 'p contains x if { x = "b"; {x: 1} = {"a": 1} }', 'set()'],
  ['an element of a base document by an unknown text', 'p if data.d[input.k]', 'true', { k: '1' }, { d: [false, true] }],
  ['a key of a base document by an unknown number', 'p if data.d[input.k] == 2', 'true', { k: 1 }, { d: { 0: 1, 1: 2, a: 3 } }],
  ['not an element by an unknown text', 'p if not data.d[input.k]', 'undefined', { k: '0' }, { d: ['x'] }],
  ['an element below a key that is unknown', 'p := data.d[input.k][input.k].a', '5', { k: '0' }, { d: { 0: [{ a: 5 }] } }],
  ['no key `1.0` by the unknown number 1', 'p contains 1 if data.d[input.k]', 'set()', { k: 1 }, { d: { '1.0': 1 } }],
  ['no key `-0` by the unknown number 0', 'p if not data.d[input.k]', 'true', { k: 0 }, { d: { '-0': 1, '0e1': 1 } }],
  ['no key `1e2` by the unknown number 100', 'p if data.d[input.k]', 'undefined', { k: 100 }, { d: { '1e2': 1, '100.00': 1 } }],
  ['a key with a point by the unknown number', 'p := data.d[input.k]', '7', { k: -0.5 }, { d: { '-0.5': 7, '-0.50': 8 } }],
  ['a value of an object with an unknown key', 'p := v if { f({input.k: 2}) = v }\nf({1: v}) := v', '2', { k: 1 }],
  ['a value at another key than the unknown one', 'p := v if { f({input.k: 2}) = v }\nf({1: v}) := v', 'undefined', { k: 3 }],
  ['several values', 'p := x if { f({input.k: 2, "a": [input.k, 4]}) = x }\nf({1: v, "a": [w, 4]}) := [v, w]', '[2, 1]', { k: 1 }],
  ['one key too many', 'p := v if { f({input.k: 2, "a": 3}) = v }\nf({1: v}) := v', 'undefined', { k: 1 }],
  ['not at another key', 'p if not f({input.k: 2})\nf({1: v}) if v > 1', 'true', { k: 2 }],
  ['a function of a key that is not used', 'p[1] := w if { v := input.k; w = f(v, {v: 2}) }\nf(v, {1: w}) := 3', '{1: 3}', { k: 1 }],
  ['a key that is not used', 'p := 5 if { f(input.k, {input.k: 2}) }\nf(v, {1: w}) := 1', '5', { k: 1 }],
  [
    'rounds of a loop that differ in a part that must only be there',
    'p contains [u, n] if { some e in input; u := e.u; m := e.m; n := count([1 | some f in input; f.u == u]) }',
    '{[1, 12]}',
    often([{ u: 1 }, { u: 1, m: 2 }, { u: 1, m: [] }]),
  ],
  [
    'rounds of a loop that differ in the elements of a part',
    'p contains [u, x] if { some e in input; u := e.u; some x in e.l; count([1 | some f in input; f.u == u]) > 0 }',
    '{[1, 2], [1, 3]}',
    often([{ u: 1, l: [2] }, { u: 1, l: [3] }, { u: 1 }]),
  ],
  ['the first of equal numbers in the order of a set', printed('q contains data.n[x] if some x in s'), '"[1.0]"', ['b', 'a'], forms],
  ['the first of equal rows in the order of a set', printed('q contains [data.n[x]] if some x in s'), '"[[1.0]]"', ['b', 'a'], forms],
  ['the largest of equal numbers', printed('q := max([data.n[x] | some x in s])'), '"1"', ['b', 'a'], forms],
  ['the smallest of equal numbers', printed('q := min([data.n[x] | some x in s])'), '"1"', ['b', 'a'], forms],
  ['a sum in the order of a set', printed('q := sum([data.n[x] | some x in s])'), '"2.5"', ['c', 'b', 'a'], { n: { a: 0.5, b: 1, c: 1 } }],
  [
    'members of two sets',
    printed('q contains [x, data.n[y]] if { some x in s; some y in s }'),
    '"[[\\"a\\",1.0],[\\"b\\",1.0]]"',
    ['b', 'a'],
    forms,
  ],
  [
    'members of a set by the members of another one',
    printed('q contains data.n[y] if { some x in s; startswith(x, "b"); some y in s }'),
    '"[1.0]"',
    ['b', 'a'],
    forms,
  ],
  ['members of an array and a set', printed('q contains data.n[y] if { some x in input; some y in s }'), '"[1.0]"', ['b', 'a'], forms],
  [
    'members of inner sets by their keys',
    printed('q[x] := m if { some x in s; m := {data.n[y] | some y in s} }'),
    '"{\\"a\\":[1.0],\\"b\\":[1.0]}"',
    ['b', 'a'],
    forms,
  ],
  ...[
    ['reads a clock', 'time.now_ns() >= 0'],
    ['makes an id', 'uuid.rfc4122(x) != ""'],
    ['takes a random number', 'rand.intn(x, 5) < 5'],
  ].flatMap(([title, effect]): (typeof rows)[number][] => [
    [
      `a sum over sets of a loop that ${title}`,
      inRounds(`q := sum([data.n[y] | some x in input; ${effect}; some y in sets[x]])`),
      '"5.5"',
      ...inTwoSets,
    ],
    [
      `the largest value of sets of a loop that ${title}`,
      inRounds(`q := max([data.n[y] | some x in input; ${effect}; some y in sets[x]])`),
      '"4"',
      ...inTwoSets,
    ],
    [
      `members of sets of a loop that ${title}`,
      inRounds(`q contains data.n[y] if { some x in input; ${effect}; some y in sets[x] }`),
      '"[0.5,1,4]"',
      ...inTwoSets,
    ],
  ]),
  [
    'sums in rounds of a loop',
    printed('q[x] := t if { some x in s; t := sum([m | some y in s; m := data.n[y] + 0.25]) }'),
    '"{\\"a\\":2.5,\\"b\\":2.5}"',
    ['b', 'a'],
    forms,
  ],
  ['an unknown element in a head', 'p[data.d[input.k]] := 1', '{{}: 1}', { k: '0' }, { d: [{}] }],
];

for (const [title, rules, wanted, input, data = {}] of rows) {
  test(title, async () => {
    const given = {
      modules: new Map([['0.rego', `package t\n${rules}`]]),
      regoVersion: 'v1' as const,
      data,
      inputs: [input],
      paths: [['t', 'p']],
    };
    const answer = await (await vm.prepare(subjectOf(given)!))(0, 0);
    expect('value' in answer ? canonical(answer.value) : show(answer)).toBe(wanted);
    // With part of the input unknown, and with all of it.
    for (const choice of [0, 1]) {
      const found = await differencesOf(given, ways, (limit) => choice % limit);
      expect(found.map((one) => `${one.way.name}: ${show(one.answer)}`)).toEqual([]);
    }
  });
}
