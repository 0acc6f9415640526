import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortPolicy } from '../../test/harness/short-plan.js';
import { expectExactCounts } from '../../test/harness/statement-counts.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { ObservedPolicy, observedRun } from './observed-run.js';
import { profileReport } from './profile-report.js';
import { StatementProfile } from './statement-profile.js';

const contextOf = () => ({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() });

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const documents = fc.tuple(fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }), fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }));

describe('the counts of a profile are those of the machine', () => {
  test('for random plans', () => {
    let all = 0;
    fc.assert(
      fc.property(choices, documents, (plan, [inputChoices, dataChoices]) => {
        all += expectExactCounts({
          plan: expandPlan(generatePolicy(plan, { withoutEarlyExit: true })),
          entrypoint: 'main',
          input: parseJson(JSON.stringify(generateDocument(inputChoices))),
          data: parseJson(JSON.stringify(generateDocument(dataChoices))),
          builtins,
          context: contextOf(),
          record: new AnswerRecord(),
        });
      }),
      { numRuns: randomCases(200), endOnFailure: !isLongSearch },
    );
    expect(all).toBeGreaterThan(1000);
  });

  const folder = new URL('../../fixtures/programs/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  interface Case {
    readonly note: string;
    readonly plan: ShortPolicy;
    readonly input?: Value;
    readonly data?: Value;
    readonly strict?: boolean;
    readonly limits?: object;
    readonly aborted?: boolean;
  }

  test.each(files)('for the plans of fixtures/programs/%s', (file) => {
    const cases = parseJson(readFileSync(new URL(file, folder), 'utf8')) as unknown as readonly Case[];
    for (const { plan, input, data = {}, strict, limits, aborted } of cases) {
      if (limits !== undefined || aborted === true) continue;
      for (const entrypoint of Object.keys(plan.plans))
        expectExactCounts({
          plan: expandPlan(plan),
          entrypoint,
          input,
          data,
          builtins,
          context: contextOf(),
          options: { strictBuiltinErrors: strict },
          record: new AnswerRecord(),
        });
    }
  });
});

