/** Tests that run in several threads. */
import { expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { runWith, withFiles } from '../../test/harness/command.js';
import { entry } from '../../test/harness/command-helpers.js';
import { threadScript } from '../../test/harness/engine-thread.js';
import { openCommandEngine } from '../eval/command-engine.js';
import { outcomesOf } from './parallel.js';
import { type PlannedTest, type TestOutcome, TestProgram } from './test-program.js';

const policy = `package p_test

slow(n) := count([1 | some a in numbers.range(1, 300); some b in numbers.range(1, 100); a * b == n])

conflict := 1

conflict := 2 if input.x

${Array.from({ length: 12 }, (_, i) => `test_slow_${i} if slow(${i + 5}) > 0`).join('\n\n')}

test_prints if {
	print("printed", {1})
	false
}

test_cases[name] if {
	some name, n in {"one": 1, "two": 2}
	n < 2
}

test_error if conflict == 1 with input.x as true

test_data if data.big == 12345678901234567890

test_env if opa.runtime().env.REGION == "eu"

test_parse if rego.parse_module("a.rego", "package a").package.path[1].value == "a"

todo_test_later if false

test_function(x) if x
`;

const files = { 'p_test.rego': policy, 'data.json': '{"big": 12345678901234567890}' };

async function tested(io: { readonly entry?: string }, ...args: string[]): Promise<string> {
  return await withFiles(files, async (dir) => {
    const { stdout } = await runWith({ ...io, env: { REGION: 'eu' } }, ['test', ...args, dir]);
    return stdout
      .replaceAll(dir, '')
      .replaceAll(/\([\d.]+(?:ns|µs|ms|s)\)/g, '')
      .replaceAll(/"duration": \d+/g, '');
  });
}

test.each(['pretty', 'json'])('threads give the results of one, in the same order (%s)', async (format) => {
  const alone = await tested({}, '-v', '-f', format);
  expect(alone).toContain('test_parse');
  expect(await tested({ entry }, '-v', '-f', format, '-p', '2')).toBe(alone);
  expect(await tested({ entry }, '-v', '-f', format, '-p', '1')).toBe(alone);
});

test('a thread that cannot start leaves all tests to this one', async () => {
  expect(await tested({ entry: threadScript('broken', 'throw new Error("no thread")') }, '-p', '2')).toBe(await tested({}));
});

/** Begins with the first test here only after a thread has set the flag. */
async function outcomesBeside(entry: string, count: number) {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const tests = Array.from({ length: count }, (_, i) => ({ fullName: `data.p.test_${i}`, hasCases: false }));
  const ran: string[] = [];
  const text = `package p\n\n${tests.map((_, i) => `test_${i} if ${i} < 3\n`).join('\n')}`;
  const file = { path: 'p.rego', url: 'p.rego', bundlePath: 'p.rego', text, bytes: new Uint8Array() };
  const engine = await openCommandEngine([{ name: 'p.rego', file, module: parseModule('p.rego', text) }], {}, {}, { env: {} });
  const session = await engine.plan(tests.map(({ fullName }) => ({ name: fullName, path: fullName.split('.').slice(1) })));
  const program = new TestProgram(session, [], 5000);
  const here = {
    async run(one: PlannedTest) {
      while (Atomics.load(flag, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      ran.push(one.fullName);
      return await program.run(one);
    },
    spentMs: 0,
  };
  const data = () => ({ ...session.packed(), env: {}, capabilities: undefined, timeMs: 5000, flag });
  const outcomes: TestOutcome[] = [];
  for await (const outcome of outcomesOf(tests, here, { entry, count: 1, afterMs: 0, data })) outcomes.push(outcome);
  return { ran, outcomes };
}

test('another thread takes the tests that this one has no time for', async () => {
  const { ran, outcomes } = await outcomesBeside(
    threadScript(
      'busy',
      `import { workerData } from 'node:worker_threads'; await (await import('./cli/tester/worker.js')).runTests(); Atomics.store(workerData.flag, 0, 1);`,
    ),
    6,
  );
  expect(ran).toEqual(['data.p.test_0']);
  expect(outcomes.map(({ fail }) => fail)).toEqual([false, false, false, true, true, true]);
});

test('a thread that ends in a test leaves an error of that test', async () => {
  const leaving = threadScript(
    'leaving',
    `import { workerData } from 'node:worker_threads';
const { next, current, flag } = workerData;
Atomics.store(current, 0, Atomics.add(next, 0, 1));
Atomics.store(flag, 0, 1);
throw new Error('out of memory');`,
  );
  const { outcomes } = await outcomesBeside(leaving, 3);
  expect(outcomes.map(({ error }) => error?.message)).toEqual([
    undefined,
    'eval_internal_error: the thread of the test ended: out of memory',
    undefined,
  ]);
});
