import { expect, test } from 'vitest';
import { ReadTree } from './read-tree.js';
import { WatchTurns } from './turns.js';
import { Watch } from './watch.js';
import { WatchSource } from './watch-source.js';
import type { Answering } from './watched-path.js';

type Asked = Answering<never, string>;

/** A source whose answers are given by the test, each for the watch that asked for it. */
function counted() {
  const reads = new ReadTree();
  reads.root.at('x').readWhole();
  const asked: { readonly by: string; answer(text: string): void; fail(): void }[] = [];
  let hasEnded = false;
  let failing: (() => void) | undefined;
  const watched = {
    reads,
    refresh: async () => {
      const fails = failing;
      failing = undefined;
      fails?.();
      if (fails !== undefined) throw new Error('no rule');
      return false;
    },
    evaluate: ({ sharedAs }: Asked) =>
      new Promise<string>((resolve, reject) => asked.push({ by: sharedAs!, answer: resolve, fail: () => reject(new Error('cancelled')) })),
  };
  const source = new WatchSource<Asked, string>(watched, { evaluating: () => {}, evaluated: () => {}, ended: () => (hasEnded = true) });
  const turns = new WatchTurns();
  const watch = (sharedAs: string) =>
    new Watch<string, never>(
      { sharedAs, input: undefined, options: () => ({}), write: () => '', isSame: (one, other) => one === other },
      source,
      turns,
      () => {},
    );
  /** The evaluation with a number, once it has begun. */
  const evaluation = async (number: number) => {
    for (let turn = 0; turn < 100 && asked.length <= number; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(asked.length).toBe(number + 1);
    return asked[number]!;
  };
  return {
    source,
    watch,
    evaluation,
    hasEnded: () => hasEnded,
    /** The policies do not fit at their next use, in which it calls a function. */
    failNext: (during: () => void) => (failing = during),
  };
}

const changed = [{ op: 'write', path: ['x'], value: 1 }] as const;

test('a change is evaluated once for all watches of a source', async () => {
  const { source, watch, evaluation, hasEnded } = counted();
  const watches = [watch('a'), watch('b'), watch('c')];
  const all = () => Promise.all(watches.map((one) => one.next()));
  for (const [number, answer] of ['one', 'two'].entries()) {
    const next = all();
    if (number > 0) source.touch(changed);
    (await evaluation(number)).answer(answer);
    expect(await next).toEqual([{ answer }, { answer }, { answer }]);
  }
  for (const one of watches) one.end();
  expect(hasEnded()).toBe(true);
});

test('an evaluation that ends with its client is made again for the others', async () => {
  const { watch, evaluation } = counted();
  const watches = [watch('a'), watch('b')];
  const [first, second] = watches.map((one) => one.next());
  const cancelled = await evaluation(0);
  expect(cancelled.by).toBe('a');
  watches[0]!.end();
  cancelled.fail();
  const again = await evaluation(1);
  expect(again.by).toBe('b');
  again.answer('one');
  expect(await first).toBeUndefined();
  expect(await second).toEqual({ answer: 'one' });
});

test('a watch that is opened during an evaluation gets an answer that began later', async () => {
  const { watch, evaluation } = counted();
  const first = watch('a').next();
  const before = await evaluation(0);
  const late = watch('b').next();
  before.answer('one');
  expect(await first).toEqual({ answer: 'one' });
  (await evaluation(1)).answer('two');
  expect(await late).toEqual({ answer: 'two' });
});

test('a watch hears of a change after another was opened and ended', async () => {
  const { source, watch, evaluation } = counted();
  const one = watch('a');
  const first = one.next();
  (await evaluation(0)).answer('one');
  await first;
  const second = one.next();
  watch('b').end();
  source.touch(changed);
  (await evaluation(1)).answer('two');
  expect(await second).toEqual({ answer: 'two' });
});

test('watches of a source are notified in turns, a few at a time', async () => {
  const { watch, evaluation } = counted();
  let notified = 0;
  for (let i = 0; i < 100; i++)
    void watch(`${i}`)
      .next()
      .then(() => notified++);
  // The evaluation takes longer than all watches need to ask for their turns.
  const first = await evaluation(0);
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
  first.answer('one');
  const perTurn: number[] = [];
  while (notified < 100) {
    const before = notified;
    await new Promise((resolve) => setImmediate(resolve));
    perTurn.push(notified - before);
  }
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(20);
});

test('watches whose policies fail end, unless the policies are mended before', async () => {
  const { source, watch, evaluation, failNext } = counted();
  const watches = [watch('a'), watch('b')];
  const first = watches.map((one) => one.next());
  (await evaluation(0)).answer('one');
  await Promise.all(first);
  const [failed, mended] = watches.map((one) => one.next());
  failNext(() => source.policiesChanged());
  source.policiesChanged();
  expect(await failed).toEqual({ error: new Error('no rule'), isLast: true });
  (await evaluation(1)).answer('two');
  expect(await mended).toEqual({ answer: 'two' });
  expect(watches.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
});
