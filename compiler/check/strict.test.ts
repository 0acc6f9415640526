/** Names that may not be taken for others. */
import { expect, test } from 'vitest';
import { complaintsOf } from '../../test/harness/complaints.js';

test.each([
  ['on one line', 'input := 1'],
  ['on two lines', 'input\n\t:= 1'],
  ['around a comment', 'input # a comment\n\t:= 1'],
  ['around two comments', 'data # a comment\n\t# and another\n\t:= 1'],
  ['in parentheses', '(input # a comment\n\t) := 1'],
  ['by name', 'assign(data, 1)'],
])('an assignment to a root document is refused %s', (_, text) => {
  const messages = JSON.stringify(complaintsOf(`p if {\n\t${text}\n}`));
  expect(messages).toMatch(/variables must not shadow (?:input|data)/);
});