describe('a profile', () => {
  /** An evaluation with a clock that goes on by one each time that it is read, and longer once. */
  const evaluated = (policy: ObservedPolicy, input: Value, interruptedAt = 0) => {
    let now = 0;
    const profile = new StatementProfile(policy.addresses, () => (now += now === interruptedAt ? 1000 : 1));
    const options = { known: new Map() };
    const end = observedRun(policy, 'main', { documents: { input, data: {} }, builtins, context: contextOf(), options }, { profile });
    return { end, profile };
  };
  const profileOf = (plan: ShortPolicy, input: Value) => {
    const policy = new ObservedPolicy(expandPlan(plan));
    const { end, profile } = evaluated(policy, input);
    return { end, ...profileReport(profile, policy) };
  };

  const loop: ShortPolicy = {
    plans: {
      main: [
        [
          [
            'Scan',
            {
              source: 0,
              key: 2,
              value: 3,
              block: [
                ['Equal', { a: 3, b: 'x' }],
                ['ResultSetAdd', { value: 3 }],
              ],
            },
          ],
        ],
      ],
    },
  };

  test('counts the rounds of a loop, and those that pass', () => {
    const { statements } = profileOf(loop, ['x', 'y', 'x']);
    expect(statements.map(({ address, count, passed, failed }) => [address, count, passed, failed])).toEqual([
      ['main/0.0', 1, 1, 0],
      ['main/0.0.0', 3, 2, 1],
      ['main/0.0.1', 2, 2, 0],
    ]);
    expect(statements[0]).toMatchObject({ rows_in: 3, rows_out: 2 });
  });

  test('counts the elements of a loop without statements', () => {
    const empty: ShortPolicy = { plans: { main: [[['Scan', { source: 0, key: 2, value: 3, block: [] }]]] } };
    expect(profileOf(empty, [1, 2, 3]).statements[0]).toMatchObject({ count: 1, rows_in: 3, rows_out: 3 });
    expect(profileOf(empty, 'x').statements[0]).toMatchObject({ count: 1, failed: 1, rows_in: 0, rows_out: 0 });
  });

  test('gives the time of a statement to it alone, and in total to those around it', () => {
    const { statements, time_ns: time, functions } = profileOf(loop, ['x', 'y']);
    const inner = statements.slice(1).reduce((sum, { total_time_ns: total }) => sum + total, 0);
    expect(statements[0]!.total_time_ns).toBeGreaterThan(inner);
    const own = statements.reduce((sum, { time_ns: self }) => sum + self, 0);
    expect(own).toBeLessThanOrEqual(time);
    expect(functions).toEqual([{ name: 'main', kind: 'plan', calls: 1, time_ns: functions[0]!.time_ns, total_time_ns: time }]);
  });

  test('of several evaluations has the median of each time, whichever was interrupted', () => {
    const policy = new ObservedPolicy(expandPlan(loop));
    const input = ['x', 'y'];
    const quiet = profileReport(evaluated(policy, input, -1).profile, policy);
    const all = [2, 4, 6, 8, 10].map((reading) => evaluated(policy, input, reading).profile);
    const { statements, functions, runs } = profileReport(all[0]!, policy, all);
    expect(runs).toBe(5);
    expect(statements.map(({ spread: _, ...one }) => one)).toEqual(
      quiet.statements.map((one) => ({ ...one, total_time_ns: expect.any(Number) })),
    );
    expect(functions[0]!.name).toBe('main');
  });

  const calls: ShortPolicy = {
    plans: {
      main: [
        [
          ['Call', { func: 'f', args: [0, 1], result: 2 }],
          ['Call', { func: 'f', args: [0, 1], result: 3 }],
          ['Call', { func: 'g', args: [0, 1, 2], result: 4 }],
          ['ResultSetAdd', { value: 4 }],
        ],
      ],
    },
    funcs: {
      f: {
        blocks: [
          [
            ['Dot', { source: 0, key: 'a', target: 3 }],
            ['AssignVarOnce', { source: 3, target: 2 }],
            ['ReturnLocal', { source: 2 }],
          ],
        ],
      },
      g: {
        params: [0, 1, 2],
        blocks: [
          [
            ['AssignVarOnce', { source: 2, target: 3 }],
            ['ReturnLocal', { source: 3 }],
          ],
        ],
      },
    },
  };

  test('tells calls that ran a function from those whose result was remembered', () => {
    const { statements, functions, calls: tree } = profileOf(calls, { a: 1 });
    expect(statements.filter(({ type }) => type === 'CallStmt').map(({ count, entered }) => [count, entered])).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
    expect(functions.map(({ name, calls: count }) => [name, count]).sort()).toEqual([
      ['f', 1],
      ['g', 1],
      ['main', 1],
    ]);
    expect(tree.map(({ name, parent, caller }) => [name, parent, caller])).toEqual([
      ['main', -1, undefined],
      ['f', 0, 'main/0.0'],
      ['g', 0, 'main/0.2'],
    ]);
  });

  test('ends with an error as the evaluation does', () => {
    const conflict: ShortPolicy = {
      plans: { main: [[['Call', { func: 'f', args: [0, 1], result: 2 }]]] },
      funcs: {
        f: {
          blocks: [
            [
              ['AssignVarOnce', { source: 'a', target: 2 }],
              ['AssignVarOnce', { source: 'b', target: 2 }],
            ],
          ],
        },
      },
    };
    const { end, statements, functions } = profileOf(conflict, {});
    expect(end?.message).toContain('complete rules must not produce multiple outputs');
    expect(statements.map(({ count, passed }) => [count, passed])).toEqual([
      [1, 0],
      [1, 1],
      [1, 0],
    ]);
    expect(functions.map(({ calls: count }) => count)).toEqual([1, 1]);
  });
});
