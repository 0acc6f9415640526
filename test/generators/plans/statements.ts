/** Statements without blocks, as generated plans have them. */

import type { ShortStmt } from '../../harness/short-plan.js';
import { arrays, type Choices, containers, derived, general, keys, objects, sets } from './choices.js';

export function assignResult(c: Choices): ShortStmt {
  const source = c.options.withoutEarlyExit === true ? c.pick(general) : c.pick<string | boolean | number>([true, 'x', 20, 10, 12]);
  return c.choose(3) === 2 ? ['AssignVar', { source, target: 2 }] : ['AssignVarOnce', { source, target: 2 }];
}

export function mutation(c: Choices): ShortStmt[] {
  if (c.options.changesAnything === true && c.choose(4) === 3) return renaming(c);
  switch (c.choose(5)) {
    case 0:
      return [['ArrayAppend', { array: c.changed(arrays), value: c.storable() }]];
    case 1:
      return [['SetAdd', { set: c.changed(sets), value: c.storable() }]];
    case 2:
      return [['ObjectInsert', { object: c.changed(objects), key: c.pick([...keys, 20, true]), value: c.storable() }]];
    case 3:
      return [['ObjectInsertOnce', { object: c.changed(objects), key: c.pick([...keys, 20, 21]), value: c.storable() }]];
    default:
      return [['ObjectMerge', { a: c.pick([...c.params, ...general]), b: c.pick([...c.params, ...general]), target: c.target() }]];
  }
}

/**
 * A container with another name, in another container, passed to a function, or looked up
 * again.
 */
function renaming(c: Choices): ShortStmt[] {
  const container = c.pick(containers);
  switch (c.choose(5)) {
    case 0:
      return [['AssignVar', { source: container, target: c.pick([...general, ...derived]) }]];
    case 1:
      return [['ArrayAppend', { array: c.changed(arrays), value: c.pick([...objects, ...sets]) }]];
    case 2:
      return [['ObjectInsert', { object: 12, key: c.pick(keys), value: c.pick([...sets, 13]) }]];
    case 3:
      return [['Dot', { source: c.pick([10, 11, 12]), key: c.pick(keys), target: c.pick([...general, ...derived, ...containers]) }]];
    default: {
      const callee = c.callable.length > 0 ? c.pick(c.callable) : undefined;
      if (callee === undefined) return [['SetAdd', { set: 14, value: c.pick([10, 11, 12, 13, 15]) }]];
      return [['Call', { func: callee.name, args: [container, 1, container, 'x'].slice(0, callee.arity), result: c.pick(derived) }]];
    }
  }
}

/** A collection put together of constants, or nearly so. */
export function literal(c: Choices): ShortStmt[] {
  const [one, other] = [c.next++, c.next++];
  const stmts: ShortStmt[] = [
    [c.pick(['MakeArray', 'MakeArray', 'MakeNull']), { target: one }],
    ['MakeObject', { target: other }],
  ];
  for (let i = c.choose(4); i > 0; i--) {
    const append: ShortStmt = ['ArrayAppend', { array: one, value: c.pick<number | string | boolean>(['x', 'y', true, c.any()]) }];
    stmts.push(c.choose(4) === 3 ? ['Block', { blocks: [[append]] }] : append);
  }
  const key = c.pick<string | number>(['a', 'b', '__proto__', c.any()]);
  stmts.push(['ObjectInsert', { object: other, key, value: c.choose(2) === 0 ? one : 'x' }]);
  // The verifier wants to see that the first may be an array.
  if (stmts[0]![0] === 'MakeNull') stmts.push(['MakeArray', { target: one }]);
  c.recent = [one, other, ...c.recent].slice(0, 3);
  return stmts;
}

export function call(c: Choices): ShortStmt[] {
  const args = () => c.pick([...c.recent, ...general, ...c.params]);
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
  if (c.callable.length === 0 || c.choose(3) === 0) {
    const [func, arity] = c.pick(builtins);
    return [['Call', { func, args: Array.from({ length: arity }, args), result: c.target() }]];
  }
  const { name, arity } = c.pick(c.callable);
  const given = [c.pick([0, 0, 0, 20]), 1, args(), args()].slice(0, arity);
  if (c.choose(4) === 3) return [['CallDynamic', { path: ['g', c.pick<string | number>([name, 20])], args: given, result: c.target() }]];
  return [['Call', { func: name, args: given, result: c.target() }]];
}

/** As compilers write a comparison: its value, then a test that it is not false. */
export function comparison(c: Choices): ShortStmt[] {
  if (c.choose(4) === 3) return memberOfLiteral(c);
  const result = c.pick(general);
  const func = c.pick(['lt', 'lte', 'gt', 'gte', 'equal', 'neq', 'internal.member_2']);
  return [
    ['Call', { func, args: [c.storable(), c.storable()], result }],
    ['NotEqual', { a: result, b: false }],
  ];
}

/** As compilers write `x in {a, b}`, or nearly so. */
function memberOfLiteral(c: Choices): ShortStmt[] {
  const [made, result] = [c.next++, c.pick(general)];
  const isSet = c.choose(2) === 0;
  const add = (value: number | string | boolean): ShortStmt =>
    isSet ? ['SetAdd', { set: made, value }] : ['ArrayAppend', { array: made, value }];
  const stmts: ShortStmt[] = [[isSet ? 'MakeSet' : 'MakeArray', { target: made }]];
  for (let i = 1 + c.choose(3); i > 0; i--) {
    stmts.push(add(c.pick<number | string | boolean>(['x', true, c.storable(), c.storable()])));
    if (c.choose(8) === 7) stmts.push(['Dot', { source: c.source(), key: c.operand(), target: c.target() }]);
  }
  stmts.push(['Call', { func: 'internal.member_2', args: [c.storable(), made], result }], ['NotEqual', { a: result, b: false }]);
  // Another reader needs the collection itself.
  if (c.choose(6) === 5) stmts.push(['Len', { source: made, target: c.target() }]);
  return stmts;
}

export function output(c: Choices): ShortStmt[] {
  if (!c.inPlan) return [['ReturnLocal', { source: c.pick([2, ...general, ...containers]) }]];
  return [
    ['MakeObject', { target: 4 }],
    ['ObjectInsert', { key: c.pick(keys), value: c.any(), object: 4 }],
    ['ResultSetAdd', { value: 4 }],
  ];
}

/** A block that only ends where a block in it has a value, which is read behind it. */
export function valueOfBlock(c: Choices): ShortStmt[] {
  const target = c.target();
  const inner: ShortStmt[] = [
    ['Dot', { source: c.source(), key: c.operand(), target }],
    ['Break', { index: 1 }],
  ];
  const outer: ShortStmt[] = [
    ['Block', { blocks: [inner] }],
    ['Break', { index: c.choose(4) === 0 ? 0 : 1 }],
  ];
  return [
    ['Block', { blocks: [outer] }],
    ['AssignVar', { source: target, target: c.target() }],
  ];
}
