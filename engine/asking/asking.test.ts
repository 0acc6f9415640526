import { describe, expect, test } from 'vitest';
import type { PlainObject } from '../../values/value.js';
import { Engine } from '../engine.js';
import { Metrics } from '../evaluation/metrics.js';
import { NdBuiltinCache } from '../evaluation/nd-builtin-cache.js';
import { type Asker, Asking, ask, recordedAnswers } from './asking.js';
import type { DecisionFacts, DecisionLog } from './decision-record.js';
import type { LoggedQuestion } from './logged-question.js';

const policy = `package p

# METADATA
# labels: {"team": "blue"}
x := input.n + 1 if rand.intn("a", 5) >= 0
`;

async function engineOf(text: string): Promise<Engine> {
  const engine = new Engine();
  await engine.commit({ policies: new Map([['p.rego', text]]) });
  return engine;
}

/** A log that keeps its records. */
function keepingLog(over: Partial<DecisionLog> = {}): DecisionLog & { readonly records: DecisionFacts[] } {
  const records: DecisionFacts[] = [];
  return {
    records,
    wantsNondeterministic: true,
    isShown: false,
    newId: () => `id ${records.length + 1}`,
    async record(record, labels) {
      if (labels === undefined) records.push(record);
      else await labels.find(async (ruleLabels) => void records.push({ ...record, ruleLabels }));
    },
    ...over,
  };
}

/** A caller whose span keeps its attributes. */
function askerOf(attributes: PlainObject[] = []): Asker {
  const set = (name: string, value: string) => void attributes.push({ [name]: value });
  return { span: { traceId: 't', spanId: 's', set }, fields: () => ({ requestedBy: 'ann' }), bytes: () => 1 };
}

const logger = { error: () => undefined };

const question = (over: Partial<LoggedQuestion> = {}): LoggedQuestion => ({
  path: 'p/x',
  segments: ['p', 'x'],
  input: { n: 1 },
  metrics: new Metrics(),
  answers: new NdBuiltinCache(),
  ...over,
});

describe('a question that is asked', () => {
  test('has an event with its caller, its notes and the labels of its rules', async () => {
    const engine = await engineOf(policy);
    const [log, attributes] = [keepingLog(), [] as PlainObject[]];
    const asking = new Asking({ engine, logger }, log, askerOf(attributes), question());
    const document = { engine, prepared: engine.prepare(['p', 'x']) };
    const id = await ask(document, asking.question, (decided) => asking.answered(decided), { options: asking.noting({}) });
    await expect.poll(() => log.records.length).toBe(1);
    expect(id).toBe('id 1');
    expect(attributes).toEqual([{ 'opa.decision_id': 'id 1' }]);
    expect(log.records[0]).toMatchObject({
      decisionId: 'id 1',
      path: 'p/x',
      input: { n: 1 },
      result: 2,
      requestedBy: 'ann',
      nondeterministic: { 'rand.intn': { '["a",5]': expect.any(Number) } },
      metrics: { timer_rego_query_eval_ns: expect.any(Number) },
      ruleLabels: [{ team: 'blue' }],
    });
  });

  test('is not logged without a log, and has no id', async () => {
    const engine = await engineOf(policy);
    const attributes: PlainObject[] = [];
    const asking = new Asking({ engine, logger }, undefined, askerOf(attributes), question());
    expect(asking.answered({ value: 1, bundles: [], revision: 0 })).toBe(undefined);
    expect(asking.failed(() => 'a fault')).toBe(undefined);
    expect([attributes, asking.shown]).toEqual([[], undefined]);
  });

  test('has an event for its error, with what its edge adds', async () => {
    const log = keepingLog({ isShown: true });
    const asking = new Asking({ engine: await engineOf(policy), logger }, log, askerOf(), question(), 'mine');
    expect(asking.failed(() => ({ code: 'c' }), { question: { custom: { a: 1 } } })).toBe('mine');
    await asking.shown;
    expect(log.records).toMatchObject([{ decisionId: 'mine', error: { code: 'c' }, custom: { a: 1 } }]);
    expect(log.records[0]).not.toHaveProperty('result');
  });

  test('of a batch does not name the span of the batch', async () => {
    const attributes: PlainObject[] = [];
    const asked = question({ batchDecisionId: 'b' });
    const asking = new Asking({ engine: await engineOf('package p'), logger }, keepingLog(), askerOf(attributes), asked);
    asking.answered({ value: 1, bundles: [], revision: 0 });
    expect(attributes).toEqual([]);
  });

  test('tells results of built-ins to its caller, too', () => {
    const told: string[] = [];
    const asking = new Asking({ engine: new Engine(), logger }, undefined, askerOf(), question());
    asking.noting({ onNondeterministic: (builtin) => void told.push(builtin) }).onNondeterministic!('rand.intn', ['a', 5], 3);
    expect(told).toEqual(['rand.intn']);
    expect(asking.question.answers!.toJson()).toEqual({ 'rand.intn': { '["a",5]': 3 } });
  });

  test('is explained, and its error has the explanation', async () => {
    const engine = await engineOf('package p\n\nx := 1 if input.n > 0\n\ny := 1 if true\n\ny := 2 if true');
    const log = keepingLog({ wantsWhy: true, maskDecision: ['system', 'log', 'mask'] });
    const asking = new Asking({ engine, logger }, log, askerOf(), question());
    const why = asking.explaining(false, 0, 10_000);
    expect(why.whyTimeMs).toBe(50);
    await ask(
      { engine, prepared: engine.prepare(['p', 'x']) },
      asking.question,
      (decided, explanation) => asking.answered(decided, { explanation }),
      { why },
    );
    expect(log.records[0]!.why).toMatchObject([{ rule: 'data.p.x', outcome: 'holds' }]);
    const asked = ask({ engine, prepared: engine.prepare(['p', 'y']) }, { segments: ['p', 'y'], input: {} }, () => undefined, {
      why,
      failed: ({ code }, explanation) => new Error(`${code} ${explanation.outcome}`),
    });
    await expect(asked).rejects.toThrow('eval_conflict_error error');
  });
});

test.each([
  ['a log that wants them', { mayHaveRuleLabels: false }, { wantsNondeterministic: true }, false, true],
  ['a log that does not', { mayHaveRuleLabels: false }, { wantsNondeterministic: false }, false, false],
  ['a log, where policies have labels', { mayHaveRuleLabels: true }, { wantsNondeterministic: false }, false, true],
  ['an answer with labels', { mayHaveRuleLabels: true }, undefined, true, true],
  ['an answer without', { mayHaveRuleLabels: true }, undefined, false, false],
])('results of built-ins are kept for %s: %j', (_, engine, log, showsLabels, areKept) => {
  expect(recordedAnswers(engine, log && keepingLog(log), showsLabels) !== undefined).toBe(areKept);
});
