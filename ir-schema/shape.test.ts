import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validate } from './generated/validate-plan.js';
import { isPlan } from './shape.js';

const folder = join(import.meta.dirname, '../fixtures/plans');
const plans = readdirSync(folder).flatMap((file) => {
  const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { cases: readonly { note: string; plan: unknown }[] };
  return cases.map(({ note, plan }) => ({ note: `${file}: ${note}`, plan }));
});

test.each(plans)('agrees with the validator: $note', ({ plan }) => {
  expect(isPlan(plan)).toBe(validate(plan));
});

/** All places of a document, each with a function that changes it. */
function places(value: unknown, change: (to: unknown) => void): { readonly value: unknown; readonly change: (to: unknown) => void }[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const inner = members.flatMap(([key, member]) =>
    places(member, (to) => {
      (value as Record<string, unknown>)[key] = to;
    }),
  );
  return [{ value, change }, ...inner];
}

const others = fc.constantFrom(
  undefined,
  null,
  0,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  '',
  'bool',
  'local',
  'NopStmt',
  '__proto__',
  true,
  [],
  {},
  [null],
);

test('agrees with the validator about plans with something changed, added or removed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...plans), fc.nat(), others, fc.constantFrom('change', 'add', 'remove'), ({ plan }, at, other, kind) => {
      const document = { plan: structuredClone(plan) };
      const all = places(document.plan, (to) => {
        document.plan = to;
      });
      const { value, change } = all[at % all.length]!;
      if (kind === 'change' || typeof value !== 'object' || value === null) change(other);
      else if (kind === 'add') Object.assign(value, { more: other });
      else delete (value as Record<string, unknown>)[Object.keys(value)[at % 7]!];
      expect(isPlan(document.plan)).toBe(validate(document.plan));
    }),
    { numRuns: 500 },
  );
});
