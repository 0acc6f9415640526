/**
 * The measure of places: of the expressions that authors wrote in the rules of a plan, the share
 * that has a statement with exactly its range.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Policy } from '../../ir-schema/plan.js';
import { withFiles } from '../../test/harness/command.js';
import { plannedExpressions, rangeText, statementRanges } from '../../test/harness/plans/exact-places.js';
import { buildBundle } from './build-bundle.js';

/** The ranges of the expressions of a policy that are exact at each level. */
async function counts(text: string, data: unknown, entrypoints: readonly string[]) {
  return await withFiles({ 'policy.rego': text, 'data.json': JSON.stringify(data) }, async (folder) => {
    const file = join(folder, 'policy.rego');
    const rangesOf = async (optimization: 0 | 1 | 2) => {
      const { bundle } = await buildBundle({
        paths: [file, join(folder, 'data.json')],
        target: 'plan',
        entrypoints,
        version: 'v1',
        optimization,
        pruneUnused: true,
      });
      return statementRanges(bundle.plans[0]!.policy as Policy);
    };
    const [plain, one, two] = [await rangesOf(0), await rangesOf(1), await rangesOf(2)];
    const expressions = plannedExpressions([parseModule(file, text)], plain).map(rangeText);
    const exact = (ranges: ReadonlySet<string>) => expressions.filter((range) => ranges.has(range)).length;
    return { all: expressions.length, levels: [exact(plain), exact(one), exact(two)] as const };
  });
}

const root = join(import.meta.dirname, '../..');
const workloads = join(root, 'bench/workloads');

/** Our workloads with their data, and policies over inputs alone. */
async function measured() {
  const own = readdirSync(workloads).map(async (name) => {
    const { meta, generate } = await import(join(workloads, name, 'workload.mjs'));
    const text = readFileSync(join(workloads, name, 'policy.rego'), 'utf8');
    return await counts(text, generate(0.05).data, [meta.entrypoint]);
  });
  const others = ['fixtures/syntax/v1/keywords.rego', 'fixtures/example/authz.rego', 'examples/policies/orders.rego'].map(async (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, pkg] = /^package (\S+)/m.exec(text)!;
    return await counts(text, {}, [pkg!.replaceAll('.', '/')]);
  });
  return await Promise.all([...own, ...others]);
}

/** The least share of exact places by level; without optimization each has one. */
const least = [1, 0.85, 0.75];

test('expressions have exact places, also in optimized plans', async () => {
  const found = await measured();
  const all = found.reduce((sum, one) => sum + one.all, 0);
  expect(all).toBeGreaterThan(100);
  const sum = (level: number) => found.reduce((before, { levels }) => before + levels[level]!, 0);
  const shares = least.map((_, level) => sum(level) / all);
  for (const [level, share] of shares.entries()) expect(share, `-O ${level} of ${shares}`).toBeGreaterThanOrEqual(least[level]!);
});
