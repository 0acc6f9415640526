import { describe, expect, test } from 'vitest';
import type { DebugExpression, DebugInfo, DebugRule } from './debug-info.js';
import { readDebugInfo } from './debug-info-reader.js';

const rule: DebugRule = { path: 'p/r', source: 0, number: 0, link: 0, range: [1, 1, 2, 1], head: [1, 1, 1, 2] };

const info: DebugInfo = {
  version: 1,
  sources: [{ file: '/optimized/p.rego', generated: true }, { file: 'p.rego' }],
  rules: [
    { ...rule, origin: 1 },
    { ...rule, source: 1 },
  ],
  expressions: [
    [0, 0, -1, 0, 1, 1, 1, 9, 2],
    [0, 0, 0, 0, 1, 5, 1, 9, 3],
    [1, 1, -1, 0, 1, 1, 1, 9, -1],
    [1, -1, 2, 0, 1, 5, 1, 9, -1],
  ],
  names: ['x'],
  owners: [{ kind: 'func', name: 'g0.data.p.r', runs: [[3, 0, 0, 1]], names: [[0, 4, 0, 3]] }],
};

function withExpression(at: number, field: number, value: number): DebugInfo {
  return { ...info, expressions: info.expressions.with(at, info.expressions[at]!.with(field, value) as unknown as DebugExpression) };
}

test('tables that refer to what there is are read as they are', () => {
  expect(readDebugInfo(JSON.stringify(info))).toEqual(info);
});

describe('a reference to what there is not is refused', () => {
  test.each<readonly [string, string, DebugInfo]>([
    ['the source of a rule', 'rules', { ...info, rules: [{ ...rule, source: 2 }, rule] }],
    ['no source of a rule', 'rules', { ...info, rules: [{ ...rule, source: -1 }, rule] }],
    ['the origin of a rule', 'rules', { ...info, rules: [{ ...rule, origin: 2 }, rule] }],
    ['the source of an expression', 'expressions', withExpression(0, 0, 2)],
    ['the rule of an expression', 'expressions', withExpression(0, 1, 2)],
    ['the expression around one', 'expressions', withExpression(3, 2, 4)],
    ['an expression around itself', 'expressions', withExpression(2, 2, 2)],
    ['two expressions around each other', 'expressions', withExpression(2, 2, 3)],
    ['the origin of an expression', 'expressions', withExpression(0, 8, 4)],
    ['the rule of a variable', 'variables', { ...info, variables: [[0, '__local0__', 'x', 2]] }],
    ['the expression of a replaced variable', 'replaced', { ...info, replaced: [[0, 'input.x', '__local0__', 99]] }],
    ['an origin that has one', 'expressions', withExpression(2, 8, 3)],
    ['an expression as its own origin', 'expressions', withExpression(0, 8, 0)],
    ['the rule of statements', 'owners', { ...info, owners: [{ ...info.owners[0]!, runs: [[3, 0, 2, 1]] }] }],
    ['the expression of statements', 'owners', { ...info, owners: [{ ...info.owners[0]!, runs: [[3, 0, 0, 4]] }] }],
    ['the name of a local', 'owners', { ...info, owners: [{ ...info.owners[0]!, names: [[1, 4, 0, 3]] }] }],
  ])('%s', (_title, table, wrong) => {
    expect(() => readDebugInfo(JSON.stringify(wrong))).toThrow(`debug information has wrong ${table}`);
  });
});
