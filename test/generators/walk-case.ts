/**
 * Policies of loops over walks, which read paths and values in many ways, and of loops that fill an
 * object with their own keys. The values have all types, and keys that are no texts.
 */
import { numberFromText } from '../../values/numbers/number.js';
import type { PlainObject, Value } from '../../values/value.js';
import { Choices } from './choices.js';
import type { PolicyCase } from './random-case.js';

const scalars: readonly Value[] = [
  0,
  1,
  -1,
  1.5,
  'a',
  'b',
  '1',
  '',
  true,
  false,
  null,
  numberFromText('1.0'),
  numberFromText('12345678901234567890'),
];

const keys = ['a', 'b', 'c', '0', '1', '10', '__proto__', 'constructor', ''];

/** Values to walk, or to loop over. */
const sources = [
  'input.doc',
  'data.doc',
  'data.doc.a',
  'made',
  '{1: input.doc, "a": data.doc}',
  '{input.doc, [1, {"a"}]}',
  'input.doc[k]',
  'input.none',
];

const walks = ['[path, value] := walk(S)', 'walk(S, [path, value])', 'some path, value; walk(S, [path, value])'];

/** Tests and reads of a path and a value. */
const reads = [
  'is_string(value)',
  'is_object(value)',
  'value == "a"',
  'count(path) > 1',
  'count(path) == count(path)',
  'path[count(path) - 1] == "a"',
  'path[0] == "a"',
  'path[1] != "a"',
  'path[i] == "a"',
  'path == ["a"]',
  'some part in path',
  'every part in path { part != "b" }',
  'not path[2]',
  'last := path[count(path) - 1]',
  'path[input.doc.a]',
  '"a" in path',
  'array.slice(path, 0, 1) == ["a"]',
  'value.a',
  'value[_] == 1',
  'some k2 in [0, 1]; path[k2] != value',
];

const results = [
  'path',
  'value',
  '[path, value]',
  'count(path)',
  'path[count(path) - 1]',
  'path[0]',
  'concat("/", [sprintf("%v", [p]) | some p in path])',
];

/** Values of an entry. */
const entries = ['value', '[key, value]', 'count(value)', 'shown(key, value)', '{key: value}', '{k3: value | some k3, _ in value}'];

const helpers = [
  'made := {x: {y: [x, y]} | some x in ["a", "b"]; some y in [1, 2.5]}',
  'shown(key, value) := value if key in {"a", "1", 1}',
  'shown(key, value) := "*" if not key in {"a", "1", 1}',
].join('\n');

class WalkGenerator extends Choices {
  case(): PolicyCase {
    const rules = this.times(4, (i) => (this.chance(60) ? this.#walk(`p${i}`) : this.#entries(`p${i}`)));
    return {
      modules: new Map([['0.rego', `package t\n\n${helpers}\n\n${rules.join('\n\n')}\n`]]),
      regoVersion: 'v1',
      data: { doc: this.#value(2) } as PlainObject,
      inputs: this.times(2, () => ({ doc: this.#value(3) })),
      paths: rules.map((_, i) => ['t', `p${i}`]),
    };
  }

  #value(depth: number): Value {
    if (depth === 0 || this.chance(20)) return this.one(scalars);
    if (this.chance(35)) return this.times(this.below(5), () => this.#value(depth - 1));
    // Some have more entries than a plain object is given.
    const names = this.chance(8) ? Array.from({ length: 40 }, (_, i) => `k${i}`) : this.times(this.below(6), () => this.one(keys));
    return Object.fromEntries(names.map((key) => [key, this.#value(names.length > 6 ? 0 : depth - 1)]));
  }

  #source(): string {
    return this.one(sources);
  }

  #walk(name: string): string {
    const walk = this.one(walks).replace('S', this.#source());
    const around = this.chance(30) ? ['some k in ["a", "b"]'] : this.chance(50) ? [] : ['some k in ["c"]'];
    const body = ['k := "a"', walk, ...this.times(this.below(4), () => this.one(reads))];
    const [first, ...others] = around.length > 0 ? [around[0]!, ...body.slice(1)] : body;
    const text = [first, ...new Set(others)].join('; ');
    const result = this.one(results);
    return this.one([
      `${name} contains ${result} if { ${text} }`,
      `${name} := [${result} | ${text}]`,
      `${name} := count([1 | ${text}])`,
      `${name} if { ${text} }`,
      `${name} := {sprintf("%v", [path]): ${result} | ${text}}`,
    ]);
  }

  #entries(name: string): string {
    const source = this.#source().replace('input.doc[k]', 'input.doc.a');
    const body = [
      `some key, value in ${source}`,
      ...(this.chance(40) ? [this.one(['value != "a"', 'key != "b"', 'some z in [1, 2]', 'is_string(key)'])] : []),
    ];
    const text = body.join('; ');
    const object = `{key: ${this.one(entries)} | ${text}}`;
    return this.one([
      `${name} := ${object}`,
      `${name} := [o | some j in [1, 2]; o := ${object}]`,
      `${name} := {o | some row in input.doc; o := {key: value | some key, value in row}}`,
      `${name} := object.keys(${object})`,
      `${name} := ${object} == ${object}`,
      `${name} := json.marshal(${object})`,
      `${name} := object.union(${object}, {"a": 1})`,
      `${name} := {row: o | some row, inner in ${source}; o := {key: value | some key, value in inner}}`,
    ]);
  }
}

export function walkCase(seed: number): PolicyCase {
  return new WalkGenerator(seed).case();
}
