import { expect, test } from 'vitest';
import { ReadTree } from './read-tree.js';
import { Turns } from './turns.js';
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
  const watched = {
    reads,
    refresh: async () => false,
    evaluate: ({ sharedAs }: Asked) =>
      new Promise<string>((resolve, reject) => asked.push({ by: sharedAs!, answer: resolve, fail: () => reject(new Error('cancelled')) })),
  };
  const source = new WatchSource<Asked, string>(watched, { evaluating: () => {}, evaluated: () => {}, ended: () => (hasEnded = true) });
  const turns = new Turns();
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
  return { source, watch, evaluation, hasEnded: () => hasEnded };
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
