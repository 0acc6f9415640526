/** The reader of the plan schema against ajv. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import schema from './plan.schema.json' with { type: 'json' };
import { checkSchema } from './schema-check.js';

const ajv = new Ajv2020({ discriminator: true, allowUnionTypes: true, inlineRefs: false });
ajv.addSchema(schema, 'plan');
const byAjv = ajv.getSchema('plan')!;

const folder = join(import.meta.dirname, '../fixtures/plans');
const plans = readdirSync(folder).flatMap((file) => {
  const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { cases: readonly { note: string; plan: unknown }[] };
  return cases.map(({ note, plan }) => ({ note: `${file}: ${note}`, plan }));
});

/** The first violation that ajv reports: its place, and the property that is missing or unknown. */
function expected(document: unknown): readonly unknown[] | undefined {
  if (byAjv(document)) return undefined;
  const deepest = byAjv.errors!.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
  const { instancePath, keyword, params } = deepest;
  if (keyword === 'discriminator') return [`${instancePath}/${params.tag}`];
  return [instancePath, params.missingProperty ?? params.additionalProperty].filter((part) => part !== undefined);
}

function actual(document: unknown): readonly unknown[] | undefined {
  const violation = checkSchema('Policy', document);
  if (violation === undefined) return undefined;
  const { path, keyword, detail } = violation;
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return keyword === 'required' || keyword === 'additionalProperties' ? [pointer, detail] : [pointer];
}

test.each(plans)('agrees with ajv: $note', ({ plan }) => {
  expect(actual(plan)).toEqual(expected(plan));
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

const others = fc.constantFrom(undefined, null, 0, -1, 1.5, '', 'bool', 'local', 'NopStmt', '__proto__', true, [], {}, [null]);

test('agrees with ajv about plans with something changed, added or removed', () => {
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
      expect(actual(document.plan)).toEqual(expected(document.plan));
    }),
    { numRuns: 1000 },
  );
});
