import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { validate } from '../generated/validate-plan.js';
import { isJson } from '../nesting.js';
import { isPresentForm } from './present-form.js';

const depth = 100;
const plans = ['allow.json', 'every-statement.json', 'empty.json'].flatMap((name) => {
  const text = readFileSync(new URL(`../../fixtures/plans/${name}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly cases: readonly { readonly plan: unknown }[] }).cases.map(({ plan }) => plan);
});

test('plans of the form are recognized', () => {
  for (const plan of plans) expect(isPresentForm(plan, depth)).toBe(true);
});

const place = { file: 0, row: 1, col: 1, end_row: 1, end_col: 1 };
const members: readonly (readonly [note: string, isOfForm: boolean, plan: unknown])[] = [
  [
    'rules that are not planned',
    true,
    {
      unplanned_rules: [
        { path: 'a', location: null },
        { path: 'b', location: place },
      ],
    },
  ],
  ['a rule that is not planned, with another member', false, { unplanned_rules: [{ path: 'a', location: null, x: 1 }] }],
  ['a number under both names', true, plan({ type: 'MakeNumberRefStmt', stmt: { ...place, target: 2, index: 0, Index: 0 } })],
  ['a text under the former name', false, plan({ type: 'MakeNumberRefStmt', stmt: { ...place, target: 2, index: 0, Index: 'a' } })],
  ['the former name elsewhere', false, plan({ type: 'MakeNullStmt', stmt: { ...place, target: 2, Index: 0 } })],
];

test.each(members)('%s', (_note, isOfForm, value) => {
  expect([isPresentForm(value, depth), validate(value)]).toEqual([isOfForm, isOfForm]);
});

function plan(...stmts: readonly unknown[]): unknown {
  return { plans: { plans: [{ name: 'p', blocks: [{ stmts }] }] } };
}

/** A copy of a document in which one value is replaced, removed, or has one more member. */
function changed(document: unknown, at: number, value: unknown, how: 'put' | 'remove' | 'add'): unknown {
  let count = 0;
  const copy = (part: unknown): unknown => {
    const isHere = count++ === at;
    if (isHere && how === 'put') return value;
    if (Array.isArray(part)) return [...part.flatMap(kept), ...(isHere && how === 'add' ? [value] : [])];
    if (!isJson(part)) return part;
    const entries = Object.entries(part).flatMap(([key, member]) => kept(member).map((made) => [key, made] as const));
    return Object.fromEntries(isHere && how === 'add' ? [...entries, ['more', value]] : entries);
  };
  const kept = (part: unknown): unknown[] => {
    if (count !== at || how !== 'remove') return [copy(part)];
    count++;
    return [];
  };
  return copy(document);
}

test('a changed plan is of the form only where the validator accepts it', () => {
  const values = fc.constantFrom<unknown>(null, 0, -1, 1.5, true, '', 'local', [], [0], {}, { stmts: [] }, { type: 'local', value: 0 });
  const ways = fc.constantFrom('put', 'remove', 'add');
  fc.assert(
    fc.property(fc.constantFrom(...plans), fc.nat(600), values, ways, (given, at, value, how) => {
      const document = changed(given, at, value, how);
      expect(isPresentForm(document, depth)).toBe(validate(document));
    }),
    { numRuns: randomCases(3000) },
  );
});
