/** Evaluations that build large values end before they take all memory. */
import { expect, test } from 'vitest';
import { maxElements } from '../values/memory.js';
import { Engine, EvaluationError } from './index.js';

const policy = `package p

lists := count([list | some i in numbers.range(1, 300000); list := [i, i, i, i]])

texts := count({sprintf("text-%d-%d", [i, j]) | some i in numbers.range(1, 2000); some j in numbers.range(1, 1000)})

halves := array.concat(input.half, input.half)
`;

function ended(engine: Engine, path: string, options: object): EvaluationError {
  try {
    engine.decide(path, { half: [] }, options);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error(`${path} did not end with an error`);
}

test.each(['p/lists', 'p/texts'])('%s takes no more of the heap than it may', async (path) => {
  const engine = await Engine.open({ policies: { 'p.rego': policy } });
  expect(ended(engine, path, { heapShare: 0.001 })).toMatchObject({
    code: 'eval_cancel_error',
    detail: 'query execution takes too much memory',
  });
});

test('an array that a built-in makes is bounded; the call is not undefined, which would decide by the memory', async () => {
  const engine = await Engine.open({
    policies: { 'p.rego': `${policy}\nempty := [i | some i in array.concat(input.half, input.half)]\n` },
  });
  const half = Array(Math.floor(maxElements() / 2) + 1).fill(0);
  for (const path of ['p/halves', 'p/empty'])
    for (const strictBuiltinErrors of [false, true])
      expect(() => engine.decide(path, { half }, { strictBuiltinErrors })).toThrow(
        expect.objectContaining({ code: 'eval_cancel_error', detail: expect.stringMatching(/^array\.concat: an array of more than/) }),
      );
});
