/** The views of plans, through the command. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renumbered } from '../../test/generators/plans/renumbered.js';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';

const authz = `package authz

default allow := false

# METADATA
# entrypoint: true
allow if {
	input.admin
	not denied[input.name]
}

allow if {
	some grant in data.roles[input.role]
	grant.action == input.action
	allowed(grant, input.resource)
}

allowed(grant, name) if startswith(name, grant.resource)

denied contains name if {
	some name in data.denylist
	name != "root"
}
`;
const limits = 'package authz\n\nlimits := {"basic": 10}\n';
const files = { 'pol/authz.rego': authz, 'pol/limits.rego': limits };

async function inspect(dir: string, ...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await runCommand('inspect', ...args.map((arg) => arg.replace('{dir}', dir)));
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  return stdout.replaceAll(dir, '');
}

async function buildPlan(dir: string, name: string, ...args: readonly string[]): Promise<string> {
  const path = join(dir, name);
  expect(await runCommand('build', '-t', 'plan', '-e', 'authz/allow', '-o', path, ...args, join(dir, 'pol'))).toMatchObject({ exit: 0 });
  return path;
}

/** All values of a name in a document, however deep. */
function allOf(document: unknown, name: string): unknown[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => (key === name ? [value] : allOf(value, name)));
}

