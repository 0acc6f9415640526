/** Large operands of every kind, for tests and for the bench of costs. */

import type { Builtin } from '../../values/builtins/builtin.js';
import { ExactNumber } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import type { Type } from '../../values/type.js';
import type { Value } from '../../values/value.js';

/** Operands by description; each is made on first use. */
export interface LargeOperands {
  /** All calls of a built-in that are worth a try. */
  calls(row: Builtin): readonly LargeCall[];
}

interface LargeCall {
  /** A description of the operands. */
  readonly kinds: string;
  readonly operands: () => readonly Value[];
}

type Kinds = { readonly [kind: string]: () => Value };

/** @param size characters of strings; collections have a tenth as many members */
export function largeOperands(size: number): LargeOperands {
  const members = Math.ceil(size / 10);
  const digits = Math.min(Math.ceil(size / 10), 100_000);
  const list = <T>(make: (i: number) => T, length = members): T[] => Array.from({ length }, (_, i) => make(i));
  const repeated = (text: string) => text.repeat(Math.ceil(size / text.length));

  const strings: Kinds = {
    ascii: () => repeated('Hello, world. '),
    unicode: () => repeated('Grüße, 😀 '),
    spaces: () => repeated(' '),
    one: () => repeated('a'),
    halves: () => `${'a'.repeat(size / 4)}b${'a'.repeat(size / 4)}`,
    digits: () => '7'.repeat(digits),
    json: () => `[${list((i) => `{"key${i}": [1.50, {}]}`).join(',')}]`,
    brackets: () => `[${'[],'.repeat(size / 3)}1]`,
    yaml: () => list((i) => `key${i}: [a, {b: "c"}]`).join('\n'),
    escapes: () => repeated('%41+'),
    base64: () => repeated('QUJD'),
    dots: () => repeated('a.'),
    pattern: () => '(a|aa)*b[c-f]+'.repeat(Math.min(size / 14, 60)),
    pem: () => `-----BEGIN CERTIFICATE-----\n${repeated('MIIB')}\n-----END CERTIFICATE-----\n`.repeat(3),
    queries: () => `{ ${list((i) => `f${i}: f`).join(' ')} }`,
    types: () => list((i) => `type T${i} { f: Int }`).join('\n'),
    rules: () => `package p\n${list((i) => `r${i} := ${i}`).join('\n')}`,
    jwt: () => `eyJhbGciOiJub25lIn0.${repeated('eyJh')}.`,
    directives: () => repeated('%[1]x %999d '),
  };
  const numbers: Kinds = {
    digits: () => new ExactNumber(1n + 10n ** BigInt(digits)),
    literal: () => new ExactNumber(`${'7'.repeat(digits)}.5`),
    exponent: () => new ExactNumber('1e90001'),
    small: () => 3,
    large: () => 4_000_000_000_000,
  };
  const arrays: Kinds = {
    numbers: () => list((i) => (i * 7919) % 100_003),
    decimals: () => list((i) => i + 0.1),
    strings: () => list((i) => `text ${(i * 7919) % 100_003}`),
    objects: () => list((i) => ({ op: 'add', path: `/k${i}`, value: i })),
    shared: () => doubled(40),
    arrays: () => list((i) => [i]),
    exact: () => Array(100).fill(new ExactNumber('7'.repeat(digits))),
    networks: () => list((i) => `10.${i % 256}.${(i >> 8) % 256}.0/24`),
  };
  const sets: Kinds = {
    numbers: () => new RegoSet(list((i) => i)),
    strings: () => new RegoSet(list((i) => `text ${i}`)),
    sets: () => new RegoSet(list((i) => new RegoSet([i]))),
    arrays: () => new RegoSet(list((i) => [i])),
  };
  const objects: Kinds = {
    plain: () => Object.fromEntries(list((i) => [`key${i}`, i])),
    nested: () => Object.fromEntries(list((i) => [`key${i}`, { a: { b: `text ${i}` } }])),
    graph: () => Object.fromEntries(list((i) => [`k${i}`, [`k${i + 1}`, `k${i + 2}`]])),
    any: () => new RegoObject(list((i) => [i, [i]] as const)),
    strings: () => Object.fromEntries(list((i) => [`key${i}`, 'x'])),
    shared: () => ({ a: doubled(40), b: doubled(40) }),
  };
  const byType: { readonly [type: string]: Kinds } = { string: strings, number: numbers, array: arrays, set: sets, object: objects };

  const made = new Map<() => Value, Value>();
  const value = (make: () => Value): Value => {
    let known = made.get(make);
    if (known === undefined) made.set(make, (known = make()));
    return known;
  };

  function kindsOf(type: Type): readonly (readonly [string, () => Value])[] {
    if (type.type !== 'any') return Object.entries(byType[type.type] ?? { [type.type]: () => null });
    const types = type.of === undefined || type.of.length === 0 ? Object.keys(byType) : [...new Set(type.of.map((of) => of.type))];
    return types.flatMap((name) => Object.entries(byType[name] ?? {}).map(([kind, make]) => [`${name} ${kind}`, make] as const));
  }

  return {
    calls(row) {
      const calls: LargeCall[] = [];
      const kinds = [...row.args.map(({ type }) => kindsOf(type)), ...(row.variadic === undefined ? [] : [kindsOf(row.variadic)])];
      const rounds = Math.max(1, ...kinds.map(({ length }) => length));
      // Operands of one kind together, then each with the next kinds of the others.
      for (let shift = 0; shift < (kinds.length < 2 ? 1 : 3); shift++) {
        for (let i = 0; i < rounds; i++) {
          const picked = kinds.map((of, position) => of[(i + shift * position) % of.length]!);
          calls.push({ kinds: picked.map(([kind]) => kind).join(', '), operands: () => picked.map(([, make]) => value(make)) });
        }
      }
      return calls;
    },
  };
}

/** Few arrays in memory, but a number of walks through them that takes years. */
function doubled(times: number): Value {
  let value: Value = ['x'];
  for (let i = 0; i < times; i++) value = [value, value];
  return value;
}
