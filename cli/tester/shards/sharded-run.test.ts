/** Tests that are compiled and run in several threads. */
import { expect, test } from 'vitest';
import { threadScript } from '../../../engine/threads/thread-script-testing.js';
import { TurboFanPause } from '../../eval/compile-tier.js';
import { readPolicies, type Sources } from '../../policies.js';
import { withFiles } from '../../testing.js';
import { testMatcher } from '../discover.js';
import type { TestResult } from '../result.js';
import { type TestOptions, TestRun } from '../run.js';
import { entry } from '../thread-script-testing.js';
import { Crew } from './crew.js';
import { type Results, shardedRun } from './sharded-run.js';

// Long enough that each package is a shard: they have little in common.
const tests = (name: string) => `package ${name}_test # ${'-'.repeat(2000)}

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
  pattern: '',
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

const io = { env: { REGION: 'eu' }, entry };

async function loaded<T>(over: Readonly<Record<string, string>>, use: (sources: Sources) => Promise<T>): Promise<T> {
  return await withFiles({ ...files, ...over }, async (directory) => await use(await readPolicies([directory], { version: 'v1' })));
}

async function undivided(sources: Sources): Promise<unknown> {
  const { parsed, data } = sources.parse();
  return await resultsOf(await TestRun.prepare(parsed, data, options, io));
}

async function divided(sources: Sources, over: { readonly entry?: string; readonly pattern?: string } = {}): Promise<Results | undefined> {
  const { entry, pattern = '' } = over;
  const given = { ...options, pattern, matches: await testMatcher(pattern) };
  const pause = new TurboFanPause(undefined, () => undefined);
  const surroundings = { ...io, ...(entry && { entry }) };
  return await shardedRun(sources, given, new Crew(given, pause, surroundings, 0), pause, surroundings);
}

test('divided tests have the results of undivided ones, in the same order', async () => {
  await loaded({}, async (sources) => {
    const alone = await undivided(sources);
    expect(JSON.stringify(alone)).toContain('printed');
    expect(await resultsOf(await divided(sources))).toEqual(alone);
  });
});

test('tests of one package in several files, tests of the same name, and refs to all of a package stay together', async () => {
  const over = {
    'a_more_test.rego': 'package a_test\n\ntest_more if n == data.a.n\n\nn := 2\n\ntest_passes if data.a[_] == 3\n',
    'z_test.rego': 'package z_test\n\ntest_all if {\n\tsome name\n\tdata.d[name] == 2\n\tprint(name)\n}\n',
  };
  await loaded(over, async (sources) => {
    const alone = await undivided(sources);
    expect(JSON.stringify(alone)).toContain('test_passes#01');
    expect(await resultsOf(await divided(sources))).toEqual(alone);
  });
});

test('tests that may read all packages are not divided', async () => {
  const text = 'package z_test\n\ntest_all if data[input.name].n == 2 with input.name as "d"\n';
  await loaded({ 'z_test.rego': text }, async (sources) => expect(await divided(sources)).toBeUndefined());
});

test.each([
  ['this thread', 'a.rego', 'package a\n\nn := 2\n\np := unknown\n'],
  ['another thread', 'd.rego', 'package d\n\nn := 2\n\np := unknown\n'],
  ['two packages together', 'inner.rego', 'package d.n\n\nx := 1\n'],
])('where a policy of %s does not compile, nothing is divided', async (_title, path, text) => {
  await loaded({ [path]: text }, async (sources) => expect(await divided(sources)).toBeUndefined());
});

test('a thread that cannot start leaves all tests to this one', async () => {
  const broken = threadScript('broken', 'throw new Error("no thread")');
  await loaded({}, async (sources) => expect(await divided(sources, { entry: broken })).toBeUndefined());
});

test('a thread that ends leaves errors of the tests that it had not run', async () => {
  const listed = (name: string) => ({
    file: 'd_test.rego',
    package: 'data.d_test',
    name,
    path: ['d_test', name],
    fullName: `data.d_test.${name}`,
    location: { file: 'd_test.rego', row: 1, col: 1 },
    skip: false,
    hasCases: false,
    isFunction: false,
  });
  const leaving = threadScript(
    'leaving',
    `import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
const [{ files, shards, turns }] = await once(parentPort, 'message');
const { own } = shards[turns.first];
const file = files[own[0]].name;
const tests = ${JSON.stringify([listed('test_first'), listed('test_second')])};
parentPort.postMessage({ entries: tests.map((test) => ({ file, test: { ...test, file } })) });
parentPort.postMessage('compiled');
await once(parentPort, 'message');`,
  );
  await loaded({}, async (sources) => {
    const results = JSON.stringify(await resultsOf(await divided(sources, { entry: leaving })));
    expect(results.match(/the thread of the test ended: it left/g)).toHaveLength(2);
    expect(results.match(/"name":"test_(?:passes|own)","skip":false,"fail":false/g)?.length).toBe(4);
  });
});

test('a pattern selects tests in all threads', async () => {
  await loaded({}, async (sources) => {
    const results = JSON.stringify(await resultsOf(await divided(sources, { pattern: 'test_(own|env)$' })));
    expect(results.match(/"name":"\w+"/g)).toEqual([...Array(4).fill('"name":"test_env"'), '"name":"test_own"']);
  });
});
