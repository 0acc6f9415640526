import { expect, test } from 'vitest';
import { expandPlan, type ShortBlock } from '../../../test/harness/short-plan.js';
import { allAtOnce } from '../../../values/steps.js';
import { Lowering } from '../lower/lower.js';

/** Whether results of a function of this body and so many arguments are computed again. */
function isQuick(block: ShortBlock, params = [0, 1, 2]): boolean {
  const policy = expandPlan({
    plans: { main: [] },
    funcs: {
      'g0.data.r': { params: [0, 1], return: 3, blocks: [] },
      'g0.data.g': { params: [0, 1, 2], return: 3, blocks: [] },
      'g0.data.f': { params, return: 9, blocks: [block] },
    },
  });
  const lowering = allAtOnce(Lowering.over(policy));
  return allAtOnce(lowering.func(policy.funcs!.funcs!.at(-1)!)).isQuick;
}

const compares: ShortBlock = [['Equal', { a: 2, b: 'x' }]];

test.each<[string, ShortBlock]>([
  ['compares', compares],
  ['tests the start of a text', [['Call', { func: 'startswith', args: [2, 'x'], result: 4 }]]],
  ['reads a rule', [['Call', { func: 'g0.data.r', args: [0, 1], result: 4 }]]],
])('a function that %s has no remembered results', (_title, block) => expect(isQuick(block)).toBe(true));

test.each<[string, ShortBlock]>([
  ['loops', [['Scan', { source: 2, key: 4, value: 5, block: compares }]]],
  ['calls another', [['Call', { func: 'g0.data.g', args: [0, 1, 2], result: 4 }]]],
  ['matches a pattern', [['Call', { func: 'regex.match', args: ['x', 2], result: 4 }]]],
  ['splits a text', [['Call', { func: 'split', args: [2, 'x'], result: 4 }]]],
  ['looks for a member', [['Call', { func: 'internal.member_2', args: [2, 1], result: 4 }]]],
  ['is long', Array.from({ length: 30 }, () => compares).flat()],
])('a function that %s has', (_title, block) => expect(isQuick(block)).toBe(false));

test('functions of more arguments are never remembered', () => expect(isQuick(compares, [0, 1, 2, 5])).toBe(false));
