import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import type { PlainObject } from '../../values/value.js';
import { builtin, CompileErrors, Engine, type EngineOptions, EvaluationError, types, type WatchedDecision } from '../index.js';

const policies = {
  'p.rego': `package p
allow if input.user in data.roles[input.role]
names contains name if some name, _ in data.roles
first := data.list[0]
fifth := data.list[5]
pending if not data.jobs.done
single := x if some x in data.values
counted := x if { acme.count(input.role); x := data.roles[input.role] }
`,
};
const data = { roles: { admin: ['alice'], viewer: ['bob'] }, list: [0, 1, 2, 3, 4, 5], values: [1], other: { n: 0 } };

/** An engine that counts evaluations of `p/counted`. */
async function engineOf(options: EngineOptions = {}): Promise<{ readonly engine: Engine; readonly evaluations: () => number }> {
  let count = 0;
  const counting = builtin('acme.count', [{ name: 'x', type: types.any }], types.boolean, () => {
    count++;
    return true;
  });
  const engine = await Engine.open({ policies, data: structuredClone(data) }, { builtins: [counting], ...options });
  return { engine, evaluations: () => count };
}

/** Reads a watch one decision after the other. */
function reader<T>(watch: AsyncIterator<T>): { next(): Promise<T>; isQuiet(): Promise<boolean> } {
  let pending: Promise<IteratorResult<T, unknown>> | undefined;
  return {
    async next() {
      const { value } = await (pending ?? watch.next());
      pending = undefined;
      return value as T;
    },
    async isQuiet() {
      pending ??= watch.next();
      return await Promise.race([pending.then(() => false), new Promise<boolean>((resolve) => setTimeout(resolve, 60, true))]);
    },
  };
}