describe('the views of a plan', () => {
  test('addresses are unique, and the same in all views', async () => {
    await withFiles(files, async (dir) => {
      const path = await buildPlan(dir, 'plan.json');
      const document: unknown = JSON.parse(
        await inspect(dir, path, '--listing', '--program', '--js', '--calls', '--cfg', '--strings', '-f', 'json'),
      );
      const addresses = allOf(document, 'address');
      expect(addresses.length).toBeGreaterThan(20);
      expect(new Set(addresses).size).toBe(addresses.length);
      const at = allOf(document, 'at');
      expect(at.length).toBeGreaterThan(100);
      for (const address of at) expect(addresses).toContain(address);
    });
  });

  test('a line of source stands before its statements', async () => {
    await withFiles(files, async (dir) => {
      const lines = (await inspect(dir, '{dir}/pol', '--listing', '--source')).split('\n');
      const line = lines.findIndex((text) => text.includes('grant.action == input.action'));
      expect(lines[line + 1]).toMatch(/^ {2}\d[\d.]+ +Dot l\d+ := l\d+\["action"\] .*l\d+ = grant/);
      const whole = (await inspect(dir, '{dir}/pol', '--source')).split('\n');
      expect(whole.filter((text) => /^ +\d+ \|/.test(text))).toHaveLength(authz.trimEnd().split('\n').length);
      const inSource = whole.findIndex((text) => text.includes('grant.action == input.action'));
      expect(whole[inSource + 1]).toMatch(/^ +g0\.data\.authz\.allow\/\d[\d.]+ +Dot l\d+ := l\d+\["action"\]$/);
    });
  });

  test.each([
    [[], false],
    [['--debug-info'], true],
    [['--debug-info=sources'], true],
  ] as const)('lines of a bundle whose policies are formatted are those of the plan, or none: %j', async (flags, isKnown) => {
    // With the lines of the formatted text, each statement would still begin and end with a word.
    const text = 'package t\n\n\nallow if {\n\tinput.aaa == 1\n\tinput.bbb == 2\n\tinput.ccc == 3\n}\n';
    await withFiles({ 'p.rego': text }, async (dir) => {
      const out = join(dir, 'b.tar.gz');
      await runCommand('build', '-t', 'plan', '-e', 't/allow', ...flags, '-o', out, join(dir, 'p.rego'));
      const lines = (await inspect(dir, out, '--listing', '--source')).split('\n');
      const quoted = lines.flatMap((line, i) => (/^ +\d+ \|\s+input\.\w+/.test(line) ? [`${line.trim()} | ${lines[i + 1]!.trim()}`] : []));
      for (const line of quoted) {
        const [, name] = /input\.(\w+)/.exec(line)!;
        expect(line).toContain(`input["${name}"]`);
      }
      if (isKnown) expect(quoted).toHaveLength(3);
    });
  });

  test('the statements of a place are those that begin in the line, or those of the smallest range', async () => {
    await withFiles(files, async (dir) => {
      const at = async (place: string) => {
        const text = await inspect(dir, '{dir}/pol', '--at', place);
        return text
          .trimEnd()
          .split('\n')
          .map((line) => line.replace(/^\S+ +/, '').replaceAll(/l\d+/g, 'l'));
      };
      const line = ['Dot l := l["action"]', 'Dot l := input["action"]', 'Equal l == l'];
      expect(await at('pol/authz.rego:14')).toEqual(line);
      expect(await at('authz.rego:14')).toEqual(line);
      expect(await at('authz.rego:14:20')).toEqual(line.slice(1, 2));
      expect(await at('authz.rego:14:15')).toEqual(line.slice(2));
      const list = JSON.parse(await inspect(dir, '{dir}/pol', '--at', 'authz.rego:14', '-f', 'json')) as {
        at: { location: { row: number } }[];
      };
      expect(list.at.map(({ location }) => location.row)).toEqual([14, 14, 14]);
    });
  });

  test('rules that no entrypoint needs are named, of policies, bundles and plans with a list', async () => {
    await withFiles(files, async (dir) => {
      const wanted = 'authz/allow\n  data.authz.limits  /pol/limits.rego:3:1\n';
      expect(await inspect(dir, '{dir}/pol', '--unplanned')).toBe(wanted);
      const plan = await buildPlan(dir, 'plan.json', '--plan-addons', 'unplanned_rules');
      expect(await inspect(dir, plan, '--unplanned')).toBe(wanted);
      expect(await inspect(dir, await buildPlan(dir, 'all.json', '-e', 'authz/limits'), '--unplanned')).toContain('data.authz.limits');
      expect(await inspect(dir, await buildPlan(dir, 'b.tar.gz'), '--unplanned')).toContain('data.authz.limits');
    });
  });

  test('names are entrypoints, functions, packages, patterns, addresses and places', async () => {
    await withFiles(files, async (dir) => {
      const plan = await buildPlan(dir, 'plan.json');
      const heads = async (...names: readonly string[]) => {
        const text = await inspect(dir, plan, '--listing', ...names);
        return text
          .split('\n')
          .filter((line) => /^\S/.test(line))
          .map((line) => line.replace(/\(.*/, ''));
      };
      expect(await heads('authz/allow')).toHaveLength(4);
      expect(await heads('data.authz.allowed')).toEqual(['func g0.data.authz.allowed']);
      expect(await heads('authz')).toHaveLength(4);
      expect(await heads('data.authz.*')).toHaveLength(3);
      expect(await heads('*allow')).toHaveLength(2);
      expect(await heads('authz.rego:14')).toEqual(['func g0.data.authz.allow']);
      expect(await heads('authz.rego:14:5', 'data.authz.allowed')).toHaveLength(2);
      expect(await heads('authz/allow/0.0')).toEqual(['plan "authz/allow"']);
      for (const name of ['nothing', 'x/*', 'authz.rego:99', 'authz/allow/9.0']) {
        expect(await runCommand('inspect', plan, '--listing', name)).toMatchObject({
          exit: 1,
          stderr: `error: no entrypoint or function ${JSON.stringify(name)}: entrypoints are authz/allow\n`,
        });
      }
    });
  });

  test('callers are those of functions and of built-ins', async () => {
    await withFiles(files, async (dir) => {
      const plan = await buildPlan(dir, 'plan.json');
      const callees = async (...names: readonly string[]) =>
        (await inspect(dir, plan, '--callers', ...names)).split('\n').filter((line) => /^\S/.test(line));
      expect(await callees('startswith')).toEqual(['startswith']);
      expect(await callees('startswith', 'data.authz.allowed')).toEqual(['g0.data.authz.allowed', 'startswith']);
      expect(await callees()).toEqual(expect.arrayContaining(['g0.data.authz.allow', 'g0.data.authz.allowed', 'startswith']));
      expect(await inspect(dir, '{dir}/pol', '--callers', 'startswith')).toMatch(/^startswith\n {2}g0\.data\.authz\.allowed\/\d/);
    });
  });

  test('standard input is a plan, a bundle or a policy', async () => {
    await withFiles(files, async (dir) => {
      for (const bytes of [
        readFileSync(await buildPlan(dir, 'plan.json')),
        readFileSync(await buildPlan(dir, 'b.tar.gz')),
        Buffer.from(authz),
      ]) {
        const { exit, stdout } = await runWith({ stdin: () => bytes }, ['inspect', '-', '--listing', 'authz/allow']);
        expect(exit).toBe(0);
        expect(stdout).toContain('plan "authz/allow"\n');
      }
    });
  });

  test('a source that does not fit the plan is not quoted', async () => {
    await withFiles(files, async (dir) => {
      const plan = await buildPlan(dir, 'plan.json');
      expect(await inspect(dir, plan, '--listing', '--source')).toContain(' |     grant.action');
      await withFiles({ 'authz.rego': `\n${authz}` }, async (other) => {
        const text = readFileSync(plan, 'utf8').replaceAll(join(dir, 'pol'), other);
        await withFiles({ 'moved.json': text }, async (third) => {
          expect(await inspect(third, '{dir}/moved.json', '--listing', '--source')).not.toContain('grant.action ==');
          expect((await runCommand('inspect', join(third, 'moved.json'), '--source')).stderr).toMatch(/^error: the sources of the plan /);
        });
      });
    });
  });
});

describe('differences', () => {
  test('of two plans, of plans and policies, of levels', async () => {
    await withFiles({ ...files, 'other/authz.rego': authz.replace('"root"', '"admin"') }, async (dir) => {
      const plan = await buildPlan(dir, 'plan.json');
      expect(await inspect(dir, '--diff', plan, plan)).toBe('');
      expect(await inspect(dir, '--diff', plan, '{dir}/pol')).toBe('');
      expect(await inspect(dir, '{dir}/pol', '--diff', plan)).toBe('');
      const shuffled = JSON.stringify(renumbered(JSON.parse(readFileSync(plan, 'utf8')) as never, 1));
      await withFiles({ 'x.json': shuffled }, async (third) => expect(await inspect(third, '--diff', plan, '{dir}/x.json')).toBe(''));
      const { exit, stdout } = await runCommand('inspect', '--diff', plan, join(dir, 'other'));
      expect(exit).toBe(1);
      expect(stdout).toMatch(
        /^~ g0\.data\.authz\.denied\S+ {2}Call l\d+ := neq\(l\d+, "root"\) {2}→ {2}Call l\d+ := neq\(l\d+, "admin"\)\n$/,
      );
      const asJson = await runCommand('inspect', '--diff', plan, join(dir, 'other'), '-f', 'json');
      expect(JSON.parse(asJson.stdout)).toMatchObject({ changes: [{ change: 'changed' }], sizes: { functions: [3, 3] } });
      expect(await runCommand('inspect', '--diff', plan, join(dir, 'other'), 'data.authz.allowed')).toMatchObject({ exit: 0, stdout: '' });
      // Without data, nobody has a role.
      const levels = await runCommand('inspect', '--diff', join(dir, 'pol'), '-O', '2');
      expect(levels).toMatchObject({ exit: 1, stderr: '' });
      expect(levels.stdout).toContain('- func g0.data.authz.allowed    5 statements\n');
    });
  });

  test('a path is missing', async () => {
    expect(await runCommand('inspect', '--diff', 'a')).toMatchObject({ exit: 1, stderr: 'error: --diff needs two paths, or -O\n' });
  });
});

test('the steps of optimizing are told with their changes, and nothing without one', async () => {
  await withFiles({ ...files, 'pol/data.json': '{"roles": {"dev": []}, "denylist": ["eve"]}' }, async (dir) => {
    const explain = async (level: string, ...args: readonly string[]) => {
      const out = join(dir, 'plan.json');
      const { exit, stdout } = await runCommand(
        'build',
        '-t',
        'plan',
        '-O',
        level,
        '-e',
        'authz/allow',
        '--explain-passes',
        '-o',
        out,
        ...args,
        join(dir, 'pol'),
      );
      expect(exit).toBe(0);
      return { stdout, plan: JSON.parse(readFileSync(out, 'utf8')) as { static: { strings: unknown[] }; funcs: { funcs: unknown[] } } };
    };
    expect((await explain('0')).stdout).toBe('');
    const { stdout } = await explain('2');
    expect(stdout).toMatch(/^partial evaluation: \S.*\n {2}[-+~] /);
    for (const part of stdout.split(/^(?=\S)/m)) expect(part.split('\n').length, part).toBeGreaterThan(2);
    const { stdout: asJson, plan } = await explain('2', '-f', 'json');
    const passes = JSON.parse(asJson) as { sizes: { functions: [number, number]; strings: [number, number] } }[];
    expect(passes.at(-1)!.sizes.functions[1]).toBe(plan.funcs.funcs.length);
    expect(passes.at(-1)!.sizes.strings[1]).toBe(plan.static.strings.length);
    for (const [i, { sizes }] of passes.entries()) if (i > 0) expect(sizes.functions[0]).toBe(passes[i - 1]!.sizes.functions[1]);
  });
});

test('all problems of a plan are shown, and what an engine refuses', async () => {
  await withFiles(files, async (dir) => {
    const plan = await buildPlan(dir, 'plan.json');
    expect(await inspect(dir, plan, '--verify', '--for', 'any')).toBe('0 problems\n');
    const faulty = readFileSync(plan, 'utf8')
      .replace('"<query>"', '""')
      .replaceAll('"startswith"', '"nothing"')
      .replaceAll('"func":"neq"', '"func":"none"');
    await withFiles({ 'x.json': faulty }, async (other) => {
      const { exit, stdout } = await runCommand('inspect', join(other, 'x.json'), '--verify', '--for', 'rego-cpp', '-f', 'json');
      expect(exit).toBe(1);
      const { verify } = JSON.parse(stdout) as { verify: { kind: string; at?: string }[] };
      expect(verify.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['plan', 'plan', 'rego-cpp']));
      const text = await runCommand('inspect', join(other, 'x.json'), '--verify', '--for', 'any');
      expect(text.stdout.trimEnd().split('\n').at(-1)).toMatch(/^3 problems/);
    });
  });
});

