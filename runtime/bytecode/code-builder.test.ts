import { expect, test } from 'vitest';
import { labelField } from './code-builder.js';
import { instructions } from './instructions.js';
import { Op } from './opcodes.js';

test.each(Object.entries(Op))('the label of %s is in the field that the table names', (_, op) => {
  const fields = instructions[op].fields.flatMap(([, kind], i) => (kind === 'pc' ? [i + 1] : []));
  expect(fields.length).toBeLessThan(2);
  expect(labelField(op)).toBe(fields[0] ?? 0);
});
