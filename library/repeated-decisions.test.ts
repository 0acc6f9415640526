/** Decisions that are made so often that they run in generated code with a state of their own. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { compile } from '../compiler/compile.js';
import { emptyBundle } from '../engine/bundle/bundle.js';
import { emptyManifest } from '../engine/bundle/manifest.js';
import type { Plan } from '../ir-schema/plan.js';
import { StandingState } from '../runtime/codegen/generated-decision.js';
import { arg, builtin, Engine, type EngineOptions, types } from './index.js';

const policy = `package p

allow if input.user in data.admins

list := [x | some x in input.list]

conflict := x if some x in input.list

long := count([1 | some x in data.numbers; x < input.below; some y in data.numbers; x != y])

again := acme.again(input.level)

waits := http.send({"method": "GET", "url": "http://127.0.0.1:1/"}) if input.asks

now := time.now_ns()
`;

let engine: Engine;

/** Decides the same path by another input, as a host's function may. */
const again = builtin('acme.again', [arg('level', types.number)], types.number, (level) =>
  level === 0 ? 0 : engine.decide<number>('p/again', { level: Number(level) - 1 }).result! + 1,
);

const open = (options: EngineOptions = {}) =>
  Engine.open(
    { policies: { 'p.rego': policy }, data: { admins: ['ann'], numbers: Array.from({ length: 150 }, (_, i) => i) } },
    { builtins: [again], ...options },
  );

/** Decides until the next decision runs in generated code. */
function warm(path: string, input: unknown): void {
  for (let i = 0; i < 100; i++) engine.decide(path, input);
}

beforeEach(async () => {
  engine = await open();
});

describe('a decision made often', () => {
  test('keeps nothing of the one before', () => {
    warm('p/list', { list: [1] });
    const first = engine.decide('p/list', { list: [1, 2] });
    expect(engine.decide('p/list', { list: [3] })).toEqual({ result: [3] });
    expect(engine.decide('p/list', {})).toEqual({ result: [] });
    expect(first).toEqual({ result: [1, 2] });
    expect(engine.decide('p/allow', { user: 'ann' })).toEqual({ result: true });
  });

  test('has the time of its own', () => {
    warm('p/now', {});
    const { result: first } = engine.decide<number>('p/now');
    for (const start = performance.now(); performance.now() < start + 1; );
    expect(engine.decide<number>('p/now').result).toBeGreaterThan(first!);
  });

  test('goes on after an error, which has its place', () => {
    warm('p/conflict', { list: [1] });
    for (let i = 0; i < 3; i++) {
      expect(() => engine.decide('p/conflict', { list: [1, 2] })).toThrow('p.rego:7: eval_conflict_error');
      expect(engine.decide('p/conflict', { list: [i] })).toEqual({ result: i });
    }
  });

  test('cannot wait', () => {
    warm('p/waits', {});
    expect(() => engine.decide('p/waits', { asks: true })).toThrow('eval_wait_error');
    expect(engine.decide('p/waits', {})).toEqual({});
  });

  test('may be made inside of itself', () => {
    warm('p/again', { level: 0 });
    expect(engine.decide('p/again', { level: 5 })).toEqual({ result: 5 });
    expect(engine.decide('p/again', { level: 1 })).toEqual({ result: 1 });
  });

  test('keeps its state after overflows at any place of its code', () => {
    const decide = () => engine.decide('p/allow', { user: 'ann' });
    warm('p/allow', { user: 'ann' });
    const deeper = (): void => {
      try {
        decide();
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      deeper();
    };
    const below = (frames: number): void => (frames === 0 ? deeper() : below(frames - 1));
    for (let frames = 0; frames < 50; frames++) expect(() => below(frames)).toThrow(RangeError);
    expect(decide()).toEqual({ result: true });
    const made = vi.spyOn(StandingState.prototype, 'newEvaluation');
    expect(decide()).toEqual({ result: true });
    expect(made).not.toHaveBeenCalled();
  });

  test('has the limits that it is given', () => {
    warm('p/long', { below: 0 });
    expect(() => engine.decide('p/long', { below: 150 }, { instructions: 1000 })).toThrow('instruction limit reached');
    expect(() => engine.decide('p/long', { below: 150 }, { signal: AbortSignal.abort() })).toThrow('caller cancelled');
    expect(engine.decide('p/long', { below: 150 })).toEqual({ result: 22_350 });
  });

  test('sees new documents and policies', async () => {
    warm('p/allow', { user: 'eve' });
    await engine.setData('admins', ['eve']);
    expect(engine.decide('p/allow', { user: 'eve' })).toEqual({ result: true });
    warm('p/allow', { user: 'eve' });
    await engine.setPolicy('p.rego', 'package p\n\nallow := "new"');
    expect(engine.decide('p/allow', { user: 'eve' })).toEqual({ result: 'new' });
  });

  test('does not see what someone added to Object.prototype', () => {
    warm('p/allow', {});
    const polluted = Object.prototype as { user?: string };
    polluted.user = 'ann';
    try {
      expect(engine.decide('p/allow', {})).toEqual({});
    } finally {
      delete polluted.user;
    }
    expect(engine.decide('p/allow', { user: 'ann' })).toEqual({ result: true });
  });
});

test('engines over the same policies decide by their own documents', async () => {
  const other = await open();
  await other.setData('admins', ['eve']);
  for (let i = 0; i < 100; i++) {
    expect(engine.decide('p/allow', { user: 'ann' })).toEqual({ result: true });
    expect(other.decide('p/allow', { user: 'ann' })).toEqual({});
  }
});

test('a plan of a bundle stands before the documents of now', async () => {
  const text = 'package p\n\nq := {"a": 1} if input.here';
  const plan: unknown = JSON.parse(JSON.stringify(compile({ policies: { 'p.rego': text }, entrypoints: ['p/q'] })));
  const plans = [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy: plan as Plan }];
  engine = await Engine.open({ ...emptyBundle, manifest: { ...emptyManifest, roots: [] }, plans });
  const results = () => {
    warm('p/q', { here: true });
    return [{ here: true }, {}].map((input) => engine.decide('p/q', input).result);
  };
  expect(results()).toEqual([{ a: 1 }, undefined]);
  await engine.setData('p/q', { b: 2 });
  expect(results()).toEqual([{ a: 1, b: 2 }, { b: 2 }]);
  await engine.setData('p/q/b', 3);
  expect(results()).toEqual([{ a: 1, b: 3 }, { b: 3 }]);
  await engine.setData('p/q', undefined);
  expect(results()).toEqual([{ a: 1 }, undefined]);
});
