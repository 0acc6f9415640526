/** `eval --plan-profile` and `bench --plan`. */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import type { ProfileDocument } from '../../views/recording/profile-document.js';

const schema = JSON.parse(readFileSync('docs/recording.schema.json', 'utf8')) as { $id: string };
const ajv = new Ajv2020({ strict: true, allErrors: true });
ajv.addSchema(schema);
const validate = ajv.compile({ $ref: `${schema.$id}#/$defs/ProfileDocument` });

const policies = {
  'p/p.rego': `package p

allow if {
  some x in input.xs
  f(x)
}

f(x) if x > 2

pairs contains x if {
  some x in input.xs
  some other in data.others
  other.id == x
}
`,
  'p/data.json': JSON.stringify({ others: Array.from({ length: 40 }, (_, id) => ({ id })) }),
  'input.json': '{"xs": [1, 3, 5, 7, 9]}',
};

async function profiled(...args: string[]) {
  return await withFiles(policies, async (directory) =>
    runCommand('eval', '-d', `${directory}/p`, '-i', `${directory}/input.json`, ...args),
  );
}

async function documentOf(...args: string[]): Promise<ProfileDocument> {
  const { stdout } = await profiled('--plan-profile=json', ...args);
  const document = JSON.parse(stdout) as ProfileDocument;
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  return document;
}

const bundle = ['-b', 'fixtures/bundles/example', '-i', 'fixtures/bundles/example-input.json'];

describe('eval --plan-profile', () => {
  test('shows statements, functions and lines, and the result last', async () => {
    const { stdout, exit } = await profiled('--plan-profile', 'data.p.allow');
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^plan p\/allow: \d+ statements, \S+ (?:ns|µs|ms|s) on the statement machine, the median of \d+ evaluations \(\S+ \S+ to \S+ \S+\)\n/,
    );
    expect(stdout).toMatch(/\nwithout a profile: virtual machine \S+ \S+, JavaScript \S+ \S+\n/);
    expect(stdout).toMatch(/ rows \d → \d +g0\.data\.p\.allow\/\S+ Scan /);
    expect(stdout).toMatch(/ calls {2}function\n/);
    expect(stdout).toMatch(/p\.rego:4 {2}some x in input\.xs\n/);
    expect(stdout).toMatch(/\nresult true\n$/);
  });

  test('evaluates at least five times, and names a slowest statement or says that it cannot', async () => {
    for (const query of ['data.p.allow', 'data.p.pairs']) {
      const { stdout } = await profiled('--plan-profile', query);
      const [, count] = /the median of (\d+) evaluations/.exec(stdout)!;
      expect(Number(count)).toBeGreaterThanOrEqual(5);
      const [run] = (await documentOf(query)).runs;
      const { slowest, statements, spread } = run!.profile;
      expect(spread!.low_ns).toBeLessThanOrEqual(spread!.high_ns);
      for (const one of statements) expect(one.spread!.median_ns).toBeLessThanOrEqual(one.spread!.high_ns);
      if (slowest !== undefined) {
        const worst = statements.toSorted((a, b) => b.spread!.median_ns - a.spread!.median_ns)[0];
        expect(worst!.address).toBe(slowest);
      }
    }
  });

  test('shows as many statements as a flag says', async () => {
    const { stdout } = await profiled('--plan-profile', '--plan-profile-limit', '2', 'data.p.allow');
    expect(stdout).toMatch(/\n {2}… \d+ more statements\n/);
    expect((await profiled('--plan-profile', '--plan-profile-limit', '0', 'data.p.allow')).stdout).not.toContain('more');
  });

  test.each(['data.p.allow', 'data.p', 'x := data.p.pairs; 3 in x'])('has the counts of each statement as JSON: %s', async (query) => {
    const { runs, result } = await documentOf(query);
    expect(result).toMatchObject([{ expressions: expect.anything() as unknown }]);
    expect(runs.length).toBeGreaterThan(0);
    for (const { profile } of runs) {
      expect(profile.statements.reduce((sum, { count }) => sum + count, 0)).toBe(profile.count);
      expect(profile.functions.length).toBeGreaterThan(1);
    }
  });

  test('counts the rows of loops', async () => {
    const { runs } = await documentOf('data.p.pairs');
    const loops = runs[0]!.profile.statements.filter(({ type }) => type === 'ScanStmt');
    expect(loops.map(({ rows_in, rows_out }) => [rows_in, rows_out])).toEqual([
      [5, 5],
      [200, 5],
    ]);
  });

  test('tells which indexes the virtual machine built and used', async () => {
    const { runs } = await documentOf('data.p.pairs');
    const [index] = runs[0]!.program!.indexes.filter(({ path }) => path.join('.') === 'id');
    // Two loops look through the array before an index pays.
    expect(index).toMatchObject({ asked: 5, hits: 3, built: 1 });
    expect(index!.loops).toEqual([expect.stringMatching(/p\.rego:\d+:\d+$/)]);
    expect((await profiled('--plan-profile', 'data.p.pairs')).stdout).toMatch(/\n +5 +3 +1 +id +\S+p\.rego:\d+:\d+\n/);
  });

  test('works on a plan without policies', async () => {
    const { stdout } = await runCommand('eval', '--plan-profile', ...bundle, 'data.authz.allow');
    expect(stdout).toMatch(/^plan authz\/allow: 21 statements/);
    expect(stdout).toContain('policy.rego:8');
  });

  test('ends with the error of the evaluation', async () => {
    const conflict = { 'p.rego': 'package p\n\nx := 1 if input.a\n\nx := 2 if input.b\n', 'input.json': '{"a": true, "b": true}' };
    await withFiles(conflict, async (directory) => {
      const given = ['-d', `${directory}/p.rego`, '-i', `${directory}/input.json`, 'data.p.x'];
      const { stdout, exit } = await runCommand('eval', '--plan-profile', ...given);
      expect(exit).toBe(2);
      expect(stdout).toContain('ended with an error: complete rules must not produce multiple outputs');
      expect(stdout).toMatch(/\nerror \S+ eval_conflict_error: complete rules[^\n]*\n$/);
      const document = JSON.parse((await runCommand('eval', '--plan-profile=json', ...given)).stdout) as ProfileDocument;
      expect(document.errors).toMatchObject([{ code: 'eval_conflict_error' }]);
      expect(document.runs[0]!.program).toBeUndefined();
    });
  });

  test('of a base document there is only the result', async () => {
    expect((await profiled('--plan-profile', '--package', 'p', 'data.others[3].id')).stdout).toMatch(/\nresult 3\n$/);
    expect((await runCommand('eval', '--plan-profile', ...bundle, 'data.roles.bob')).stdout).toBe('result ["staff"]\n');
  });
});

