/** Loops and other statements with blocks, as generated plans have them. */

import type { ShortStmt } from '../../harness/short-plan.js';
import { type Choices, derived, general, keys } from './choices.js';

/** Generates statements; `nesting` is the number of blocks around, this one included. */
export type Nested = (count: number, depth: number, nesting: number) => ShortStmt[];

export function scan(c: Choices, depth: number, nesting: number, nested: Nested): ShortStmt[] {
  const own = c.choose(4) === 3;
  const [key, value] = own ? [c.pick(derived), c.pick(derived)] : [c.target(), c.target()];
  const source = own ? c.source() : c.pick([...c.params, ...c.recent, ...general]);
  return [['Scan', { source, key, value, block: nested(1 + c.choose(4), depth - 1, nesting + 1) }]];
}

/**
 * A loop in a loop over a list, which first compares a value of its elements: the VM indexes
 * such lists.
 */
export function elementScan(c: Choices, depth: number, nesting: number, nested: Nested): ShortStmt[] {
  const [list, key, element, asked, outer] = c.choose(5) === 4 ? ([20, 21, 22, 23, 24] as const) : c.fresh();
  let wanted: number = outer;
  const root = c.pick([0, 1]);
  const alone = c.inLoop || depth < 2;
  const stmts: ShortStmt[] =
    c.choose(2) === 0
      ? [
          ['Dot', { source: root, key: 'b', target: 30 }],
          ['Dot', { source: 30, key: 'list', target: list }],
        ]
      : [['Dot', { source: root, key: 'list', target: list }]];
  const known = c.choose(4);
  const test: ShortStmt[] = known === 3 ? repeatedValue(c, (wanted = c.next++)) : [];
  // Then only elements with this part lead to the value.
  if (known === 3 && c.choose(3) === 2) test.unshift(['Dot', { source: element, key: c.pick(['user', 'a', 'rows']), target: c.next++ }]);
  if (known === 0) test.push(['Dot', { source: 0, key: 'method', target: wanted }]);
  if (c.choose(4) === 3) test.push(['Block', { blocks: [[['Break', { index: c.choose(2) }]]] }]);
  if (c.choose(3) === 2) test.push(...testOfElement(c, element));
  // The value may be in members of a part of the element, and another comparison may follow.
  const inMembers = c.choose(4) === 3;
  const compared = inMembers ? c.next++ : element;
  const equal: ShortStmt[] = [['Dot', { source: compared, key: c.pick(['user', 'a']), target: asked }]];
  equal.push(['Equal', c.choose(2) === 0 ? { a: asked, b: known === 1 ? 'x' : wanted } : { a: known === 1 ? true : wanted, b: asked }]);
  if (c.choose(3) === 2) {
    const other = c.next++;
    equal.push(
      ['Dot', { source: compared, key: c.pick(['user', 'a']), target: other }],
      ['Equal', { a: other, b: c.pick([outer, wanted]) }],
    );
  }
  const levels = alone ? 1 : 2;
  const body = [...equal, ...nested(1 + c.choose(2), depth - 1, nesting + levels + (inMembers ? 1 : 0))];
  const rows = inMembers ? c.next++ : element;
  const result = c.next++;
  const isMember: ShortStmt[] = [
    ['Call', { func: 'internal.member_2', args: [known === 1 ? 'x' : wanted, rows], result }],
    ['NotEqual', { a: result, b: false }],
  ];
  const members: ShortStmt[] = [
    ['Dot', { source: element, key: 'rows', target: rows }],
    ...(c.choose(3) === 2
      ? [...isMember, ...nested(1, depth - 1, nesting + levels)]
      : [['Scan', { source: rows, key: inMembers ? c.next++ : key, value: compared, block: body }] as ShortStmt]),
  ];
  const inner: ShortStmt = ['Scan', { source: list, key, value: element, block: [...test, ...(inMembers ? members : body)] }];
  if (alone) return [...stmts, inner];
  c.inLoop = true;
  const around: ShortStmt = [
    'Scan',
    {
      source: list,
      key: 31,
      value: 32,
      block: [['Dot', { source: 32, key: 'user', target: outer }], inner, ...nested(1, depth - 2, nesting + 1)],
    },
  ];
  c.inLoop = false;
  return [...stmts, around];
}

/** A test of an element, which another comparison may follow. */
function testOfElement(c: Choices, element: number): ShortStmt[] {
  const part = c.next++;
  const found: ShortStmt = ['Dot', { source: element, key: c.pick(['user', 'a']), target: part }];
  const result = c.next++;
  switch (c.choose(4)) {
    case 0:
      return [found, ['Equal', { a: part, b: c.pick(['x', 'y', true]) }]];
    case 1:
      return [found, ['NotEqual', { a: part, b: 'x' }]];
    case 2:
      return [
        found,
        ['Call', { func: c.pick(['lt', 'neq', 'internal.member_2']), args: [part, 0], result }],
        ['NotEqual', { a: result, b: false }],
      ];
    default:
      return [['Not', { block: [found, ['NotEqual', { a: part, b: false }]] }]];
  }
}