describe('a watch of the library', () => {
  test('yields the decision, and another when data that it read has changed', async () => {
    const { engine } = await engineOf();
    const watch = reader(engine.watch('p/allow', { user: 'bob', role: 'admin' }));
    expect(await watch.next()).toEqual({});
    await engine.setData('roles/admin', ['alice', 'bob']);
    expect(await watch.next()).toEqual({ result: true });
    await engine.setData('roles/admin', ['bob']);
    expect(await watch.isQuiet()).toBe(true);
    await engine.setData('roles', {});
    expect(await watch.next()).toEqual({});
  });

  test('sees what a long plan reads, which is walked', async () => {
    const rules = Array.from({ length: 1000 }, (_, i) => `long contains ${i} if input.n > ${i}`).join('\n');
    const names = ['p/allow', 'p/names', 'p/replaced'];
    const body = `${policies['p.rego']}${rules}\nreplaced := x if x := names with data.values as [2]`;
    const plan = compile({ policies: { 'p.rego': body.replace(/^counted.*\n/m, '') }, entrypoints: [...names, 'p/long'] });
    const engine = await Engine.open([plan, { data: structuredClone(data) }]);
    const watches = names.map((name) => reader(engine.watch(name, { user: 'bob', role: 'admin' })));
    const next = () => Promise.all(watches.map((watch) => watch.next()));
    expect(await next()).toEqual([{}, { result: ['admin', 'viewer'] }, { result: ['admin', 'viewer'] }]);
    await engine.setData('other/n', 1);
    expect(await Promise.all(watches.map((watch) => watch.isQuiet()))).toEqual([true, true, true]);
    await engine.setData('roles', { admin: ['bob'] });
    expect(await next()).toEqual([{ result: true }, { result: ['admin'] }, { result: ['admin'] }]);
  });

  test('evaluates nothing when other data or other policies change', async () => {
    const { engine, evaluations } = await engineOf();
    const watch = reader(engine.watch('p/counted', { role: 'admin' }));
    await watch.next();
    const before = evaluations();
    await engine.setData('roles/viewer', []);
    await engine.setData('other/n', 1);
    await engine.setPolicy('q.rego', 'package q\nx := 1');
    expect(await watch.isQuiet()).toBe(true);
    expect(evaluations()).toBe(before);
    await engine.setData('roles/admin', ['eve']);
    await watch.next();
    expect(evaluations()).toBe(before + 1);
  });

  test.each([
    ['a key that is added', 'p/names', 'roles/guest', [], ['admin', 'guest', 'viewer']],
    ['an array that gets other elements', 'p/fifth', 'list', [5, 4, 3, 2, 1, 0], 0],
    ['a document that did not exist, nor its parent', 'p/pending', 'jobs/done', true, undefined],
    ['all documents', 'p/first', '', { list: ['new'] }, 'new'],
    ['a base document below the path', 'other', 'other/n', 7, { n: 7 }],
  ])('sees %s', async (_what, path, changed, value, result) => {
    const { engine } = await engineOf();
    const watch = reader(engine.watch(path));
    await watch.next();
    await engine.setData(changed, value);
    expect(await watch.next()).toEqual(result === undefined ? {} : { result });
  });

  test('sees changes of rules that it reads', async () => {
    const { engine } = await engineOf();
    const watch = reader(engine.watch('p/first'));
    await watch.next();
    await engine.setPolicy('p.rego', 'package p\nfirst := data.q.x');
    expect(await watch.next()).toEqual({});
    await engine.setPolicy('q.rego', 'package q\nx := 2');
    expect(await watch.next()).toEqual({ result: 2 });
    await engine.setPolicy('p.rego', undefined);
    expect(await watch.next()).toEqual({});
  });

  test('yields the error of an evaluation and goes on', async () => {
    const { engine } = await engineOf();
    const watch = reader<WatchedDecision>(engine.watch('p/single'));
    expect(await watch.next()).toEqual({ result: 1 });
    await engine.setData('values', [1, 2]);
    const failed = await watch.next();
    expect((failed as WatchedDecision).error).toBeInstanceOf(EvaluationError);
    await engine.setData('values', [3]);
    expect(await watch.next()).toEqual({ result: 3 });
  });

  test('rejects where a function takes the place of the document', async () => {
    const { engine } = await engineOf();
    const watch = engine.watch('p/first');
    await watch.next();
    const next = watch.next();
    await engine.setPolicy('p.rego', 'package p\nfirst(x) := x');
    await expect(next).rejects.toBeInstanceOf(CompileErrors);
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test('gives a reader that comes late only the last state', async () => {
    const { engine } = await engineOf();
    const watch = reader(engine.watch('p/first'));
    await watch.next();
    for (const n of [1, 2, 3]) await engine.setData('list', [n]);
    expect(await watch.next()).toEqual({ result: 3 });
    expect(await watch.isQuiet()).toBe(true);
  });

  test('reads documents that are frozen', async () => {
    const frozen = Object.freeze({ roles: Object.freeze({ admin: Object.freeze(['alice']) }) });
    const engine = await Engine.open({ policies: { 'p.rego': 'package p\nnames := data.roles.admin' }, data: frozen });
    const watch = reader(engine.watch('p/names'));
    expect(await watch.next()).toEqual({ result: ['alice'] });
    await engine.setData('roles/admin', []);
    expect(await watch.next()).toEqual({ result: [] });
  });

  test('ends with the loop, with the signal and with the engine', async () => {
    const { engine } = await engineOf();
    const seen: unknown[] = [];
    for await (const { result } of engine.watch('p/first')) {
      seen.push(result);
      break;
    }
    expect(seen).toEqual([0]);
    const controller = new AbortController();
    const aborted = engine.watch('p/first', undefined, { signal: controller.signal });
    await aborted.next();
    controller.abort();
    expect(await aborted.next()).toEqual({ done: true, value: undefined });
    const closed = engine.watch('p/first');
    await closed.next();
    const last = closed.next();
    await engine.close();
    expect(await last).toEqual({ done: true, value: undefined });
  });
});

const names = ['a', 'b', 'c', '0', '1', 'length', 'constructor'];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(0, 1, 'a', 'b', '0', true, null),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;
const documents = fc.dictionary(fc.constantFrom('x', 'y'), json) as fc.Arbitrary<PlainObject>;
const changes = fc.array(
  fc.record({
    path: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
    value: fc.option(json, { nil: undefined }),
    root: fc.constantFrom('x', 'y'),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Documents read in many ways; each with the input that some keys are taken from. */
const readings = `package r
at := data.x[input.k]
deep := data.x[input.k][input.l]
keys := [k | some k, _ in data.x]
values := {v | some v in data.x}
size := count(data.y)
same if data.x == data.y
joined := [[i, v] | some i; v := data.x[i]; v == data.y[_]]
absent if not data.y[input.k]
walked := [p | some p, v; walk(data.y, [p, v]); v == 1]
part := object.get(data.x, [input.k, input.l], "none")
every_one if { every v in data.y { v != data.x } }
whole := data.x
`;

test('what a watch yields last is always the decision', async () => {
  const runs = randomCases(60);
  await fc.assert(
    fc.asyncProperty(documents, changes, fc.constantFrom(...names), fc.constantFrom(...names), async (first, list, k, l) => {
      const engine = await Engine.open({ policies: { 'r.rego': readings }, data: first });
      const rules = engine.rules();
      const input = { k, l };
      const last = new Map<string, unknown>();
      for (const path of rules) {
        void (async () => {
          for await (const decision of engine.watch(path, input)) last.set(path, decision);
        })();
      }
      for (const { path, value, root } of [{ path: [], value: first.x, root: 'x' }, ...list]) {
        await engine.setData([root, ...path].join('/'), value).catch(() => undefined);
        const expected = new Map(rules.map((rule) => [rule, engine.decide(rule, input)]));
        await vi.waitFor(() => expect(Object.fromEntries(last)).toEqual(Object.fromEntries(expected)), { timeout: 60_000, interval: 2 });
      }
      await engine.close();
    }),
    { numRuns: runs },
  );
});
