/** `eval --plan-trace`. */

import { describe, expect, test } from 'vitest';
import { Addresses } from '../../ir-schema/address.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

const policies = {
  'p/p.rego': `package p

allow if {
  some x in input.xs
  f(x)
  print("found", x)
}

f(x) if x > 2

all contains x if some x in input.xs

bad := 1 if input.xs

bad := 2 if input.xs
`,
  'input.json': '{"xs": [1, 3, 5]}',
};

type Event = Readonly<Record<string, unknown>>;

/** The output of a trace over `policies`. */
async function traced(...args: string[]) {
  return await withFiles(policies, async (directory) =>
    runCommand('eval', '--plan-trace', '-d', `${directory}/p`, '-i', `${directory}/input.json`, ...args),
  );
}

async function events(...args: string[]): Promise<readonly Event[]> {
  const { stdout } = await traced('-f', 'json', ...args);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

const bundle = ['-b', 'fixtures/bundles/example', '-i', 'fixtures/bundles/example-input.json'];

describe('eval --plan-trace', () => {
  test('shows each statement with what it reads and stores, and the result last', async () => {
    const { stdout, exit } = await runCommand('eval', '--plan-trace', ...bundle, 'data.authz.allow');
    expect(exit).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('plan authz/allow');
    expect(lines.at(-1)).toBe('result true');
    expect(lines.slice(1, 15)).toEqual([
      '  authz/allow/0.0 Call l2 := g0.data.authz.allow(input, data)',
      '    func g0.data.authz.allow',
      '      g0.data.authz.allow/0.0 ResetLocal l3  → l3 = undefined',
      '      g0.data.authz.allow/0.1 Dot l4 := input["user"]  → l4 = "alice"',
      '      g0.data.authz.allow/0.2 Dot l5 := data["roles"]  → l5 = {"alice": ["admin", "staff"], "bob": ["staff"]}',
      '      g0.data.authz.allow/0.3 Dot l6 := l5[l4]  l5 = {"alice": ["admin", "staff"], "bob": ["staff"]}, l4 = "alice"  → l6 = ["admin", "staff"]',
      '      g0.data.authz.allow/0.4 Scan l6 as l7, l8  l6 = ["admin", "staff"]',
      '        round l7 = 0, l8 = "admin"',
      '        g0.data.authz.allow/0.4.0 Equal l8 == "admin"  l8 = "admin"',
      '        g0.data.authz.allow/0.4.1 AssignVarOnce l3 := true  → l3 = true',
      '        round l7 = 1, l8 = "staff"',
      '        g0.data.authz.allow/0.4.0 Equal l8 == "admin"  l8 = "staff"  fails',
      '      g0.data.authz.allow/0.4 passes',
      '      g0.data.authz.allow/1.0 IsDefined l3  l3 = true',
    ]);
    expect(lines.at(-2)).toBe('  returns {"result": true}');
  });

  test.each(['data.p.allow', 'data.p.all', 'data.p', 'x := data.p.all; count(x) == 3', 'data.p.nothing', 'data.p.bad'])(
    'gives equal bytes each time, and ends with the result: %s',
    async (query) => {
      for (const format of ['pretty', 'json']) {
        // The names of directories are in the positions.
        const [first, second] = await withFiles(policies, async (directory) => {
          const run = () =>
            runCommand('eval', '--plan-trace', '-d', `${directory}/p`, '-i', `${directory}/input.json`, '-f', format, query);
          return [await run(), await run()];
        });
        expect(second).toEqual(first);
        const last = first!.stdout.trimEnd().split('\n').at(-1)!;
        if (format === 'json') expect(JSON.parse(last)).toMatchObject({ op: 'result' });
        else expect(last).toMatch(/^(?:result|error) /);
      }
    },
  );

  test('has the result of eval in its last JSON line', async () => {
    const { stdout } = await withFiles(policies, async (directory) =>
      runCommand('eval', '-d', `${directory}/p`, '-i', `${directory}/input.json`, 'data.p.all'),
    );
    const all = await events('data.p.all');
    expect(all.at(-1)).toEqual({ op: 'result', ...(JSON.parse(stdout) as object) });
  });

  test('names statements by the addresses of the plan', async () => {
    const addresses = await withFiles(policies, async (directory) => {
      await runCommand('build', '-t', 'plan', '-e', 'p/allow', '-o', `${directory}/b.tar.gz`, `${directory}/p`);
      const { readBundle } = await import('../../engine/bundle/disk/file-source.js');
      const { plans } = await readBundle(`${directory}/b.tar.gz`);
      return new Addresses(loadPlan(plans[0]!.policy));
    });
    const all = (await events('data.p.allow')).filter(({ address }) => address !== undefined);
    expect(all.length).toBeGreaterThan(20);
    for (const { address } of all) expect(addresses.at(address as string)).toBeDefined();
  });

  test("has the author's names of locals, of policies and of a plan with debug information", async () => {
    expect((await traced('data.p.allow')).stdout).toMatch(/\n +round l\d+ = 1, l\d+ \(x\) = 3\n/);
    const all = await events('data.p.allow');
    expect(all.filter(({ op, names }) => op === 'round' && Object.values((names ?? {}) as object).includes('x'))).toHaveLength(2);
    await withFiles(policies, async (directory) => {
      const built = `${directory}/b.tar.gz`;
      await runCommand('build', '-t', 'plan', '--debug-info', '-e', 'p/allow', '-o', built, `${directory}/p`);
      const { stdout } = await runCommand('eval', '--plan-trace', '-b', built, '-i', `${directory}/input.json`, 'data.p.allow');
      expect(stdout).toMatch(/\n +round l\d+ = 1, l\d+ \(x\) = 3\n/);
    });
  });

  test('has prints, and undefined results', async () => {
    const { stdout } = await traced('data.p.allow');
    expect(stdout).toContain('note found 3\n');
    const nothing = await traced('data.p.nothing');
    expect(nothing.stdout).toMatch(/\nresult undefined\n$/);
  });

  test('tells a statement that fails from one that control leaves', async () => {
    const { stdout } = await traced('data.p.allow');
    expect(stdout).toMatch(/\n +g0\.data\.p\.allow\/\S+ Break 1\n +g0\.data\.p\.allow\/\S+ left\n/);
    expect(stdout).toMatch(/\n +g0\.data\.p\.f\/\S+ NotEqual l\d+ != false {2}l\d+ = false {2}fails\n/);
  });

  test('shows an error where it happened, and as the result', async () => {
    const { stdout, exit } = await traced('data.p.bad');
    expect(exit).toBe(2);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-2)).toMatch(/^ +error complete rules must not produce multiple outputs$/);
    expect(lines.at(-1)).toMatch(/^error .*eval_conflict_error: complete rules must not produce multiple outputs \(\S+\)$/);
    const all = await events('data.p.bad');
    expect(all.at(-2)).toMatchObject({ op: 'error', address: expect.stringContaining('g0.data.p.bad/') as unknown });
    const { address } = all.at(-2) as { readonly address: string };
    expect(lines.at(-1)).toContain(` (${address})`);
    expect(all.at(-1)).toMatchObject({ op: 'result', errors: [{ code: 'eval_conflict_error', address }] });
  });

  test('leaves errors of compiling to the result', async () => {
    const { stdout, exit } = await traced('data.p.allow +');
    expect(exit).toBe(2);
    expect(stdout).toContain('rego_parse_error');
  });

  test('takes random numbers and the time from the evaluation of the result', async () => {
    const { stdout } = await withFiles({ 'r.rego': 'package r\n\nx := [rand.intn("a", 1000000), time.now_ns()]\n' }, async (directory) =>
      runCommand('eval', '--plan-trace', '-d', directory, 'data.r.x'),
    );
    const [, result] = /\nresult (.*)\n$/.exec(stdout)!;
    expect(stdout.replaceAll(' ', '')).toContain(`returns{"result":${result}}`);
  });
});