test('functions of the host are declared by a file of capabilities', async () => {
  const capabilities = {
    builtins: [{ name: 'our.lookup', decl: { type: 'function', args: [{ type: 'string' }], result: { type: 'any' } } }],
  };
  const policy = 'package p\n\nallow if our.lookup(input.name) == 1\n';
  await withFiles({ 'p.rego': policy, 'caps.json': JSON.stringify(capabilities) }, async (dir) => {
    for (const flag of ['--program', '--js', '--verify', '--listing']) {
      const { exit, stderr } = await runCommand('inspect', join(dir, 'p.rego'), flag, 'p/allow');
      expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('our.lookup') as string });
    }
    const flags = ['--capabilities', join(dir, 'caps.json')];
    const eq = JSON.stringify({
      builtins: [
        ...capabilities.builtins,
        { name: 'eq', decl: { type: 'function', args: [{ type: 'any' }, { type: 'any' }], result: { type: 'boolean' } } },
        { name: 'equal', infix: '==', decl: { type: 'function', args: [{ type: 'any' }, { type: 'any' }], result: { type: 'boolean' } } },
      ],
      features: ['rego_v1'],
    });
    await withFiles({ 'caps.json': eq }, async (other) => {
      flags[1] = join(other, 'caps.json');
      expect(await inspect(dir, '{dir}/p.rego', '--program', 'p/allow', ...flags)).toContain('builtin=our.lookup');
      expect(await inspect(dir, '{dir}/p.rego', '--js', 'p/allow', ...flags)).toContain('// plan p/allow');
      expect(await inspect(dir, '{dir}/p.rego', '--verify', ...flags)).toBe('0 problems\n');
    });
  });
});
