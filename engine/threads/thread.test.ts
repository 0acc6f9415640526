import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { packExecutable } from '../../runtime/codegen/packed-executable.js';
import { evaluationEntry } from '../../test/harness/engine-thread.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import type { LongEvaluation } from '../evaluation/long-evaluations.js';
import { loadProgram } from '../load-program.js';
import { createContext } from '../shared-context.js';
import { nodeThreads } from './node-threads.js';
import { cancelled, Thread, type Work } from './thread.js';

const entry = evaluationEntry();

/** Work of a second or less. */
async function workOf(): Promise<{ readonly work: Work; readonly results: Promise<Uint8Array> }> {
  const policy = 'package p\n\nn := count([1 | some a in numbers.range(1, 1000); some b in numbers.range(1, 1000); a * b == 6])\n';
  const executable = await loadProgram(compile({ policies: { 'p.rego': policy }, entrypoints: ['p/n'] }), builtins);
  const plan = executable.entrypoints.get('p/n')!;
  const data = new TextEncoder().encode('{}');
  const documents = { root: {}, version: 1, release() {} };
  const context = createContext({ host: nodeHost });
  const evaluation: LongEvaluation = {
    target: { executable, plan },
    input: undefined,
    context,
    documents,
    timeMs: 0,
    strictBuiltinErrors: false,
  };
  const job = {
    ...{ id: 7, programId: 1, plan, timeMs: 0, strictBuiltinErrors: false, wantsAnswers: false, wantsJson: true, dataVersion: 1 },
    ...{
      program: undefined,
      builtins: undefined,
      input: undefined,
      data: undefined,
      runtime: undefined,
      allowNet: undefined,
      codegen: 'always' as const,
    },
    ...{ instructions: undefined, callDepth: undefined, timeNs: undefined, known: undefined },
  };
  const { promise: results, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const bytes = packExecutable(executable);
  const work = { client: '', usedMs: 0, job, bytes, data, runtime: {}, evaluation, until: Number.POSITIVE_INFINITY, resolve, reject };
  return { work, results };
}

test('work that gave way does not give way again when the same thread gets it again', async () => {
  const { work, results } = await workOf();
  let ways = 0;
  const thread: Thread = new Thread(nodeThreads(entry), work.data, {
    onFree: (done, gaveWay) => {
      if (gaveWay && ++ways < 50) thread.give(done);
    },
    onEnd: () => {},
    idleMs: 60_000,
  });
  thread.give(work);
  thread.preempt();
  expect(new TextDecoder().decode(await results)).toMatch(/\[\{"result":4\}\]$/);
  expect(ways).toBe(1);
  await thread.end(cancelled());
});
