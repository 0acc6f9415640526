import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import { ObservedPolicy, observedRun } from './observed-run.js';
import type { PlanEvent } from './plan-events.js';
import { readRecording } from './read-recording.js';
import { recordPlan } from './record.js';

const context = () => ({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() });
const choices = fc.array(fc.nat(1000), { maxLength: 300, size: 'max' });
const documentChoices = fc.array(fc.nat(1000), { maxLength: 60, size: 'max' });
const limits = { known: new Map(), instructions: 20_000 };
const runs = { numRuns: randomCases(150), endOnFailure: !isLongSearch };

/** What is open: calls, and statements inside them. */
function checkOrder(events: readonly PlanEvent[], ended: Error | undefined): void {
  const open: string[] = [];
  let depth = 0;
  for (const { name, owner, statement, hasBegun } of events) {
    if (name === 'call') {
      open.push(`call ${owner.name}`);
      depth++;
    } else if (name === 'return') {
      expect(open.pop()).toBe(`call ${owner.name}`);
      depth--;
    } else if (name === 'begin') open.push(statement!.address);
    else if (name === 'round') expect(open.at(-1)).toBe(statement!.address);
    else if (hasBegun) expect(open.pop()).toBe(statement!.address);
    expect(open.filter((entry) => entry.startsWith('call ')).length).toBe(depth);
  }
  if (ended === undefined) expect(open).toEqual([]);
  else expect(events.at(-1)?.name ?? 'error').toBe('error');
}

describe('the events of random plans', () => {
  test('open and close calls and statements in order', () => {
    fc.assert(
      fc.property(choices, documentChoices, documentChoices, (plan, input, data) => {
        const policy = new ObservedPolicy(expandPlan(generatePolicy(plan, { withoutEarlyExit: false })));
        const documents = {
          input: parseJson(JSON.stringify(generateDocument(input))),
          data: parseJson(JSON.stringify(generateDocument(data))),
        };
        const events: PlanEvent[] = [];
        const takeEvent = (event: PlanEvent) => {
          events.push(event);
          const { name, statement, stored, locals } = event;
          if (name === 'pass' && statement!.stmt.type === 'DotStmt') expect(locals.get(stored[0]!)).toBeDefined();
        };
        const ended = observedRun(policy, 'main', { documents, builtins, context: context(), options: limits }, { takeEvent });
        checkOrder(events, ended);
      }),
      runs,
    );
  });

  test('are read again as they were recorded', () => {
    fc.assert(
      fc.property(choices, documentChoices, documentChoices, (plan, input, data) => {
        const policy = new ObservedPolicy(expandPlan(generatePolicy(plan, { withoutEarlyExit: false })));
        const question = {
          query: 'main',
          input: parseJson(JSON.stringify(generateDocument(input))),
          data: parseJson(JSON.stringify(generateDocument(data))),
        };
        const recording = recordPlan(
          [{ policy, entrypoint: 'main' }],
          question,
          { builtins, context: context(), options: limits },
          { limit: Infinity, size: 40 },
        );
        const read = readRecording(JSON.stringify(recording));
        expect(read.runs).toEqual(JSON.parse(JSON.stringify(recording.runs)));
        const { events, profile } = read.runs[0]!;
        expect(events.op).toHaveLength(events.total);
        // Each statement that ended has one event for it.
        const ends = events.op.filter((op) => op >= 4 && op <= 6).length;
        expect(ends).toBeLessThanOrEqual(profile.count);
        if (read.runs[0]!.error === undefined) expect(ends).toBe(profile.count);
      }),
      runs,
    );
  });
});
