/**
 * Policies of loops over many elements of few values: rounds of a loop repeat those of others, in
 * all that they read of an element or in a part of it.
 */
import type { PlainObject, Value } from '../../values/value.js';
import { Choices } from './choices.js';
import type { PolicyCase } from './random-case.js';

/** Of a field of an element; most elements have one of the first. */
const values: readonly Value[] = ['a', 'b', 1, 'a', 'b', 'a', 2, true, false, null, '1', '', [1], [1, 2], ['a'], [], { x: 'a' }, {}];

const fields = ['u', 'k', 'm', 'l', 'o'];

const parts = ['e.u', 'e.k', 'e.m', 'e.l', 'e.o.x', 'e.o.y', 'e.o', 'e.u', 'e.k'];

/** A part must be there, or must be this or that. */
const conditions = [
  '@',
  '@',
  '@ == @',
  '@ != @',
  'not @',
  'not @ == "a"',
  '@ == "a"',
  '@ in ["a", 1]',
  'is_string(@)',
  'f(@, _)',
  'count(@) > 0',
];

/** What takes long: loops inside, collections, calls. */
const works = [
  'count([1 | some f in #; f.u == @])',
  'count({f.k | some f in #; f.u == @})',
  '{f.k | some f in #; f.m == @}',
  '[f.k | f := #[_]; f.o.x == @]',
  '{f.k: true | some f in #; f.u == @}',
  'sum([1 | some f in #; f.u == @; f.k == @])',
  '{"a": @, "b": [@]}',
  '[@, [@]]',
  'g(@)',
  'h(e)',
  'count(g(@)) with data.rows as [{"u": "a", "k": 1}]',
  'f(@)',
];

const functions = [
  'f(x) := [x, n] if { n := count([1 | some r in data.rows; r.u == x]) }',
  'g(x) := {r.k | some r in data.rows; r.u == x}',
  'h(e) := [r.k | some r in input.rows; r.u == e.u]',
].join('\n');

class LoopGenerator extends Choices {
  case(): PolicyCase {
    const rules = this.times(4, (i) => this.#rule(`p${i}`));
    return {
      modules: new Map([['0.rego', `package t\n\n${functions}\n\n${rules.join('\n\n')}\n`]]),
      regoVersion: 'v1',
      data: { rows: this.#rows() } as PlainObject,
      inputs: this.times(2, () => ({ rows: this.chance(70) ? this.#rows() : this.#keyed() })),
      paths: rules.map((_, i) => ['t', `p${i}`]),
    };
  }

  #rows(): Value {
    const kinds = this.times(2 + this.below(6), () => this.#row());
    const isMixed = this.chance(40);
    return this.times(6 + this.below(60), () => (isMixed && this.chance(30) ? this.#row() : this.one(kinds)));
  }

  #keyed(): Value {
    return Object.fromEntries((this.#rows() as readonly Value[]).map((row, i) => [`k${i}`, row]));
  }

  #row(): Value {
    if (this.chance(4)) return this.one(values);
    const few = values.slice(0, 2 + this.below(values.length - 2));
    const value = (field: string): Value =>
      field === 'o' && this.chance(80) ? { x: this.one(few), ...(this.chance(60) ? { y: this.one(few) } : {}) } : this.one(few);
    return Object.fromEntries(fields.filter(() => this.chance(85)).map((field) => [field, value(field)]));
  }

  #rule(name: string): string {
    const rows = this.one(['data.rows', 'input.rows']);
    const binds = this.times(1 + this.below(3), (i) => `v${i} := ${this.one(parts)}`);
    const tests = this.times(this.below(3), () => this.#filled(this.one(conditions), rows));
    const work = `n := ${this.#filled(this.one(works), rows)}`;
    const inner = this.chance(25) ? [this.one(['some x in e.l', 'x := e.l[_]', 'some x in e.o'])] : [];
    const names = [...binds.map((_, i) => `v${i}`), ...(inner.length > 0 ? ['x'] : [])];
    const head = this.chance(80) ? ['n', ...names.filter(() => this.chance(60))] : names.filter(() => this.chance(70));
    const loop = this.one([`some e in ${rows}`, `some e in ${rows}`, `some i, e in ${rows}`, `e := ${rows}[i]`, `e := ${rows}[_]`]);
    if (/\bi\b/.test(loop) && this.chance(20)) head.push('i');
    const [first = '', ...others] = binds;
    const body = [loop, first, ...this.shuffled([...others, ...tests]), ...inner, ...(this.chance(85) ? [work] : ['n := 1'])].join('; ');
    const result = `[${head.join(', ')}]`;
    return this.one([
      `${name} contains ${result} if { ${body} }`,
      `${name} contains ${result} if { ${body} }`,
      `${name}[${result}] := ${head[0] ?? '1'} if { ${body} }`,
      `${name} := {${result} | ${body}}`,
      `${name} := [${result} | ${body}]`,
      `${name} := {${result}: n | ${body}}`,
      `${name} := count([1 | ${body}])`,
      `${name} := ${result} if { ${body}; n == ${this.one(['1', '{"a"}', 'v0'])} }`,
      `${name} if { ${body}; n == ${this.one(['5', '{"a"}', 'v0'])} }`,
    ]);
  }

  #filled(text: string, rows: string): string {
    return text
      .replaceAll('#', () => (this.chance(70) ? rows : this.one(['data.rows', 'input.rows'])))
      .replaceAll('@', () => this.one([...parts, 'v0']));
  }
}

export function loopCase(seed: number): PolicyCase {
  return new LoopGenerator(seed).case();
}
