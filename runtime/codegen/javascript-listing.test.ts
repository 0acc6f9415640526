import { expect, test } from 'vitest';
import { generatedText } from '../../test/harness/generated-text.js';
import { expandPlan, type ShortBlock } from '../../test/harness/short-plan.js';
import { assemble, assembleListed } from '../bytecode/assemble.js';
import { JavaScriptListing } from './javascript-listing.js';

const count = 300;

/** A function with many blocks; one is `"case i"` where a part of the input has a value. */
function listingOf(key: (i: number) => string, value: (i: number) => string): string {
  const blocks = Array.from(
    { length: count },
    (_, i): ShortBlock => [
      ['Dot', { source: 0, key: key(i), target: 4 }],
      ['Equal', { a: 4, b: value(i) }],
      ['AssignVarOnce', { source: `case ${i}`, target: 3 }],
    ],
  );
  const last: ShortBlock = [['ReturnLocal', { source: 3 }]];
  const main: ShortBlock = [['Call', { func: 'g0.data.p', args: [0, 1], result: 2 }]];
  const funcs = { 'g0.data.p': { params: [0, 1], return: 3, blocks: [...blocks, last] } };
  return generatedText(assemble(expandPlan({ plans: { main: [main] }, funcs })));
}

test.each([
  [
    'by size',
    listingOf(
      (i) => `key ${i}`,
      () => 'value',
    ),
  ],
  [
    'by the constants of its rules',
    listingOf(
      () => 'key',
      (i) => `value ${i}`,
    ),
  ],
])('a function that is split %s is listed with all of its parts', (_title, text) => {
  expect(text.match(/^\/\/ .*g0\.data\.p$/gm)).toHaveLength(1);
  for (let i = 0; i < count; i++) expect(text).toContain(`"case ${i}"`);
  expect(text).toMatch(/(p0|e\.part)\(x, /);
});

test('lines behind a rule in the place of its call belong to the call', () => {
  const q: ShortBlock[] = [[['AssignVarOnce', { source: 'x', target: 2 }]], [['ReturnLocal', { source: 2 }]]];
  const main: ShortBlock = [['Call', { func: 'g0.data.q', args: [0, 1], result: 2 }]];
  const funcs = { 'g0.data.q': { params: [0, 1], return: 2, blocks: q } };
  const program = assembleListed(expandPlan({ plans: { main: [main] }, funcs }));
  const lines = new JavaScriptListing(program).lines(program.plans.get('main')!);
  const behind = lines.findIndex(({ text }) => text.includes('t === undefined'));
  expect(program.statements?.[lines[behind]!.origin - 1]?.stmt.type).toBe('CallStmt');
});
