import { expect, test } from 'vitest';
import { createParser } from './grammar.js';

test("the grammar passes chevrotain's validation: no rule is ambiguous or undefined", () => {
  expect(() => createParser({ isChecked: true })).not.toThrow();
});
