import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validate } from './generated/validate-plan.js';
import type { Policy } from './plan.js';
import { isPlan } from './quick-check.js';
import { validatePlan } from './validate.js';
import { walk } from './walk.js';

type Holder = Record<string | number, unknown>;

const fixture = readFileSync(join(import.meta.dirname, '../fixtures/plans/every-statement.json'), 'utf8');
const { cases } = JSON.parse(fixture) as { readonly cases: readonly { readonly plan: Policy }[] };
const replacements: readonly unknown[] = [null, 0, -1, 1.5, 'local', 'Policy', true, [], [0], {}, { type: 'local', value: 0 }];

/** The objects and arrays in a document. */
function holders(document: unknown): Holder[] {
  if (typeof document !== 'object' || document === null) return [];
  return [document as Holder, ...Object.values(document).flatMap(holders)];
}

/** Calls back after each change of one place in the document, which is undone. */
function withEachChange(document: unknown, seen: (what: string) => void): void {
  for (const holder of holders(document)) {
    for (const [key, value] of Object.entries(holder)) {
      for (const replacement of replacements) {
        holder[key] = replacement;
        seen(`${key} = ${JSON.stringify(replacement)}`);
      }
      delete holder[key];
      seen(`no ${key}`);
      holder[key] = value;
    }
    if (Array.isArray(holder)) continue;
    for (const key of ['surprise', 'type', 'length']) {
      if (Object.hasOwn(holder, key)) continue;
      holder[key] = 1;
      seen(`a further ${key}`);
      delete holder[key];
    }
  }
}

/** The plan without its blocks, and a plan for each of its statements. */
function smallPlans(plan: Policy): unknown[] {
  const found: unknown[] = [];
  walk(plan, (stmt) => {
    const alone = JSON.parse(JSON.stringify(stmt, (key, value: unknown) => (key === 'stmts' ? [] : value))) as unknown;
    found.push({ plans: { plans: [{ name: 'a', blocks: [{ stmts: [alone] }] }] } });
  });
  const frame = JSON.parse(JSON.stringify(plan, (key, value: unknown) => (key === 'blocks' ? [] : value))) as unknown;
  return [frame, ...found];
}

test('the quick check agrees with the generated validator', () => {
  const differing: string[] = [];
  for (const plan of cases.flatMap(({ plan }) => smallPlans(plan))) {
    expect(isPlan(plan)).toBe(true);
    withEachChange(plan, (what) => {
      if (isPlan(plan) !== validate(plan)) differing.push(what);
    });
    expect(isPlan(plan)).toBe(true);
  }
  expect(differing).toEqual([]);
});

test.each([[null], [5], ['plan'], [[]], [{ plans: [] }]])('%j is no plan', (document) =>
  expect([isPlan(document), validate(document)]).toEqual([false, false]),
);

test('a property that is undefined, which no JSON has, is left to the validator', () => {
  const plan = { static: undefined };
  expect(isPlan(plan)).toBe(false);
  expect(validatePlan(plan)).toBe(plan);
});
