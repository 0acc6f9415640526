/**
 * Valid plans of all kinds of nesting from a list of choices. Where the list ends, the simplest
 * choice is taken, so that a shorter list is a smaller plan. Locals have roles by their numbers,
 * which keep values from containing themselves. Patterns of compilers are frequent (rules that
 * first compare a constant, loops that first compare a value of their elements), since lowering
 * looks for them.
 */

import type { ShortBlock, ShortFunc, ShortPolicy, ShortStmt } from '../../harness/short-plan.js';
import {
  arrays,
  Choices,
  chooser,
  constants,
  containers,
  derived,
  type GeneratorOptions,
  general,
  keys,
  numbers,
  objects,
  sets,
} from './choices.js';
import { elementScan, groupScan, type Nested, pairScan, scan, withStatement } from './loops.js';
import { assignResult, call, comparison, literal, mutation, output, valueOfBlock } from './statements.js';

/** The verifier needs a statement that makes each mutated value. */
const makers: ShortBlock = [
  ...arrays.map((target): ShortStmt => ['MakeArray', { target }]),
  ...objects.map((target): ShortStmt => ['MakeObject', { target }]),
  ...sets.map((target): ShortStmt => ['MakeSet', { target }]),
];

/** The values that a plan made are results at its end: until then they may change. */
const shown: readonly ShortBlock[] = containers.map(
  (local): ShortBlock => [
    ['MakeObject', { target: 4 }],
    ['ObjectInsert', { key: 'made', value: local, object: 4 }],
    ['ResultSetAdd', { value: 4 }],
  ],
);

/** A plan `main` with some functions. */
export function generatePolicy(choices: readonly number[], options: GeneratorOptions = {}): ShortPolicy {
  return new Generator(choices, options).policy();
}

/** Documents such as the plans look into; `choices` as above. */
export function generateDocument(choices: readonly number[]): { readonly [key: string]: unknown } {
  const choose = chooser(choices);
  const scalar = () => ['GET', 'POST', 'PUT', 'x', 'y', true, false, null, 1, 1.5, 2][choose(11)];
  const value = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : choose(4);
    if (kind === 0 || kind === 3) return scalar();
    if (kind === 1) return Array.from({ length: choose(4) }, () => value(depth - 1));
    return Object.fromEntries(Array.from({ length: choose(4) }, () => [keys[choose(keys.length)]!, value(depth - 1)]));
  };
  const row = (user = scalar): unknown =>
    choose(8) === 7 ? scalar() : Object.fromEntries(['user', 'a'].slice(choose(3) >> 1).map((key) => [key, user()]));
  const rows = (): unknown => (choose(4) === 3 ? value(2) : Array.from({ length: choose(4) }, () => (choose(3) === 2 ? scalar() : row())));
  const element = (): unknown => {
    const made = row();
    return typeof made === 'object' && made !== null && choose(2) === 1 ? { ...made, rows: rows() } : made;
  };
  const elements = (length: number) => Array.from({ length }, element);
  const method = scalar();
  const a = value(3);
  // Many equal values are found by a second one.
  const isDense = choose(8) === 7;
  const dense = () => ['x', 'x', 'y'][choose(3)]!;
  const isRegular = choose(2) === 1;
  const list = isDense
    ? Array.from({ length: 18 }, () => (isRegular ? { user: dense(), a: choose(6) === 5 ? scalar() : dense() } : row(dense)))
    : elements(choose(2) * 8 + choose(4));
  const below = { a: scalar(), list: elements(8 + choose(3)) };
  const asObject = choose(4) === 3;
  return {
    ...(value(2) as object | null),
    method,
    a,
    list,
    b: asObject ? { ...below, list: Object.fromEntries(below.list.map((one, i) => [`k${(i * 7) % 11}`, one])) } : below,
  };
}

class Generator {
  readonly #c: Choices;
  readonly #nested: Nested = (count, depth, nesting) => this.#stmts(count, depth, nesting);

  constructor(choices: readonly number[], options: GeneratorOptions) {
    this.#c = new Choices(choices, options);
  }

