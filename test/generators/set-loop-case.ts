/**
 * Policies of loops over sets: inside of each other, with calls between them that no other order
 * may make, and with numbers that are equal but print differently. Results are sets, objects, and
 * aggregates of lists.
 */
import { numberFromText } from '../../values/numbers/number.js';
import type { PlainObject, Value } from '../../values/value.js';
import { Choices } from './choices.js';
import type { PolicyCase } from './random-case.js';

const numbers: readonly Value[] = [0, 1, 2, 7, -1, 0.5, 0.25, 1e20, numberFromText('1.0'), numberFromText('0.1'), numberFromText('2.00')];

const others: readonly Value[] = ['a', 'b', true, null, ['z'], { x: 1 }];

/** Loops over sets; others give these their names. */
const domains = ['sets.a', 'sets.b', 'sets[k]', '{v | some v in input.n}', '{data.n[v] | some v in input.k}', 'input.k', 'data.lists[k]'];

const between = ['time.now_ns() >= 0', 'rand.intn("s", 5) >= 0', 'uuid.rfc4122(k) != ""', 'is_string(k)', 'not k == "b"', 'true'];

const sums = ['data.n[x]', 'data.n[x]', 'x', '(x + 0.25)', '(x * 2)'];

const elements = [...sums, '[x]', '{"e": x}', '[data.n[x], x]'];

const helpers = [
  'sets[k] := {v | some v in data.lists[k]} if some k in ["a", "b", "c"]',
  'two contains v if some v in sets.a',
  'two contains v if some v in sets.b',
].join('\n');

class SetLoopGenerator extends Choices {
  case(): PolicyCase {
    const rules = this.times(4, (i) => this.#rule(`p${i}`));
    return {
      modules: new Map([['0.rego', `package t\n\n${helpers}\n\n${rules.join('\n\n')}\n`]]),
      regoVersion: 'v1',
      data: {
        n: Object.fromEntries(['a', 'b', 'c', '1', '2'].map((key) => [key, this.one(numbers)])),
        lists: Object.fromEntries(['a', 'b', 'c'].map((key) => [key, this.#list()])),
      } as PlainObject,
      inputs: this.times(2, () => ({ k: this.shuffled(['a', 'b', 'c']), n: this.#list() })),
      paths: rules.map((_, i) => ['t', `p${i}`]),
    };
  }

  #list(): Value {
    return this.times(this.below(7), () => (this.chance(75) ? this.one(numbers) : this.one(others)));
  }

  #rule(name: string): string {
    const outer = this.one(['some k in input.k', 'some k in ["b", "a", "c"]', 'some k in {"c", "a", "b"}']);
    const inner = this.times(1 + this.below(2), (i) => `some ${i === 0 ? 'x' : `y${i}`} in ${this.one(domains)}`);
    const body = [outer, this.one(between), ...inner, ...(this.chance(30) ? [this.one(between)] : [])].join('; ');
    const aggregate = this.one(['sum', 'max', 'min', 'count']);
    // The type checker refuses the sum of other values.
    const element = this.one(aggregate === 'sum' ? sums : elements);
    const value = this.one([
      `${aggregate}([${element} | ${body}])`,
      `${aggregate}([${element} | some x in two])`,
      `${aggregate}([m | ${outer}; m := ${aggregate}([${element} | some x in sets[k]])])`,
      `{${element} | ${body}}`,
      `{k: ${aggregate}([${element} | some x in sets[k]]) | ${outer}}`,
      `[${element} | ${body}]`,
    ]);
    // Texts show which of equal numbers was first.
    return `${name} := json.marshal(${value})`;
  }
}

export function setLoopCase(seed: number): PolicyCase {
  return new SetLoopGenerator(seed).case();
}
