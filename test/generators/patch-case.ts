/**
 * Policies of `json.patch` with several operations: on objects with any keys and on sets, at paths
 * that earlier operations made, moved or removed.
 */
import type { Value } from '../../values/value.js';
import { Choices } from './choices.js';
import type { PolicyCase } from './random-case.js';

const keys = [
  '"a"',
  '"b"',
  '1',
  '0',
  '"0"',
  '"1"',
  'true',
  'null',
  '1.5',
  '-1',
  '[1]',
  '{"a": 1}',
  '{1}',
  '""',
  '"a/b"',
  '"~"',
  '"-"',
  '"__proto__"',
];

const scalars = ['1', '"a"', 'true', 'null', 'input.v'];

class PatchGenerator extends Choices {
  case(): PolicyCase {
    const rules = this.times(
      8,
      (i) => `p${i} := json.patch(${this.#value(3)}, [${this.times(1 + this.below(4), () => this.#operation()).join(', ')}])`,
    );
    return {
      modules: new Map([['0.rego', `package t\n\n${rules.join('\n\n')}\n`]]),
      regoVersion: 'v1',
      data: {},
      inputs: this.#inputs(),
      paths: rules.map((_, i) => ['t', `p${i}`]),
    };
  }

  #inputs(): readonly Value[] {
    return [
      { v: 'a', k: 'b' },
      { v: { a: 1, b: [1, { a: 2 }] }, k: 0 },
    ];
  }

  #value(depth: number): string {
    const kind = depth === 0 ? 0 : this.below(8);
    if (kind < 1) return this.one(scalars);
    const items = (): readonly string[] => this.times(this.below(4), () => this.#value(depth - 1));
    if (kind < 3) return `[${items().join(', ')}]`;
    if (kind < 4) return `{${['"a"', ...items()].join(', ')}}`;
    const own = new Set(this.times(1 + this.below(4), () => this.#key()));
    return `{${[...own].map((key) => `${key}: ${this.#value(depth - 1)}`).join(', ')}}`;
  }

  /** Mostly one of the first: operations must meet. */
  #key(): string {
    return this.chance(60) ? keys[this.below(4)]! : this.chance(10) ? 'input.k' : this.one(keys);
  }

  #operation(): string {
    const op = this.one(['add', 'add', 'add', 'add', 'add', 'add', 'add', 'add', 'replace', 'remove', 'move', 'copy', 'test']);
    const from = op === 'move' || op === 'copy' ? `, "from": ${this.#path()}` : '';
    const value = op === 'remove' || from !== '' ? '' : `, "value": ${this.#value(2)}`;
    return `{"op": "${op}", "path": ${this.#path()}${from}${value}}`;
  }

  #path(): string {
    const path = this.times(this.chance(5) ? 0 : this.chance(75) ? 1 : 2, () => this.#key());
    if (this.chance(70)) return `[${path.join(', ')}]`;
    const texts = path.map((key) => key.replaceAll(/^"|"$/g, '').replaceAll('~', '~0').replaceAll('/', '~1'));
    return JSON.stringify(texts.map((text) => `/${text}`).join(''));
  }
}

export function patchCase(seed: number): PolicyCase {
  return new PatchGenerator(seed).case();
}