describe('profiles for viewers', () => {
  interface CpuProfile {
    readonly nodes: readonly {
      readonly id: number;
      readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
      readonly children: readonly number[];
    }[];
    readonly startTime: number;
    readonly endTime: number;
    readonly samples: readonly number[];
    readonly timeDeltas: readonly number[];
  }

  test.each([['--profile', '-f', 'cpuprofile'], ['--plan-profile=cpuprofile']])(
    'cpuprofile: a tree of calls, and samples as long as each: %s',
    async (...flags) => {
      const { stdout, exit } = await profiled(...flags, 'data.p.allow');
      expect(exit).toBe(0);
      const { nodes, samples, startTime, endTime, timeDeltas } = JSON.parse(stdout) as CpuProfile;
      const [root] = nodes;
      expect(root).toMatchObject({ id: 1, callFrame: { functionName: '(root)' } });
      expect(nodes.map(({ id }) => id)).toEqual(nodes.map((_, i) => i + 1));
      // Each node but the root is the child of one.
      expect(nodes.flatMap(({ children }) => children).toSorted((a, b) => a - b)).toEqual(nodes.slice(1).map(({ id }) => id));
      const called = nodes.find(({ callFrame }) => callFrame.functionName === 'g0.data.p.f')!;
      const caller = nodes.find(({ children }) => children.includes(called.id))!;
      expect(caller.callFrame).toMatchObject({ functionName: expect.stringMatching(/ Call .*p\.f/) as string, lineNumber: 4 });
      expect(caller.callFrame.url).toMatch(/p\.rego$/);
      expect(samples.length).toBeGreaterThan(3);
      expect(timeDeltas.length).toBe(samples.length);
      expect(timeDeltas.every((delta) => delta >= 0)).toBe(true);
      const last = endTime - startTime - timeDeltas.reduce((sum, delta) => sum + delta, 0);
      expect(last).toBeGreaterThan(0);
    },
  );

  test('speedscope by the format of --profile', async () => {
    const { stdout } = await profiled('--profile', '-f', 'speedscope', 'data.p.allow');
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining('speedscope') as string, name: 'data.p.allow' });
  });

  test.each([
    [['-f', 'speedscope'], '--format speedscope goes with --profile'],
    [['--profile', '-f', 'cpuprofile', '--why'], 'specify --format cpuprofile or --why but not both'],
    [['--profile', '-f', 'cpuprofile', '--profile-limit', '3'], 'specify --format cpuprofile or --profile-limit but not both'],
  ])('wrong flags: %j', async (flags, message) => {
    const { stderr, exit } = await profiled(...flags, 'data.p.allow');
    expect([stderr, exit]).toEqual([expect.stringContaining(message), 1]);
  });

  test.each(['speedscope', 'chrome', 'cpuprofile'])('%s: errors are on standard error', async (format) => {
    const { stderr, exit } = await profiled(`--plan-profile=${format}`, 'data.p.');
    expect(exit).toBe(2);
    expect(stderr).toContain('rego_parse_error');
  });

  interface Speedscope {
    readonly $schema: string;
    readonly shared: { readonly frames: readonly { readonly name: string; readonly file?: string }[] };
    readonly profiles: readonly {
      readonly type: string;
      readonly name: string;
      readonly unit: string;
      readonly endValue: number;
      readonly samples: readonly (readonly number[])[];
      readonly weights: readonly number[];
    }[];
  }

  test('speedscope: stacks of frames with weights', async () => {
    const { stdout } = await profiled('--plan-profile=speedscope', 'data.p.allow');
    const { $schema, shared, profiles } = JSON.parse(stdout) as Speedscope;
    expect($schema).toBe('https://www.speedscope.app/file-format-schema.json');
    const [profile] = profiles;
    expect(profile).toMatchObject({ type: 'sampled', name: 'p/allow', unit: 'nanoseconds' });
    expect(profile!.samples).toHaveLength(profile!.weights.length);
    expect(profile!.weights.reduce((sum, weight) => sum + weight, 0)).toBe(profile!.endValue);
    const names = profile!.samples.map((stack) => stack.map((frame) => shared.frames[frame]!.name));
    const inner = names.find((stack) => stack.at(-1)!.startsWith('g0.data.p.f/'))!;
    expect(inner.map((name) => name.split(' ')[0])).toEqual([
      'p/allow',
      'p/allow/0.0',
      'g0.data.p.allow',
      expect.stringMatching(/^g0\.data\.p\.allow\//),
      'g0.data.p.f',
      expect.stringMatching(/^g0\.data\.p\.f\//),
    ]);
    expect(shared.frames.some(({ file }) => file?.endsWith('p.rego'))).toBe(true);
  });

  test('chrome: slices inside of slices', async () => {
    const { stdout } = await profiled('--plan-profile=chrome', 'data.p');
    const { traceEvents } = JSON.parse(stdout) as {
      traceEvents: readonly { name: string; ph: string; ts: number; dur: number; tid: number }[];
    };
    const slices = traceEvents.filter(({ ph }) => ph === 'X');
    expect(slices.length).toBeGreaterThan(20);
    const open: (typeof slices)[number][] = [];
    for (const slice of slices) {
      while (open.length > 0 && slice.ts >= open.at(-1)!.ts + open.at(-1)!.dur - 0.0005) open.pop();
      const around = open.at(-1);
      if (around !== undefined) expect(slice.ts + slice.dur).toBeLessThanOrEqual(around.ts + around.dur + 0.01);
      open.push(slice);
    }
  });
});

