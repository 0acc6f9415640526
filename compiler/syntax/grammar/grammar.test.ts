import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lookaheadTable, tableText } from '../../../scripts/build/lookahead.js';

test("the grammar passes chevrotain's validation: no rule is ambiguous or undefined", () => {
  expect(() => lookaheadTable()).not.toThrow();
});

test('the table of lookahead is that of the grammar: run scripts/build/lookahead.ts', () => {
  expect(readFileSync('compiler/syntax/grammar/lookahead-table.ts', 'utf8')).toBe(tableText());
});
