import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { PlanError } from '../../ir-schema/plan-error.js';
import { VerifyError } from '../../ir-schema/verify/verify-error.js';
import { generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { JsonError, toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { EvaluationError, Suspension } from '../evaluation/evaluation-errors.js';

type Tree = { [key: string]: unknown };

interface PlanCase {
  readonly plan: Tree;
  readonly input?: Value;
  readonly data?: Value;
}

const fixtures = ['allow', 'every-statement'].flatMap(
  (name) =>
    (JSON.parse(readFileSync(new URL(`../../fixtures/plans/${name}.json`, import.meta.url), 'utf8')) as { cases: PlanCase[] }).cases,
);

/** All places in a document: the object or array, and the key in it. */
function placesIn(tree: unknown, found: { holder: Tree; key: string }[] = []): { holder: Tree; key: string }[] {
  if (typeof tree !== 'object' || tree === null) return found;
  for (const key of Object.keys(tree)) {
    found.push({ holder: tree as Tree, key });
    placesIn((tree as Tree)[key], found);
  }
  return found;
}

/** Changes one place of a plan, of any kind, so that the result is nearly well made. */
function mutate(plan: Tree, where: number, how: number, what: number): void {
  const places = placesIn(plan);
  const { holder, key } = places[where % places.length]!;
  const other = places[what % places.length]!;
  const value = holder[key];
  switch (how % 8) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 1:
      holder[key] = structuredClone(other.holder[other.key]);
      return;
    case 2:
      holder[key] = [null, true, -1, 2 ** 31, 1.5, '', 'x', [], {}, Number.NaN][what % 10];
      return;
    case 3:
      if (Array.isArray(value) && value.length > 0) value.splice(what % value.length, 1);
      return;
    case 4:
      if (Array.isArray(value) && value.length > 0) value.push(structuredClone(value[what % value.length]));
      return;
    case 5:
      if (Array.isArray(value)) value.reverse();
      return;
    default: {
      // A field of the same name in another local, type of statement or block.
      const alike = places.filter((place) => place.key === key);
      const { holder: from } = alike[what % alike.length]!;
      const copied = structuredClone(from[key]);
      holder[key] = typeof value === 'number' && how % 2 === 0 ? what % 12 : copied;
    }
  }
}

/** Rejected with an error of ours, or run to an answer or an error of ours. */
async function survives(plan: unknown, input: Value | undefined, data: Value): Promise<'rejected' | 'ran' | 'failed'> {
  let executable: Awaited<ReturnType<typeof loadProgram>>;
  try {
    executable = await loadProgram(plan, builtins);
  } catch (error) {
    if (error instanceof PlanError || error instanceof VerifyError) return 'rejected';
    throw error;
  }
  let outcome: 'ran' | 'failed' = 'ran';
  for (const target of executable.entrypoints.values()) {
    const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
    const limits = { instructions: 20_000, callDepth: 200, timeMs: 5000 };
    try {
      const results = executable.run(
        target,
        structuredClone(input),
        structuredClone(data),
        new Evaluation(context, limits, new AnswerRecord()),
      );
      toJson(results);
    } catch (error) {
      if (!(error instanceof EvaluationError) && !(error instanceof JsonError) && !(error instanceof Suspension)) throw error;
      outcome = 'failed';
    }
  }
  return outcome;
}

const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 });

test('a plan of ours that was changed anywhere is rejected, or runs within its limits', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fixtures), places, async ({ plan, input, data }, changes) => {
      const changed = structuredClone(plan);
      for (const [where, how, what] of changes) mutate(changed, where, how, what);
      seen.add(await survives(changed, input, data ?? {}));
    }),
    { numRuns: randomCases(400) },
  );
  expect(seen).toContain('rejected');
  expect(seen).toContain('ran');
});

test('a generated plan that was changed anywhere is rejected, or runs within its limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1000), { maxLength: 300, size: 'max' }), places, async (choices, changes) => {
      const changed = structuredClone(expandPlan(generatePolicy(choices))) as unknown as Tree;
      for (const [where, how, what] of changes) mutate(changed, where, how, what);
      await survives(changed, { a: [1, { user: 'x' }], method: 'GET' }, { b: { list: [{ user: 'x' }] } });
    }),
    { numRuns: randomCases(400) },
  );
});

test.each([null, undefined, 1, 'plan', [], {}, { plans: null }, { plans: { plans: [{}] } }, { funcs: { funcs: [1] } }])(
  '%j is rejected or empty',
  async (document) => {
    expect(['rejected', 'ran']).toContain(await survives(document, undefined, {}));
  },
);