describe('bench --plan', () => {
  const bench = (...args: string[]) => runCommand('bench', '--plan', '--benchmem=false', '--metrics=false', ...args);

  test('adds the profile of the plan to the benchmark', async () => {
    const { stdout, exit } = await bench(...bundle, 'data.authz.allow');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/│ ns\/op +│ +\d+ │\n└─+┴─+┘\n\nplan authz\/allow: 21 statements/);
  });

  test('of policies too, as JSON', async () => {
    await withFiles(policies, async (directory) => {
      const { stdout } = await bench('-f', 'json', '-d', `${directory}/p`, '-i', `${directory}/input.json`, 'data.p.allow');
      const { N, plan } = JSON.parse(stdout) as { N: number; plan: ProfileDocument['runs'] };
      expect(N).toBeGreaterThan(0);
      expect(plan[0]).toMatchObject({ entrypoint: 'p/allow', profile: { runs: expect.any(Number) as unknown } });
    });
  });

  test.each([
    [['--partial'], 'specify --plan or --partial but not both'],
    [['-f', 'gobench'], '--plan prints with --format pretty or json'],
  ])('is not for %j', async (flags, message) => {
    const { stderr, exit } = await bench(...flags, ...bundle, 'data.authz.allow');
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(message) as unknown });
  });
});
