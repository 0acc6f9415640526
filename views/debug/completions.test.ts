import { expect, test } from 'vitest';
import { completionsOf } from './completions.js';
import type { DebugProgram } from './debug-program.js';

const program = { builtins: new Map(), compiled: undefined } as Partial<DebugProgram> as DebugProgram;

test('a word at the end of a long text is completed at once', { timeout: 2000 }, () => {
  const text = `${'a'.repeat(100_000)}!inp`;
  const seen = { variables: new Map(), input: undefined, data: undefined, file: undefined };
  const found = completionsOf(text, text.length + 1, seen, program);
  expect(found).toEqual([{ label: 'input', kind: 'variable', start: text.length - 3, length: 3 }]);
});