describe('a trace that is cut', () => {
  test('says so, and still has the result', async () => {
    const { stdout } = await traced('--events', '4', 'data.p.allow');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.slice(-2)).toEqual(['the trace ends after 4 events', 'result true']);
    expect((await events('--events', '4', 'data.p.allow')).map(({ op }) => op)).toEqual([
      'call',
      'begin',
      'call',
      expect.anything(),
      'cut',
      'result',
    ]);
  });

  test('does not say so if all events fit', async () => {
    const all = await events('data.p.allow');
    const { stdout } = await traced('--events', String(all.length - 1), 'data.p.allow');
    expect(stdout).not.toContain('the trace ends');
    expect((await traced('--events', String(all.length - 2), 'data.p.allow')).stdout).toContain('the trace ends');
  });

  test('cuts values to a number of characters', async () => {
    const { stdout } = await traced('--values', '4', 'data.p.allow');
    expect(stdout).toContain('= [1, …');
    expect((await traced('--values', '0', 'data.p.all')).stdout).toContain('{1, 3, 5}');
  });
});

describe('a selection', () => {
  test('by an address has the statement and those inside it', async () => {
    const { stdout } = await runCommand('eval', '--plan-trace', '--at', 'g0.data.authz.allow/0.4', ...bundle, 'data.authz.allow');
    const places = stdout.match(/g0\.data\.authz\.allow\/[\d.]+/g);
    expect([...new Set(places)]).toEqual(['g0.data.authz.allow/0.4', 'g0.data.authz.allow/0.4.0', 'g0.data.authz.allow/0.4.1']);
    expect(stdout).toMatch(/\nresult true\n$/);
  });

  test.each(['p.rego:4', 'p/p.rego:4', 'p.rego:4:13'])('by a place in the source: %s', async (place) => {
    const all = await events('--at', place, 'data.p.allow');
    const rows = all.slice(0, -1).map(({ location }) => (location as { row: number }).row);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows)).toEqual(new Set([4]));
  });

  test.each(['g0.data.p.f', 'data.p.f'])('by a function: %s', async (name) => {
    const all = await events('--func', name, 'data.p.allow');
    expect(all[0]).toMatchObject({ op: 'call', function: 'g0.data.p.f', stores: { l2: '1' } });
    expect(all.filter(({ op }) => op === 'call')).toHaveLength(2);
  });

  test.each([
    [['--at', 'p/allow/9.9'], 'no statement is at "p/allow/9.9"'],
    [['--at', 'p.rego:99'], 'no statement is at "p.rego:99"'],
    [['--at', 'q.rego:4'], 'no statement is at "q.rego:4"'],
    [['--func', 'data.p.g'], 'no entrypoint or function "data.p.g": entrypoints are p/allow'],
  ])('of nothing is an error: %j', async (flags, message) => {
    const { stderr, exit } = await traced(...flags, 'data.p.allow');
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('flags that do not go together', () => {
  test.each([
    [['--plan-trace', '--plan-profile'], 'specify --plan-trace or --plan-profile but not both'],
    [['--plan-trace', '--why'], 'specify --plan-trace or --why but not both'],
    [['--plan-trace', '--partial'], 'specify --plan-trace or --partial but not both'],
    [['--plan-profile', '--explain', 'full'], 'specify --plan-profile or --explain but not both'],
    [['--plan-trace', '-f', 'raw'], '--plan-trace prints with --format pretty or json'],
    [['--plan-profile', '-f', 'json'], 'the format of a plan profile is --plan-profile=FORMAT'],
    [['--plan-trace', '--values', '-1'], 'must not be negative'],
    [['--at', 'p/allow/0.0'], '--at goes with --plan-trace'],
    [['--plan-profile', '--func', 'p/allow'], '--func goes with --plan-trace'],
    [['--values', '10'], '--values goes with --plan-trace or --record'],
    [['--plan-trace', '--mask-decision', 'a/b'], '--mask-decision goes with --record'],
    [['--plan-profile-limit', '5'], '--plan-profile-limit goes with --plan-profile'],
    [['--plan-profile=xml'], 'invalid argument "xml" for "--plan-profile" flag: must be one of {text,json,speedscope,chrome,cpuprofile}'],
  ])('%j', async (flags, message) => {
    const { stderr, exit } = await runCommand('eval', ...flags, 'data');
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(message) as unknown });
  });
});
