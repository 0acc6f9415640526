/** Tests that are compiled and run in several threads. */
import { expect, test } from 'vitest';
import { threadScript } from '../../engine/threads/thread-script-testing.js';
import { loadPolicies } from '../policies.js';
import { withFiles } from '../testing.js';
import type { TestResult } from './result.js';
import { type TestOptions, TestRun } from './run.js';
import { type Results, shardedRun } from './sharded-run.js';
import { entry } from './thread-script-testing.js';

const tests = (name: string) => `package ${name}_test

import data.lib
import data.${name}

test_passes if lib.double(${name}.n) == 4

test_fails if {
	print("printed", ${name}.n)
	lib.double(${name}.n) == 5
}

test_error if lib.conflict with input.x as true

test_cases[note] if {
	some note, n in {"one": 1, "two": 2}
	lib.double(n) == 4
}

test_data if data.big == 12345678901234567890

test_env if opa.runtime().env.REGION == "eu"

todo_test_later if false

test_function(x) if x
`;

const names = ['a', 'b', 'c', 'd'];
const files: Readonly<Record<string, string>> = {
  'lib.rego': 'package lib\n\ndouble(x) := x * 2\n\nconflict := true\n\nconflict := false if input.x\n\ntest_own if double(1) == 2\n',
  'data.json': '{"big": 12345678901234567890}',
  ...Object.fromEntries(
    names.flatMap((name) => [[`${name}.rego`, `package ${name}\n\nn := 2\n`] as const, [`${name}_test.rego`, tests(name)] as const]),
  ),
};

const options: TestOptions = {
  compile: { schemaAnnotations: true, errorLimit: 10 },
  timeout: 5000,
  matches: () => true,
  coverage: false,
  coverageRuns: [],
  benchmark: false,
  allocations: false,
  parallel: 2,
  failureLines: false,
  explain: 'fails',
};

async function resultsOf(run: Results | undefined): Promise<unknown> {
  const results: TestResult[] = [];
  for await (const result of run!.results()) results.push(result);
  return results.map(({ duration: _, error, ...result }) => ({ ...result, message: error?.message }));
}

async function loaded<T>(
  over: Readonly<Record<string, string>>,
  use: (...loaded: Parameters<typeof TestRun.prepare>) => Promise<T>,
): Promise<T> {
  return await withFiles({ ...files, ...over }, async (directory) => {
    const { parsed, data } = await loadPolicies([directory], { version: 'v1' });
    return await use(parsed, data, options, { env: { REGION: 'eu' }, entry });
  });
}

test('divided tests have the results of undivided ones, in the same order', async () => {
  await loaded({}, async (...given) => {
    const alone = await resultsOf(await TestRun.prepare(...given));
    expect(JSON.stringify(alone)).toContain('printed');
    expect(await resultsOf(await shardedRun(...given, 0))).toEqual(alone);
  });
});

test('tests of one package in several files, tests of the same name, and refs to all of a package stay together', async () => {
  const over = {
    'a_more_test.rego': 'package a_test\n\ntest_more if n == data.a.n\n\nn := 2\n\ntest_passes if data.a[_] == 3\n',
    'z_test.rego': 'package z_test\n\ntest_all if {\n\tsome name\n\tdata.d[name] == 2\n\tprint(name)\n}\n',
  };
  await loaded(over, async (...given) => {
    const alone = await resultsOf(await TestRun.prepare(...given));
    expect(JSON.stringify(alone)).toContain('test_passes#01');
    expect(await resultsOf(await shardedRun(...given, 0))).toEqual(alone);
  });
});

test('tests that may read all packages are not divided', async () => {
  const text = 'package z_test\n\ntest_all if data[input.name].n == 2 with input.name as "d"\n';
  await loaded({ 'z_test.rego': text }, async (...given) => expect(await shardedRun(...given, 0)).toBeUndefined());
});

test.each([
  ['this thread', 'a.rego', 'package a\n\nn := 2\n\np := unknown\n'],
  ['another thread', 'd.rego', 'package d\n\nn := 2\n\np := unknown\n'],
  ['two packages together', 'inner.rego', 'package d.n\n\nx := 1\n'],
])('where a policy of %s does not compile, nothing is divided', async (_title, path, text) => {
  await loaded({ [path]: text }, async (...given) => expect(await shardedRun(...given, 0)).toBeUndefined());
});

test('a thread that cannot start leaves all tests to this one', async () => {
  const broken = threadScript('broken', 'throw new Error("no thread")');
  await loaded({}, async (parsed, data, given, io) =>
    expect(await shardedRun(parsed, data, given, { ...io, entry: broken }, 0)).toBeUndefined(),
  );
});

test('a thread that ends leaves errors of the tests that it had not run', async () => {
  const leaving = threadScript('leaving', `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready');`);
  await loaded({}, async (parsed, data, given, io) => {
    const results = JSON.stringify(await resultsOf(await shardedRun(parsed, data, given, { ...io, entry: leaving }, 0)));
    expect(results).toContain('the thread of the test ended: it left');
    expect(results.match(/"name":"test_passes","skip":false,"fail":false/g)).toHaveLength(2);
  });
});
