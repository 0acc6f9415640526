import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plan } from '../../../compiler/plan/planner.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { randomCase } from '../../../test/generators/random-case.js';
import { compileFor } from '../../../test/harness/plans.js';
import { diffPlans } from './plan-diff.js';
import { sideBySide } from './side-by-side.js';

const shop = readFileSync(join(import.meta.dirname, '../../../../shared/cases/dbg-3-web-diff-paints-numbers/shop.rego'), 'utf8');

function planned(text: string, options: { readonly uniqueLocals?: boolean } = {}, path = 'shop/report'): Policy {
  return plan(compileFor(text), [{ name: path, path: path.split('/') }], options);
}

const painted = (a: Policy, b: Policy) => sideBySide(a, b).filter(({ isChanged }) => isChanged);

test('other numbers of locals are no changes', () => {
  const [a, b] = [planned(shop), planned(shop, { uniqueLocals: true })];
  expect(sideBySide(a, b).some((row) => row.a !== row.b)).toBe(true);
  expect(painted(a, b)).toEqual([]);
});

test('another literal in front does not pair functions anew', () => {
  const text = 'package shop\n\nreport if input.a in {"x", "y"}\n\nreport if input.b in {"u", "v"}\n';
  const other = text.replace('package shop\n', 'package shop\n\nreport if input.c in {"m", "n"}\n');
  const rows = painted(planned(text), planned(other));
  expect(rows.filter(({ a }) => a !== undefined)).toEqual([]);
  expect(rows.map(({ b }) => b).join('\n')).toContain('"m"');
});

test('a changed constant is one changed line on both sides', () => {
  const rows = painted(planned(shop), planned(shop.replace('order.total >= 100', 'order.total >= 200')));
  expect(rows).toEqual([{ a: expect.stringContaining('100'), b: expect.stringContaining('200'), isChanged: true }]);
});

test('lines are painted for each change that is counted, and for no other', () => {
  const cases = Array.from({ length: 12 }, (_, seed) => randomCase(seed)).filter((one) => one !== undefined);
  const plans = cases.flatMap(({ modules, paths }) => {
    const text = [...modules.values()][0]!;
    try {
      return [
        plan(
          compileFor(text),
          paths.slice(0, 1).map((path) => ({ name: 'p', path })),
        ),
      ];
    } catch {
      return [];
    }
  });
  expect(plans.length).toBeGreaterThan(3);
  for (const [i, a] of plans.entries()) {
    const b = plans[(i + 1) % plans.length]!;
    const { changes } = diffPlans(a, b);
    const inBodies = changes.filter(({ whole }) => whole === undefined || whole === 'func');
    expect(painted(a, b).length === 0, `${i}`).toBe(changes.length === 0);
    expect(painted(a, b).length).toBeGreaterThanOrEqual(inBodies.length);
    expect(painted(a, a)).toEqual([]);
  }
});