/** A value that is the same in each round of a loop. */
function repeatedValue(c: Choices, target: number): ShortStmt[] {
  const [callee] = c.callable.filter(({ arity }) => arity === 2);
  const part = c.next++;
  switch (c.choose(callee === undefined ? 3 : 5)) {
    case 0:
      return [['MakeNumberInt', { target, value: 1 + c.choose(2) }]];
    case 1:
      return [
        ['Dot', { source: 0, key: 'b', target: part }],
        ['Dot', { source: part, key: c.pick(['a', 'none']), target }],
      ];
    case 2:
      return [['Call', { func: 'count', args: [c.pick([0, 1, 20])], result: target }]];
    default: {
      const result = c.choose(2) === 0 ? target : part;
      const call: ShortStmt = ['Call', { func: callee!.name, args: [0, 1], result }];
      return result === target ? [call] : [call, ['Dot', { source: part, key: c.pick(keys), target }]];
    }
  }
}

/**
 * A loop that groups: it collects the elements with the same value as its own element. Most
 * often a round depends on that value only, so that the VM leaves out repeated rounds.
 */
export function groupScan(c: Choices, depth: number, nesting: number, nested: Nested): ShortStmt[] {
  const at = c.next;
  c.next += 10;
  const [list, key, element, group, mine, innerKey, inner, asked, total, n] = Array.from({ length: 10 }, (_, i) => at + i) as number[];
  const second: ShortStmt[] = c.choose(4) === 3 ? [['Equal', { a: n!, b: c.pick([total!, 1]) }]] : [];
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
                  ...second,
                  ['ArrayAppend', { array: mine!, value: c.pick([innerKey!, n!, inner!, group!]) }],
                ],
              },
            ],
          ],
        ],
      },
    ],
  ];
  const more = (): ShortStmt[] => (c.choose(3) === 2 ? nested(1, depth - 1, nesting + 1) : []);
  const value = c.pick([mine!, total!, group!]);
  const effect = c.pick<ShortStmt>([
    ['SetAdd', { set: 14, value }],
    ['ObjectInsertOnce', { object: 12, key: group!, value }],
    ['AssignVarOnce', { source: value, target: c.pick([20, 2]) }],
    ['ObjectInsert', { object: 12, key: c.pick<string | number>(['a', group!]), value }],
    ['ArrayAppend', { array: 10, value: group! }],
    ['SetAdd', { set: 14, value: key! }],
  ]);
  const block: ShortStmt[] = [
    ...(c.choose(3) === 2 ? ([['Dot', { source: element!, key: 'a', target: total! }]] as const) : []),
    ['Dot', { source: element!, key: 'user', target: group! }],
    ...more(),
    ...collected,
    ['Call', { func: c.pick(['count', 'sum', 'max', 'min']), args: [mine!], result: total! }],
    ...more(),
    effect,
  ];
  // A loop for the groups alone.
  const [own, part] = [c.next++, c.next++];
  const groups: ShortStmt[] = [
    [
      'Scan',
      {
        source: list!,
        key: c.next++,
        value: own,
        block: [
          ['Dot', { source: own, key: 'user', target: part }],
          ['SetAdd', { set: 14, value: part }],
        ],
      },
    ],
  ];
  return [
    ['Dot', { source: c.pick([0, 1]), key: 'list', target: list! }],
    ...(c.choose(3) === 2 ? groups : []),
    ['Scan', { source: list!, key: key!, value: element!, block }],
  ];
}

/** A loop that groups by one value, and in each group by another one. */
export function pairScan(c: Choices): ShortStmt[] {
  const at = c.next;
  c.next += 13;
  const [list, key, element, group, innerKey, inner, asked, part, thirdKey, third, n, most, total] = Array.from(
    { length: 13 },
    (_, i) => at + i,
  ) as [number, number, number, number, number, number, number, number, number, number, number, number, number];
  const rest = c.next++;
  const equals = (from: number, name: string, target: number, wanted: number): ShortStmt[] => [
    ['Dot', { source: from, key: name, target }],
    ['Equal', c.choose(2) === 0 ? { a: target, b: wanted } : { a: wanted, b: target }],
  ];
  const innermost: ShortStmt[] = [
    ...equals(third, 'user', n, group),
    ...equals(third, 'a', rest, part),
    ['ArrayAppend', { array: most, value: c.pick([third, thirdKey, rest]) }],
  ];
  const pair: ShortStmt[] = [
    ...equals(inner, 'user', asked, group),
    ['Dot', { source: inner, key: 'a', target: part }],
    ['MakeArray', { target: most }],
    ['Block', { blocks: [[['Scan', { source: list, key: thirdKey, value: third, block: innermost }]]] }],
    ['Call', { func: 'count', args: [most], result: total }],
    c.pick<ShortStmt>([
      ['SetAdd', { set: 14, value: c.pick([part, group, total]) }],
      ['SetAdd', { set: 14, value: c.choose(8) === 7 ? innerKey : total }],
      ['ObjectInsertOnce', { object: 12, key: part, value: total }],
    ]),
  ];
  const block: ShortStmt[] = [
    ['Dot', { source: element, key: 'user', target: group }],
    ['Scan', { source: list, key: innerKey, value: inner, block: pair }],
  ];
  return [
    ['Dot', { source: c.pick([0, 1]), key: 'list', target: list }],
    ['Scan', { source: list, key, value: element, block }],
  ];
}

export function withStatement(c: Choices, depth: number, nesting: number, nested: Nested): ShortStmt[] {
  const path = c.pick<readonly string[] | null>([['a'], null, ['b', 'list'], ['method'], ['a', 'b', '__proto__'], []]);
  const local = c.pick([0, 1, 0, 1, 20, 5]);
  return [['With', { local, path, value: c.storable(), block: nested(1 + c.choose(4), depth - 1, nesting + 1) }]];
}
