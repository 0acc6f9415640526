import { describe, expect, test, vi } from 'vitest';
import { arg, asyncBuiltin } from '../values/builtins/builtin.js';
import { withRows } from '../values/builtins/declared-builtins.js';
import { builtins } from '../values/builtins/registry.js';
import { toPlain } from '../values/json/plain-form.js';
import * as types from '../values/type.js';
import type { Value } from '../values/value.js';
import { Engine } from './engine.js';
import { cacheHit, Metrics } from './evaluation/metrics.js';
import type { Prepared } from './prepared.js';

const policyOf = (n: number) => new Map([['p.rego', `package p\nx := [${n}, data.n]\nkeys[k] := ${n} if some k in ["a", "b"]`]]);
const change = (n: number) => ({ policies: policyOf(n), data: [{ op: 'write', path: ['n'], value: n } as const] });

async function engineAt(n: number): Promise<Engine> {
  const engine = new Engine();
  await engine.commit(change(n));
  return engine;
}

const plain = (value: Value | undefined) => (value === undefined ? undefined : toPlain(value));
const valueAt = (prepared: Prepared): Promise<Value | undefined> => prepared.decide(undefined, ({ value }) => value);

describe('a prepared path', () => {
  test.each<[string, readonly string[], Value | undefined]>([
    ['a rule', ['p', 'x'], [1, 1]],
    ['a part of one', ['p', 'x', '1'], 1],
    ['a key of one', ['p', 'keys', 'a'], 1],
    ['a package', ['p'], { x: [1, 1], keys: { a: 1, b: 1 } }],
    ['a document', ['n'], 1],
    ['nothing', ['no', 'such'], undefined],
  ])('answers %s, in slices and at once', async (_title, path, value) => {
    const engine = await engineAt(1);
    expect(plain(await valueAt(engine.prepare(path)))).toEqual(value);
    expect(plain(engine.prepare(path).atOnce(undefined))).toEqual(value);
  });

  test('may be planned for as long as an evaluation takes at most, if asked; a late plan is kept', async () => {
    const engine = new Engine();
    const rules = Array.from({ length: 2000 }, (_, i) => `r[${i}] := input.x + ${i} if input.y == ${i}`);
    await engine.commit({ policies: new Map([['p.rego', `package p\n\n${rules.join('\n')}`]]) });
    const input = { x: 1, y: 7 };
    const late = engine.prepare(['p', 'r'], { timeMs: 1, timeIncludesPlanning: true });
    await expect(late.decide(input, ({ value }) => value)).rejects.toMatchObject({ detail: 'query execution timed out' });
    const inTime = engine.prepare(['p', 'r'], { timeMs: 100_000, timeIncludesPlanning: true });
    expect(await inTime.decide(input, ({ value }) => toPlain(value!))).toEqual({ 7: 8 });
    expect(late.question().targets).toEqual(inTime.question().targets);
  });

  test('answers from policies and documents of one version, however many commits come in between', async () => {
    const engine = await engineAt(0);
    const rule = engine.prepare(['p', 'x']);
    const seen: (Value | undefined)[] = [];
    let done = false;
    const asking = (async () => {
      while (!done) {
        seen.push(await valueAt(rule), rule.atOnce(undefined));
        await new Promise(setImmediate);
      }
    })();
    for (let n = 1; n <= 30; n++) await engine.commit(change(n));
    done = true;
    await asking;
    for (const value of seen) expect(value).toEqual([(value as number[])[0], (value as number[])[0]]);
    expect(await valueAt(rule)).toEqual([30, 30]);
  });

  test('goes on with the version that it began with where a built-in waits', async () => {
    let answer: ((value: string) => void) | undefined;
    const waits = asyncBuiltin('test.wait', [], types.string, () => new Promise<string>((resolve) => (answer = resolve)));
    const engine = new Engine({ builtins: withRows(builtins, [waits]) });
    await engine.commit({ policies: new Map([['p.rego', 'package p\nx := [test.wait(), data.n]']]) });
    await engine.commit({ data: [{ op: 'write', path: ['n'], value: 1 }] });
    const decided = valueAt(engine.prepare(['p', 'x']));
    await vi.waitFor(() => expect(answer).toBeDefined());
    await engine.commit({ data: [{ op: 'write', path: ['n'], value: 2 }] });
    answer!('done');
    expect(await decided).toEqual(['done', 1]);
  });

  test('keeps the answers that it waits for apart from those of other decisions', async () => {
    const waiting: (() => void)[] = [];
    const waits = asyncBuiltin('test.wait', [arg('name', types.string)], types.string, ([name]) => {
      const order = waiting.length;
      return new Promise<string>((resolve) => waiting.push(() => resolve(`${name}${order}`)));
    });
    const engine = new Engine({ builtins: withRows(builtins, [waits]) });
    const rule = 'package p\nx := [test.wait(input), test.wait(input)] if input != "now"\nelse := "now"';
    await engine.commit({ policies: new Map([['p.rego', rule]]) });
    const prepared = engine.prepare(['p', 'x']);
    const decide = (input: string) => prepared.decide(input, ({ value }) => value);
    const two = [decide('a'), decide('b')];
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    expect(await decide('now')).toBe('now');
    for (const answer of waiting.toReversed()) answer();
    expect(await Promise.all(two)).toEqual([
      ['a0', 'a0'],
      ['b1', 'b1'],
    ]);
    const later = decide('a');
    await vi.waitFor(() => expect(waiting).toHaveLength(3));
    waiting[2]!();
    expect(await later).toEqual(['a2', 'a2']);
  });

  test('says in its metrics whether it has decided in this version before', async () => {
    const engine = await engineAt(1);
    const rule = engine.prepare(['p', 'x']);
    const hit = async () => {
      const metrics = new Metrics();
      await rule.decide(undefined, () => undefined, undefined, { metrics });
      return metrics.toJson()[cacheHit];
    };
    expect([await hit(), await hit()]).toEqual([0, 1]);
    await engine.commit({ data: [{ op: 'write', path: ['n'], value: 2 }] });
    expect([await hit(), await hit()]).toEqual([0, 1]);
  });

  test('takes the options of a decision in the place of its own', async () => {
    const engine = await engineAt(1);
    const rule = engine.prepare(['p'], { instructions: 1 });
    await expect(valueAt(rule)).rejects.toThrow('instruction');
    expect(await rule.decide(undefined, ({ value }) => value, undefined, {})).toBeDefined();
  });
});

test('a function that a commit is given is called at its turn, and may find nothing to do', async () => {
  const engine = await engineAt(1);
  const write = { data: [{ op: 'write', path: ['new'], value: 1 } as const] };
  const unlessThere = () => (engine.readData(['new']) === undefined ? write : undefined);
  const reports = await Promise.all([engine.commit(unlessThere), engine.commit(unlessThere)]);
  expect(reports.map(({ done }) => done)).toEqual([true, false]);
  expect(reports[1]!.version).toBe(reports[0]!.version);
});
