/**
 * Valid plans of all kinds of nesting from a list of choices. Where the list ends, the simplest
 * choice is taken, so that a shorter list is a smaller plan. Locals have roles by their numbers,
 * which keep values from containing themselves. Patterns of compilers are frequent (rules that
 * first compare a constant, loops that first compare a value of their elements), since lowering
 * looks for them.
 */
import { effectsOf } from '../../ir-schema/effects.js';
import { madeLocals } from '../../ir-schema/made-locals.js';
import type { Block, Policy, Stmt } from '../../ir-schema/plan.js';
import type { ShortBlock, ShortFunc, ShortPolicy, ShortStmt } from './short-plan-testing.js';

interface GeneratorOptions {
  /** No constant is assigned once, so that no loop may end early and errors must agree. */
  readonly withoutEarlyExit?: boolean;
  /**
   * Any local may be mutated in place, and containers have several names. The verifier may need a
   * statement that makes such a local's value (see `admitted`).
   */
  readonly changesAnything?: boolean;
}

const arrays = [10, 11];
const objects = [12, 13];
const sets = [14, 15];
const containers = [...arrays, ...objects, ...sets];
/** Hold any value but one that may contain a container of this function. */
const general = [20, 21, 22, 23, 24];
/** Hold anything, and are put into nothing. */
const derived = [30, 31, 32];
const keys = ['a', 'b', 'c', 'method', 'user', '__proto__', 'length', '', 'a\u0000b'];
const constants = ['GET', 'POST', 'PUT', 'x', 'y', 'z'];
const numbers = ['1', '1.0', '2', '10000000000000000000000'];

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
  const element = (): unknown =>
    choose(8) === 7 ? scalar() : Object.fromEntries(['user', 'a'].slice(choose(3) >> 1).map((key) => [key, scalar()]));
  return {
    ...(value(2) as object | null),
    method: scalar(),
    a: value(3),
    list: Array.from({ length: choose(2) * 8 + choose(4) }, element),
    b: { a: scalar(), list: Array.from({ length: 8 + choose(3) }, element) },
  };
}

/**
 * The same policy, with statements after its ends that make the mutated values, where the
 * verifier needs them.
 */
export function admitted(policy: Policy): Policy {
  const place = { file: 0, row: 1, col: 1, end_row: 1, end_col: 2 };
  const add = <T extends { readonly blocks: readonly Block[] | null }>(body: T): T => {
    const blocks = body.blocks ?? [];
    const own = madeLocals(blocks, { scanned: false });
    const missing = new Set<number>();
    const visit = (block: Block): void => {
      for (const stmt of block.stmts) {
        const { mutates, blocks: inner } = effectsOf(stmt);
        for (const local of mutates) if (!own.has(local)) missing.add(local);
        for (const one of inner) visit(one);
      }
    };
    for (const block of blocks) visit(block);
    if (missing.size === 0) return body;
    const stmts = [...missing].map((target): Stmt => ({ type: 'MakeObjectStmt', stmt: { ...place, target } }));
    return { ...body, blocks: [...blocks, { stmts }] };
  };
  const plans = policy.plans?.plans?.map(add) ?? null;
  const funcs = policy.funcs?.funcs?.map(add) ?? null;
  return { ...policy, plans: { ...policy.plans, plans }, funcs: { ...policy.funcs, funcs } } as Policy;
}

function chooser(choices: readonly number[]): (count: number) => number {
  let next = 0;
  return (count) => (next < choices.length ? choices[next++]! % count : 0);
}

class Generator {
  readonly #choose: (count: number) => number;
  readonly #options: GeneratorOptions;
  #params: readonly number[] = [0, 1];
  #callable: readonly { readonly name: string; readonly arity: number }[] = [];
  #inPlan = false;
  #inLoop = false;
  /** Locals above the roles' hold the same values as the general ones. */
  #next = 50;
  #recent: readonly number[] = [];

  constructor(choices: readonly number[], options: GeneratorOptions) {
    this.#choose = chooser(choices);
    this.#options = options;
  }