  policy(): ShortPolicy {
    const funcs: { [name: string]: ShortFunc } = {};
    const count = this.#c.choose(5);
    for (let i = 0; i < count; i++) {
      const arity = 2 + (this.#c.choose(3) === 2 ? 1 + this.#c.choose(2) : 0);
      this.#c.params = [0, 1, 5, 6].slice(0, arity);
      funcs[`f${i}`] = { params: this.#c.params, return: 2, path: ['g', `f${i}`], blocks: this.#function() };
      this.#c.callable = [...this.#c.callable, { name: `f${i}`, arity }];
    }
    this.#c.params = [0, 1];
    this.#c.inPlan = true;
    const blocks = [...this.#callEach(), ...this.#blocks(3, 3), ...shown, makers];
    return { plans: { main: blocks }, funcs };
  }

  /** The plan shows the result of each function. */
  #callEach(): ShortBlock[] {
    return this.#c.callable.map(
      ({ name, arity }): ShortBlock => [
        ['AssignVar', { source: this.#c.pick([0, 1]), target: 20 }],
        ['Call', { func: name, args: [0, 1, 20, 'x'].slice(0, arity), result: 3 }],
        ['MakeObject', { target: 4 }],
        ['ObjectInsert', { key: name, value: 3, object: 4 }],
        ['ResultSetAdd', { value: 4 }],
      ],
    );
  }

  /** A function with nothing but a loop that groups by two values. */
  #pairs(): ShortBlock[] {
    const made: ShortBlock = [
      ['MakeSet', { target: 14 }],
      ['MakeObject', { target: 12 }],
    ];
    const result = this.#c.pick([12, 14]);
    return [made, pairScan(this.#c), [['AssignVarOnce', { source: result, target: 2 }]]];
  }

  #function(): ShortBlock[] {
    if (this.#c.choose(8) === 7) return [...this.#pairs(), [['ReturnLocal', { source: 2 }]], makers];
    const blocks = this.#c.choose(3) === 2 ? this.#dispatched() : this.#blocks(4, 3);
    return [...blocks, [['ReturnLocal', { source: 2 }]], makers];
  }

  /**
   * Rules that first compare with a constant, some in two blocks, and sometimes one that does
   * not.
   */
  #dispatched(): ShortBlock[] {
    const key = this.#c.pick(['method', 'a', 'b']);
    const below = this.#c.choose(4) === 3;
    const atPosition = !below && this.#c.choose(4) === 3;
    const chain = this.#c.choose(4) === 3 ? this.#c.pick([3, 4]) : undefined;
    const blocks: ShortBlock[] = [];
    for (let i = 4 + this.#c.choose(4); i > 0; i--) {
      if (this.#c.choose(7) === 6) {
        blocks.push(...this.#blocks(2, 2));
        continue;
      }
      const own = this.#c.pick([3, 4, 6, 20]);
      const [at, part] = this.#c.pick([
        [40, 41],
        [42, 41],
        [this.#c.next++, this.#c.next++],
        [20, 21],
      ] as const);
      const guard: ShortStmt[] = [['Dot', { source: 0, key, target: at }]];
      if (below) guard.push(['Dot', { source: at, key: 'a', target: part }]);
      if (atPosition) {
        if (this.#c.choose(2) === 1)
          guard.push(['IsArray', { source: at }], ['Len', { source: at, target: 43 }], ['NotEqual', { a: 43, b: 'x' }]);
        guard.push(['MakeNumberInt', { value: this.#c.choose(2), target: 44 }], ['Dot', { source: at, key: 44, target: part }]);
      }
      const compared = below || atPosition ? part : at;
      if (this.#c.choose(3) === 2) {
        const number: ShortStmt =
          this.#c.choose(3) === 2
            ? ['MakeNumberRef', { index: '1.50', target: 45 }]
            : ['MakeNumberInt', { value: 1 + this.#c.choose(2), target: 45 }];
        guard.push(number, ['Equal', { a: compared, b: 45 }]);
      } else {
        const constant = this.#c.choose(6) === 5 ? this.#c.choose(2) === 0 : this.#c.pick(constants.slice(0, 4));
        guard.push(['Equal', { a: compared, b: constant }]);
      }
      const rest = this.#stmts(1 + this.#c.choose(2), 2, 1);
      // A result that has its value already skips the block.
      if (chain !== undefined) {
        // An `else`, whose result is that of the rule behind the last of them.
        guard.unshift([blocks.length === 0 ? 'ResetLocal' : 'IsUndefined', blocks.length === 0 ? { target: chain } : { source: chain }]);
        blocks.push([...guard, ...rest, ['AssignVarOnce', { source: this.#c.constantOr(23), target: chain }]]);
        continue;
      }
      if (this.#c.choose(4) === 3) guard.unshift(['IsUndefined', { source: this.#c.pick([2, own]) }]);
      if (this.#c.choose(2) === 0) blocks.push([...guard, ...rest, assignResult(this.#c)]);
      else {
        blocks.push([
          ['ResetLocal', { target: own }],
          ...guard,
          ...rest,
          ['AssignVarOnce', { source: this.#c.constantOr(23), target: own }],
        ]);
        blocks.push([
          ['IsDefined', { source: own }],
          ['AssignVarOnce', { source: own, target: 2 }],
        ]);
      }
    }
    if (chain !== undefined) {
      blocks.push([
        ['IsDefined', { source: chain }],
        ['AssignVarOnce', { source: chain, target: 2 }],
      ]);
    }
    return blocks;
  }

  #blocks(most: number, depth: number): ShortBlock[] {
    return Array.from({ length: 1 + this.#c.choose(most) }, () => [
      ...this.#stmts(1 + this.#c.choose(5), depth, 1),
      ...(this.#c.inPlan ? [] : [assignResult(this.#c)]),
    ]);
  }

  /** `nesting` is the number of blocks around, this one included. */
  #stmts(count: number, depth: number, nesting: number): ShortStmt[] {
    return Array.from({ length: count }, () => {
      const stmts = this.#stmt(depth, nesting);
      // Most statements fail, so some stand in blocks of their own: the next ones still run.
      return this.#c.choose(3) === 1 ? [['Block', { blocks: [stmts] }] as const] : stmts;
    }).flat();
  }

  #stmt(depth: number, nesting: number): ShortStmt[] {
    const kinds = depth > 0 ? 29 : 20;
    switch (this.#c.choose(kinds)) {
      case 0:
        return [
          [
            'Dot',
            {
              source: this.#c.pick([...this.#c.params, ...this.#c.recent, ...general]),
              key: this.#c.pick([...keys, 20, 21]),
              target: this.#c.target(),
            },
          ],
        ];
      case 1:
        if (this.#c.choose(3) < 2) return [this.#c.inPlan ? ['Nop'] : assignResult(this.#c)];
        return [[this.#c.pick(['Equal', 'NotEqual']), { a: this.#c.operand(), b: this.#c.operand() }]];
      case 2:
        return [['AssignVar', { source: this.#c.storable(), target: this.#c.target() }]];
      case 3:
        return [this.#c.inPlan ? ['Nop'] : assignResult(this.#c)];
      case 4:
        if (this.#c.choose(3) < 2) return elementScan(this.#c, depth, nesting, this.#nested);
        return [[this.#c.pick(['IsDefined', 'IsUndefined']), { source: this.#c.source() }]];
      case 5:
        if (this.#c.choose(3) < 2) return output(this.#c);
        return [[this.#c.pick(['IsArray', 'IsObject', 'IsSet']), { source: this.#c.operand() }]];
      case 6:
        return [[this.#c.pick(['MakeArray']), { target: this.#c.pick(arrays) }], ...mutation(this.#c)];
      case 7:
        return [['MakeObject', { target: this.#c.pick(objects) }], ...mutation(this.#c)];
      case 8:
        return [['MakeSet', { target: this.#c.pick(sets) }], ...mutation(this.#c)];
      case 9:
        return mutation(this.#c);
      case 10:
        return [['Len', { source: this.#c.operand(), target: this.#c.target() }]];
      case 11:
        return [['ResetLocal', { target: this.#c.pick([...general, ...derived, 2]) }]];
      case 12:
        return [
          this.#c.choose(3) === 0
            ? ['MakeNull', { target: this.#c.target() }]
            : ['MakeNumberInt', { target: this.#c.target(), value: this.#c.choose(3) }],
        ];
      case 13:
        return [['MakeNumberRef', { target: this.#c.target(), index: this.#c.pick(numbers) }]];
      case 14:
        return [['Break', { index: this.#c.choose(nesting) }]];
      case 15:
        return call(this.#c);
      case 16:
        return comparison(this.#c);
      case 17:
        return [['Dot', { source: this.#c.source(), key: this.#c.operand(), target: this.#c.pick(derived) }]];
      case 18:
        return output(this.#c);
      case 19:
        return literal(this.#c);
      case 20:
      case 21:
        return scan(this.#c, depth, nesting, this.#nested);
      case 22:
        return elementScan(this.#c, depth, nesting, this.#nested);
      case 23:
        return [['Not', { block: this.#stmts(1 + this.#c.choose(3), depth - 1, nesting + 1) }]];
      case 24:
        return [
          [
            'Block',
            { blocks: Array.from({ length: 1 + this.#c.choose(3) }, () => this.#stmts(1 + this.#c.choose(3), depth - 1, nesting + 1)) },
          ],
        ];
      case 25:
        return withStatement(this.#c, depth, nesting, this.#nested);
      case 26:
        return groupScan(this.#c, depth, nesting, this.#nested);
      case 27:
        return valueOfBlock(this.#c);
      default:
        return [['AssignVarOnce', { source: this.#c.constantOr(this.#c.any()), target: this.#c.pick([...general, 3]) }]];
    }
  }
}
