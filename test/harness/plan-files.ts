/** The plans among the fixtures. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../ir-schema/plan.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { expandPlan, type ShortPolicy } from './short-plan.js';

const fixtures = join(import.meta.dirname, '../../fixtures');

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(fixtures, path), 'utf8'));
}

/** A policy with every kind of statement. */
export const everyStatement = (): Policy => casePlans('every-statement.json')[0]!.policy;

/** Well-formed plans, by their notes: those of compilers, and short ones for programs. */
export function fixturePlans(): readonly { readonly note: string; readonly policy: Policy }[] {
  const files = ['allow.json', 'empty.json', 'every-statement.json', 'other.json'];
  const programs = readdirSync(join(fixtures, 'programs')).flatMap((file) =>
    (read(`programs/${file}`) as readonly { note: string; plan: ShortPolicy }[]).map(({ note, plan }) => ({
      note: `${file}: ${note}`,
      policy: loadPlan(expandPlan(plan)),
    })),
  );
  return [...files.flatMap(casePlans), { note: 'example', policy: loadPlan(read('bundles/example/plan.json')) }, ...programs];
}

function casePlans(file: string): { note: string; policy: Policy }[] {
  const { cases } = read(`plans/${file}`) as { cases: readonly { note: string; plan: unknown }[] };
  return cases.map(({ note, plan }) => ({ note: `${file}: ${note}`, policy: loadPlan(plan) }));
}