  policy(): ShortPolicy {
    const funcs: { [name: string]: ShortFunc } = {};
    const count = this.#choose(5);
    for (let i = 0; i < count; i++) {
      const arity = 2 + (this.#choose(3) === 2 ? 1 + this.#choose(2) : 0);
      this.#params = [0, 1, 5, 6].slice(0, arity);
      funcs[`f${i}`] = { params: this.#params, return: 2, path: ['g', `f${i}`], blocks: this.#function() };
      this.#callable = [...this.#callable, { name: `f${i}`, arity }];
    }
    this.#params = [0, 1];
    this.#inPlan = true;
    const blocks = [...this.#callEach(), ...this.#blocks(3, 3), ...shown, makers];
    return { plans: { main: blocks }, funcs };
  }

  /** The plan shows the result of each function. */
  #callEach(): ShortBlock[] {
    return this.#callable.map(
      ({ name, arity }): ShortBlock => [
        ['AssignVar', { source: this.#pick([0, 1]), target: 20 }],
        ['Call', { func: name, args: [0, 1, 20, 'x'].slice(0, arity), result: 3 }],
        ['MakeObject', { target: 4 }],
        ['ObjectInsert', { key: name, value: 3, object: 4 }],
        ['ResultSetAdd', { value: 4 }],
      ],
    );
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#choose(list.length)]!;
  }

  #function(): ShortBlock[] {
    const blocks = this.#choose(3) === 2 ? this.#dispatched() : this.#blocks(4, 3);
    return [...blocks, [['ReturnLocal', { source: 2 }]], makers];
  }

  /**
   * Rules that first compare with a constant, some in two blocks, and sometimes one that does
   * not.
   */
  #dispatched(): ShortBlock[] {
    const key = this.#pick(['method', 'a', 'b']);
    const below = this.#choose(4) === 3;
    const blocks: ShortBlock[] = [];
    for (let i = 4 + this.#choose(4); i > 0; i--) {
      if (this.#choose(7) === 6) {
        blocks.push(...this.#blocks(2, 2));
        continue;
      }
      const own = this.#pick([3, 4, 6, 20]);
      const [at, part] = this.#pick([
        [40, 41],
        [42, 41],
        [this.#next++, this.#next++],
        [20, 21],
      ] as const);
      const guard: ShortStmt[] = [['Dot', { source: 0, key, target: at }]];
      if (below) guard.push(['Dot', { source: at, key: 'a', target: part }]);
      const constant = this.#choose(6) === 5 ? this.#choose(2) === 0 : this.#pick(constants.slice(0, 4));
      guard.push(['Equal', { a: below ? part : at, b: constant }]);
      const rest = this.#stmts(1 + this.#choose(2), 2, 1);
      // A result that has its value already skips the block.
      if (this.#choose(4) === 3) guard.unshift(['IsUndefined', { source: this.#pick([2, own]) }]);
      if (this.#choose(2) === 0) blocks.push([...guard, ...rest, this.#assignResult()]);
      else {
        blocks.push([['ResetLocal', { target: own }], ...guard, ...rest, ['AssignVarOnce', { source: this.#constantOr(23), target: own }]]);
        blocks.push([
          ['IsDefined', { source: own }],
          ['AssignVarOnce', { source: own, target: 2 }],
        ]);
      }
    }
    return blocks;
  }

  #constantOr(local: number): string | boolean | number {
    if (this.#options.withoutEarlyExit === true) return local;
    return this.#pick<string | boolean | number>([true, 'x', local]);
  }

  #assignResult(): ShortStmt {
    const source =
      this.#options.withoutEarlyExit === true ? this.#pick(general) : this.#pick<string | boolean | number>([true, 'x', 20, 10, 12]);
    return this.#choose(3) === 2 ? ['AssignVar', { source, target: 2 }] : ['AssignVarOnce', { source, target: 2 }];
  }

  #blocks(most: number, depth: number): ShortBlock[] {
    return Array.from({ length: 1 + this.#choose(most) }, () => [
      ...this.#stmts(1 + this.#choose(5), depth, 1),
      ...(this.#inPlan ? [] : [this.#assignResult()]),
    ]);
  }

  /** `nesting` is the number of blocks around, this one included. */
  #stmts(count: number, depth: number, nesting: number): ShortStmt[] {
    return Array.from({ length: count }, () => {
      const stmts = this.#stmt(depth, nesting);
      // Most statements fail, so some stand in blocks of their own: the next ones still run.
      return this.#choose(3) === 1 ? [['Block', { blocks: [stmts] }] as const] : stmts;
    }).flat();
  }

  /** A local to write: one of a few that are reused, or, as compilers do, a new one. */
  #target(): number {
    if (this.#choose(2) === 0) return this.#pick(general);
    const local = this.#next++;
    this.#recent = [local, ...this.#recent].slice(0, 3);
    return local;
  }

  #any(): number {
    return this.#pick([...this.#recent, ...general]);
  }

  #source(): number {
    return this.#pick([...this.#params, ...this.#recent, ...general, ...containers, ...derived]);
  }

  /** A value that may be put into a container. */
  #storable(): number | string | boolean {
    return this.#pick<number | string | boolean>([...this.#recent, ...general, ...this.#params, 'x', 'GET', true, false]);
  }

  #operand(): number | string | boolean {
    return this.#pick<number | string | boolean>([
      ...this.#recent,
      ...general,
      ...this.#params,
      ...derived,
      ...constants,
      ...containers,
      true,
    ]);
  }

  #stmt(depth: number, nesting: number): ShortStmt[] {
    const kinds = depth > 0 ? 28 : 20;
    switch (this.#choose(kinds)) {
      case 0:
        return [
          [
            'Dot',
            {
              source: this.#pick([...this.#params, ...this.#recent, ...general]),
              key: this.#pick([...keys, 20, 21]),
              target: this.#target(),
            },
          ],
        ];
      case 1:
        if (this.#choose(3) < 2) return [this.#inPlan ? ['Nop'] : this.#assignResult()];
        return [[this.#pick(['Equal', 'NotEqual']), { a: this.#operand(), b: this.#operand() }]];
      case 2:
        return [['AssignVar', { source: this.#storable(), target: this.#target() }]];
      case 3:
        return [this.#inPlan ? ['Nop'] : this.#assignResult()];
      case 4:
        if (this.#choose(3) < 2) return this.#elementScan(depth, nesting);
        return [[this.#pick(['IsDefined', 'IsUndefined']), { source: this.#source() }]];
      case 5:
        if (this.#choose(3) < 2) return this.#output();
        return [[this.#pick(['IsArray', 'IsObject', 'IsSet']), { source: this.#operand() }]];
      case 6:
        return [[this.#pick(['MakeArray']), { target: this.#pick(arrays) }], ...this.#mutation()];
      case 7:
        return [['MakeObject', { target: this.#pick(objects) }], ...this.#mutation()];
      case 8:
        return [['MakeSet', { target: this.#pick(sets) }], ...this.#mutation()];
      case 9:
        return this.#mutation();
      case 10:
        return [['Len', { source: this.#operand(), target: this.#target() }]];
      case 11:
        return [['ResetLocal', { target: this.#pick([...general, ...derived, 2]) }]];
      case 12:
        return [
          this.#choose(3) === 0
            ? ['MakeNull', { target: this.#target() }]
            : ['MakeNumberInt', { target: this.#target(), value: this.#choose(3) }],
        ];
      case 13:
        return [['MakeNumberRef', { target: this.#target(), index: this.#pick(numbers) }]];
      case 14:
        return [['Break', { index: this.#choose(nesting) }]];
      case 15:
        return this.#call();
      case 16:
        return this.#comparison();
      case 17:
        return [['Dot', { source: this.#source(), key: this.#operand(), target: this.#pick(derived) }]];
      case 18:
        return this.#output();
      case 19:
        return this.#literal();
      case 20:
      case 21:
        return this.#scan(depth, nesting);
      case 22:
        return this.#elementScan(depth, nesting);
      case 23:
        return [['Not', { block: this.#stmts(1 + this.#choose(3), depth - 1, nesting + 1) }]];
      case 24:
        return [
          [
            'Block',
            { blocks: Array.from({ length: 1 + this.#choose(3) }, () => this.#stmts(1 + this.#choose(3), depth - 1, nesting + 1)) },
          ],
        ];
      case 25:
        return this.#with(depth, nesting);
      case 26:
        return this.#groupScan(depth, nesting);
      default:
        return [['AssignVarOnce', { source: this.#constantOr(this.#any()), target: this.#pick([...general, 3]) }]];
    }
  }

  /** A local to change: one of a kind, or whatever holds anything. */
  #changed(kind: readonly number[]): number {
    if (this.#options.changesAnything !== true || this.#choose(3) === 0) return this.#pick(kind);
    return this.#pick([...derived, ...this.#recent, ...general, ...this.#params]);
  }

  #mutation(): ShortStmt[] {
    if (this.#options.changesAnything === true && this.#choose(4) === 3) return this.#renaming();
    switch (this.#choose(5)) {
      case 0:
        return [['ArrayAppend', { array: this.#changed(arrays), value: this.#storable() }]];
      case 1:
        return [['SetAdd', { set: this.#changed(sets), value: this.#storable() }]];
      case 2:
        return [['ObjectInsert', { object: this.#changed(objects), key: this.#pick([...keys, 20, true]), value: this.#storable() }]];
      case 3:
        return [['ObjectInsertOnce', { object: this.#changed(objects), key: this.#pick([...keys, 20, 21]), value: this.#storable() }]];
      default:
        return [
          [
            'ObjectMerge',
            { a: this.#pick([...this.#params, ...general]), b: this.#pick([...this.#params, ...general]), target: this.#target() },
          ],
        ];
    }
  }

  /**
   * A container with another name, in another container, passed to a function, or looked up
   * again.
   */
  #renaming(): ShortStmt[] {
    const container = this.#pick(containers);
    switch (this.#choose(5)) {
      case 0:
        return [['AssignVar', { source: container, target: this.#pick([...general, ...derived]) }]];
      case 1:
        return [['ArrayAppend', { array: this.#changed(arrays), value: this.#pick([...objects, ...sets]) }]];
      case 2:
        return [['ObjectInsert', { object: 12, key: this.#pick(keys), value: this.#pick([...sets, 13]) }]];
      case 3:
        return [
          ['Dot', { source: this.#pick([10, 11, 12]), key: this.#pick(keys), target: this.#pick([...general, ...derived, ...containers]) }],
        ];
      default: {
        const callee = this.#callable.length > 0 ? this.#pick(this.#callable) : undefined;
        if (callee === undefined) return [['SetAdd', { set: 14, value: this.#pick([10, 11, 12, 13, 15]) }]];
        return [['Call', { func: callee.name, args: [container, 1, container, 'x'].slice(0, callee.arity), result: this.#pick(derived) }]];
      }
    }
  }

  /** A collection put together of constants, or nearly so. */
  #literal(): ShortStmt[] {
    const [one, other] = [this.#next++, this.#next++];
    const stmts: ShortStmt[] = [
      [this.#pick(['MakeArray', 'MakeArray', 'MakeNull']), { target: one }],
      ['MakeObject', { target: other }],
    ];
    for (let i = this.#choose(4); i > 0; i--) {
      const append: ShortStmt = [
        'ArrayAppend',
        { array: one, value: this.#pick<number | string | boolean>(['x', 'y', true, this.#any()]) },
      ];
      stmts.push(this.#choose(4) === 3 ? ['Block', { blocks: [[append]] }] : append);
    }
    const key = this.#pick<string | number>(['a', 'b', '__proto__', this.#any()]);
    stmts.push(['ObjectInsert', { object: other, key, value: this.#choose(2) === 0 ? one : 'x' }]);
    // The verifier wants to see that the first may be an array.
    if (stmts[0]![0] === 'MakeNull') stmts.push(['MakeArray', { target: one }]);
    this.#recent = [one, other, ...this.#recent].slice(0, 3);
    return stmts;
  }

  #call(): ShortStmt[] {
    const args = () => this.#pick([...this.#recent, ...general, ...this.#params]);
    const builtins = [
      ['plus', 2],
      ['minus', 2],
      ['mul', 2],
      ['count', 1],
      ['equal', 2],
      ['lt', 2],
      ['internal.member_2', 2],
      ['object.get', 3],
    ] as const;
    if (this.#callable.length === 0 || this.#choose(3) === 0) {
      const [func, arity] = this.#pick(builtins);
      return [['Call', { func, args: Array.from({ length: arity }, args), result: this.#target() }]];
    }
    const { name, arity } = this.#pick(this.#callable);
    const given = [this.#pick([0, 0, 0, 20]), 1, args(), args()].slice(0, arity);
    if (this.#choose(4) === 3)
      return [['CallDynamic', { path: ['g', this.#pick<string | number>([name, 20])], args: given, result: this.#target() }]];
    return [['Call', { func: name, args: given, result: this.#target() }]];
  }

  /** As compilers write a comparison: its value, then a test that it is not false. */
  #comparison(): ShortStmt[] {
    const result = this.#pick(general);
    const func = this.#pick(['lt', 'lte', 'gt', 'gte', 'equal', 'neq', 'internal.member_2']);
    return [
      ['Call', { func, args: [this.#storable(), this.#storable()], result }],
      ['NotEqual', { a: result, b: false }],
    ];
  }

  #output(): ShortStmt[] {
    if (!this.#inPlan) return [['ReturnLocal', { source: this.#pick([2, ...general, ...containers]) }]];
    return [
      ['MakeObject', { target: 4 }],
      ['ObjectInsert', { key: this.#pick(keys), value: this.#any(), object: 4 }],
      ['ResultSetAdd', { value: 4 }],
    ];
  }

  #scan(depth: number, nesting: number): ShortStmt[] {
    const own = this.#choose(4) === 3;
    const [key, value] = own ? [this.#pick(derived), this.#pick(derived)] : [this.#target(), this.#target()];
    const source = own ? this.#source() : this.#pick([...this.#params, ...this.#recent, ...general]);
    return [['Scan', { source, key, value, block: this.#stmts(1 + this.#choose(4), depth - 1, nesting + 1) }]];
  }

  /**
   * A loop in a loop over a list, which first compares a value of its elements: the VM indexes
   * such lists.
   */
  #elementScan(depth: number, nesting: number): ShortStmt[] {
    const [list, key, element, asked, outer] = this.#choose(5) === 4 ? ([20, 21, 22, 23, 24] as const) : this.#fresh();
    let wanted: number = outer;
    const root = this.#pick([0, 1]);
    const alone = this.#inLoop || depth < 2;
    const stmts: ShortStmt[] =
      this.#choose(2) === 0
        ? [
            ['Dot', { source: root, key: 'b', target: 30 }],
            ['Dot', { source: 30, key: 'list', target: list }],
          ]
        : [['Dot', { source: root, key: 'list', target: list }]];
    const known = this.#choose(4);
    const test: ShortStmt[] = known === 3 ? this.#wanted((wanted = this.#next++)) : [];
    if (known === 0) test.push(['Dot', { source: 0, key: 'method', target: wanted }]);
    if (this.#choose(4) === 3) test.push(['Block', { blocks: [[['Break', { index: this.#choose(2) }]]] }]);
    test.push(['Dot', { source: element, key: this.#pick(['user', 'a']), target: asked }]);
    test.push([
      'Equal',
      this.#choose(2) === 0 ? { a: asked, b: known === 1 ? 'x' : wanted } : { a: known === 1 ? true : wanted, b: asked },
    ]);
    const inner: ShortStmt = [
      'Scan',
      { source: list, key, value: element, block: [...test, ...this.#stmts(1 + this.#choose(2), depth - 1, nesting + (alone ? 1 : 2))] },
    ];
    if (alone) return [...stmts, inner];
    this.#inLoop = true;
    const around: ShortStmt = [
      'Scan',
      {
        source: list,
        key: 31,
        value: 32,
        block: [['Dot', { source: 32, key: 'user', target: outer }], inner, ...this.#stmts(1, depth - 2, nesting + 1)],
      },
    ];
    this.#inLoop = false;
    return [...stmts, around];
  }

  /** A value that is the same in each round of a loop. */
  #wanted(target: number): ShortStmt[] {
    const [callee] = this.#callable.filter(({ arity }) => arity === 2);
    const part = this.#next++;
    switch (this.#choose(callee === undefined ? 3 : 5)) {
      case 0:
        return [['MakeNumberInt', { target, value: 1 + this.#choose(2) }]];
      case 1:
        return [
          ['Dot', { source: 0, key: 'b', target: part }],
          ['Dot', { source: part, key: this.#pick(['a', 'none']), target }],
        ];
      case 2:
        return [['Call', { func: 'count', args: [this.#pick([0, 1, 20])], result: target }]];
      default: {
        const result = this.#choose(2) === 0 ? target : part;
        const call: ShortStmt = ['Call', { func: callee!.name, args: [0, 1], result }];
        return result === target ? [call] : [call, ['Dot', { source: part, key: this.#pick(keys), target }]];
      }
    }
  }

  /**
   * A loop that groups: it collects the elements with the same value as its own element. Most
   * often a round depends on that value only, so that the VM leaves out repeated rounds.
   */
  #groupScan(depth: number, nesting: number): ShortStmt[] {
    const at = this.#next;
    this.#next += 10;
    const [list, key, element, group, mine, innerKey, inner, asked, total, n] = Array.from({ length: 10 }, (_, i) => at + i) as number[];
    const collected: ShortStmt[] = [
      ['MakeArray', { target: mine! }],
      [
        'Block',
        {
          blocks: [
            [
              [
                'Scan',
                {
                  source: list!,
                  key: innerKey!,
                  value: inner!,
                  block: [
                    ['Dot', { source: inner!, key: 'user', target: asked! }],
                    ['Equal', { a: asked!, b: group! }],
                    ['Dot', { source: inner!, key: 'a', target: n! }],
                    ['ArrayAppend', { array: mine!, value: this.#pick([innerKey!, n!, inner!, group!]) }],
                  ],
                },
              ],
            ],
          ],
        },
      ],
    ];
    const more = (): ShortStmt[] => (this.#choose(3) === 2 ? this.#stmts(1, depth - 1, nesting + 1) : []);
    const value = this.#pick([mine!, total!, group!]);
    const effect = this.#pick<ShortStmt>([
      ['SetAdd', { set: 14, value }],
      ['ObjectInsertOnce', { object: 12, key: group!, value }],
      ['AssignVarOnce', { source: value, target: this.#pick([20, 2]) }],
      ['ObjectInsert', { object: 12, key: this.#pick<string | number>(['a', group!]), value }],
      ['ArrayAppend', { array: 10, value: group! }],
      ['SetAdd', { set: 14, value: key! }],
    ]);
    const block: ShortStmt[] = [
      ...(this.#choose(3) === 2 ? ([['Dot', { source: element!, key: 'a', target: total! }]] as const) : []),
      ['Dot', { source: element!, key: 'user', target: group! }],
      ...more(),
      ...collected,
      ['Call', { func: this.#pick(['count', 'sum', 'max', 'min']), args: [mine!], result: total! }],
      ...more(),
      effect,
    ];
    return [
      ['Dot', { source: this.#pick([0, 1]), key: 'list', target: list! }],
      ['Scan', { source: list!, key: key!, value: element!, block }],
    ];
  }

  #fresh(): readonly [number, number, number, number, number] {
    const at = this.#next;
    this.#next += 5;
    return [at, at + 1, at + 2, at + 3, at + 4];
  }

  #with(depth: number, nesting: number): ShortStmt[] {
    const path = this.#pick<readonly string[] | null>([['a'], null, ['b', 'list'], ['method'], ['a', 'b', '__proto__'], []]);
    const local = this.#pick([0, 1, 0, 1, 20, 5]);
    return [['With', { local, path, value: this.#storable(), block: this.#stmts(1 + this.#choose(4), depth - 1, nesting + 1) }]];
  }
}
