import { expect, test } from 'vitest';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../../test/harness/short-plan.js';
import { allAtOnce } from '../../../values/steps.js';
import { Lowering } from '../lower/lower.js';
import { innerBlocks, type LoweredBlock, outermostBlocks } from '../lowered.js';

/** The kinds of statements of a block of a function, those of inner blocks behind their own. */
function kinds(...block: ShortBlock): readonly string[] {
  const policy = expandPlan({ plans: {}, funcs: { f: { blocks: [[...element, ...block]] } } });
  const lowering = allAtOnce(Lowering.over(policy));
  const func = allAtOnce(lowering.func(policy.funcs!.funcs![0]!));
  const all = (lowered: LoweredBlock): string[] => lowered.flatMap((stmt) => [stmt.kind, ...innerBlocks(stmt).flatMap(all)]);
  return outermostBlocks(func).flatMap(all).slice(element.length);
}

const element: ShortBlock = [
  ['Dot', { source: 0, key: 'kind', target: 3 }],
  ['Dot', { source: 0, key: 'wanted', target: 4 }],
];
const asks: ShortBlock = [
  ['Call', { func: 'internal.member_2', args: [3, 5], result: 6 }],
  ['NotEqual', { a: 6, b: false }],
];
const set: ShortStmt = ['MakeSet', { target: 5 }];
const add = (value: string | number): ShortStmt => ['SetAdd', { set: 5, value }];
const tested = ['isDefined', 'isDefined', 'not', 'notEqualConst', 'notEqual'];

test('a value is compared with those of a literal, which is not made', () => {
  expect(kinds(set, add('any'), add(4), ...asks)).toEqual(tested);
  const array: ShortBlock = [
    ['MakeArray', { target: 5 }],
    ['ArrayAppend', { array: 5, value: 'any' }],
    ['ArrayAppend', { array: 5, value: 4 }],
  ];
  expect(kinds(...array, ...asks)).toEqual(tested);
});

test('it is compared with the members of a constant', () => {
  expect(kinds(set, add('any'), add('none'), ...asks)).toEqual(['isDefined', 'not', 'notEqualConst', 'notEqualConst']);
});

const many = Array.from({ length: 9 }, (_, i) => add(`v${i}`));

test.each<[string, ShortBlock, string]>([
  ['without values', [set, ...asks], 'member'],
  ['of many values', [set, ...many, ...asks], 'member'],
  ['of many values, one of them not constant', [set, add(4), ...many.slice(1), ...asks], 'member'],
  ['that something else reads', [set, add(4), ...asks, ['Len', { source: 5, target: 7 }]], 'member'],
  ['that something else reads before', [set, add(4), ['Len', { source: 5, target: 7 }], ...asks], 'member'],
  ['that another block extends', [set, add(4), ['Block', { blocks: [[add('x')]] }], ...asks], 'member'],
  ['whose member is used as a value', [set, add(4), asks[0]!, ['IsArray', { source: 6 }], asks[1]!], 'builtin'],
])('a literal %s is made', (_title, block, kind) => {
  expect(kinds(...block)).toContain(kind);
});
