/** `test --mutate`: which changes of policies their tests notice. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { schema } from 'mutation-testing-report-schema';
import { expect, test } from 'vitest';
import { runWith, withFiles } from '../../../test/harness/command.js';
import { entry } from '../../../test/harness/command-helpers.js';

const policy = `package authz

default allow := false

allow if input.user == "admin"

allow if {
	input.action == "read"
	not blocked
	count(input.roles) > 0
}

blocked if input.user in {"mallory", "eve"}

unused if input.never
`;

const tests = `package authz_test

import data.authz

test_admin if authz.allow with input as {"user": "admin"}

test_reader if authz.allow with input as {"user": "bob", "action": "read", "roles": ["x"]}

test_blocked if not authz.allow with input as {"user": "eve", "action": "read", "roles": ["x"]}
`;

const files = { 'authz.rego': policy, 'authz_test.rego': tests };

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly ReportedMutant[] }>>;
  readonly testFiles: Readonly<Record<string, { readonly tests: readonly { id: string; name: string }[] }>>;
}

interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly statusReason?: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly killedBy?: readonly string[];
}

async function mutated(
  given: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ exit: number; stdout: string; stderr: string }> {
  return await withFiles(given, async (dir) => {
    const { exit, stdout, stderr } = await runWith(args.includes('--prove') ? { entry } : {}, ['test', '--mutate', ...args, dir]);
    return { exit, stdout: stdout.replaceAll(`${dir}/`, ''), stderr: stderr.replaceAll(`${dir}/`, '') };
  });
}

async function reported(given: Readonly<Record<string, string>>, ...args: string[]): Promise<Report> {
  return JSON.parse((await mutated(given, '-f', 'json', ...args)).stdout) as Report;
}

function rows({ files }: Report): readonly string[] {
  return Object.values(files).flatMap(({ mutants }) =>
    mutants.map(
      ({ location, mutatorName, replacement, status }) =>
        `${location.start.line} ${mutatorName} ${replacement.replaceAll(/\s+/g, ' ')} ${status}`,
    ),
  );
}

test('changes that no test notices survive, those of rules that none asks for are not reached', async () => {
  const found = rows(await reported(files));
  expect(found).toEqual(
    expect.arrayContaining([
      '3 constant true Killed',
      '3 drop-default  Survived',
      '5 drop-rule { false; input.user == "admin" } Killed',
      '8 drop-expression true Survived',
      '9 drop-not blocked Killed',
      '10 constant 1 Killed',
      '10 swap-comparison >= Survived',
      '13 constant "" Survived',
      '13 constant "" Killed',
      '15 drop-expression true NoCoverage',
    ]),
  );
});

test('a survivor has its place, the change as a patch, and the test that came nearest', async () => {
  const { exit, stdout } = await mutated(files);
  expect(exit).toBe(0);
  expect(stdout).toContain(`authz.rego:10: survived: an expression always holds (drop-expression)
  nearest: data.authz_test.test_reader (authz_test.rego:7), which evaluates the same; 1 test reaches it
--- authz.rego
+++ authz.rego
@@ -7,7 +7,7 @@
 allow if {
 	input.action == "read"
 	not blocked
-	count(input.roles) > 0
+	true
 }
`);
  expect(stdout).toMatch(/\nNOTICED: \d+\nSURVIVED: \d+\nNOT REACHED: \d+ \(-v lists them\)\nSCORE: \d+\.\d %, /);
});

test('the patch of a survivor applies, and the changed policy passes the tests', async () => {
  await withFiles(files, async (dir) => {
    const { stdout } = await runWith({}, ['test', '--mutate', dir]);
    expect(stdout.match(/^--- /gm)?.length).toBeGreaterThan(3);
    for (const [i, part] of stdout
      .split(/(?=^\S+: survived)/m)
      .filter((each) => each.includes('survived'))
      .entries()) {
      const patch = part.slice(part.indexOf('--- ')).split('-'.repeat(80))[0]!;
      execFileSync('git', ['apply', '--unsafe-paths', '--directory=/', '--unidiff-zero', '-p0', '-'], {
        cwd: dir,
        input: patch.replaceAll(`${dir}/`, `${dir.slice(1)}/`),
      });
      expect(readFileSync(join(dir, 'authz.rego'), 'utf8')).not.toBe(policy);
      const { exit } = await runWith({}, ['test', dir]);
      expect(exit, `patch ${i}`).toBe(0);
      writeFileSync(join(dir, 'authz.rego'), policy);
    }
  });
});

test('a change that no plan shows does not count', async () => {
  const same = {
    'p.rego': 'package p\n\nallow if {\n\ttrue == true\n\tinput.a\n}\n',
    'p_test.rego': 'package p_test\n\ntest_a if data.p.allow with input.a as true\n\ntest_b if not data.p.allow with input as {}\n',
  };
  const { files: found } = await reported(same);
  const mutants = Object.values(found).flatMap(({ mutants }) => mutants);
  const first = mutants.find(({ mutatorName, location }) => mutatorName === 'drop-expression' && location.start.line === 4);
  expect(first).toMatchObject({ status: 'Ignored', statusReason: 'no plan differs' });
});

test('a comment leaves mutants out, with the operators that it names', async () => {
  const marked = policy
    .replace('count(input.roles) > 0', 'count(input.roles) > 0 # writ:ignore swap-comparison -- roles are never empty')
    .replace('default allow', '# writ:ignore\ndefault allow');
  const found = rows(await reported({ ...files, 'authz.rego': marked }));
  expect(found).toContain('11 swap-comparison >= Ignored');
  expect(found).toContain('11 drop-expression true Survived');
  expect(found.filter((row) => row.startsWith('4 '))).toEqual(['4 drop-default  Ignored', '4 constant true Ignored']);
});

test('a score below the threshold ends with 2', async () => {
  const { exit, stderr } = await mutated(files, '--threshold', '99');
  expect(exit).toBe(2);
  expect(stderr).toMatch(/^Mutation score threshold not met: got \d+\.\d\d instead of 99\.00$/m);
  expect((await mutated(files, '--threshold', '10')).exit).toBe(0);
});

test('mutants are not tried where a test fails without them', async () => {
  const { exit, stdout, stderr } = await mutated({ ...files, 'x_test.rego': 'package x_test\n\ntest_x if false\n' });
  expect(exit).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('data.x_test.test_x: FAIL');
  expect(stderr).toMatch(/^PASS: \d+\/\d+$/m);
  expect(stderr).toContain('tests fail without a mutation');
});

test('a mutant that loops too long is noticed by its time', async () => {
  const slow = {
    'p.rego':
      'package p\n\nn := 3\n\nsum := count([1 | some a in numbers.range(1, size); some b in numbers.range(1, size); a < b])\n\nsize := 3000 if n == 2 else := n\n',
    'p_test.rego': 'package p_test\n\ntest_sum if data.p.sum >= 0\n',
  };
  expect(rows(await reported(slow))).toContain('3 constant 2 Timeout');
});

test('threads give the report of one', async () => {
  await withFiles(files, async (dir) => {
    const alone = await runWith({}, ['test', '--mutate', '-f', 'json', dir]);
    const shared = await runWith({ entry }, ['test', '--mutate', '-f', 'json', '-p', '3', dir]);
    expect(shared).toEqual(alone);
  });
});

test('since a revision, only changed lines are mutated', async () => {
  await withFiles(files, async (dir) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: dir, stdio: 'pipe' });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(dir, 'authz.rego'), policy.replace('"mallory", ', ''));
    writeFileSync(join(dir, 'new.rego'), 'package new\n\np := 1\n');
    const { stdout, stderr } = await runWith({}, ['test', '--mutate', '--since', 'HEAD', '-f', 'json', dir]);
    expect(stderr).toBe('');
    const lines = rows(JSON.parse(stdout) as Report).map((row) => row.split(' ')[0]);
    expect([...new Set(lines)]).toEqual(['13', '3']);
    const unknown = await runWith({}, ['test', '--mutate', '--since', 'nowhere', dir]);
    expect(unknown).toMatchObject({ exit: 1, stderr: '--since: git knows no commit "nowhere"\n' });
  });
  const outside = await mutated(files, '--since', 'HEAD');
  expect(outside).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^--since: .*not a git repository/) });
});

test('a solver tells survivors that change nothing from those that a test could notice', async () => {
  const doubled = {
    'p.rego': `package p

f(roles) if {
	count(roles) > 0
	some role in roles
	role in {"admin", "root"}
}

allow if f(input.roles)

level if input.level > 3
`,
    'p_test.rego': `package p_test

test_admin if data.p.allow with input as {"roles": ["admin"]}

test_root if data.p.allow with input as {"roles": ["root"]}

test_other if not data.p.allow with input as {"roles": ["guest"]}

test_level if data.p.level with input as {"level": 7}
`,
  };
  const { files: found } = await reported(doubled, '--prove');
  const mutants = Object.values(found).flatMap(({ mutants }) => mutants);
  const at = (line: number, operator: string) =>
    mutants.find(({ mutatorName, location }) => mutatorName === operator && location.start.line === line);
  expect(at(4, 'drop-expression')).toMatchObject({
    status: 'Ignored',
    statusReason: 'proved to change nothing, with at most 4 elements in input.roles',
  });
  expect(at(4, 'swap-comparison')).toMatchObject({ status: 'Ignored' });
  expect(at(11, 'swap-comparison')).toMatchObject({
    status: 'Survived',
    statusReason: 'data.p.level is true instead of undefined for {"level":3}',
  });
  expect((await mutated(doubled, '--prove')).stdout).toContain('  not noticed: data.p.level is true instead of undefined');
});

test('the report follows the schema of mutation testing reports', async () => {
  const validate = new Ajv({ strict: false, formats: { uri: true } }).compile(schema);
  const failing = { ...files, 'slow.rego': 'package slow\n\nsize := 3\n', 'authz.rego': `# writ:ignore\n${policy}` };
  for (const given of [files, failing, { 'p.rego': 'package p\n' }]) {
    const report = await reported(given);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  }
  expect(validate({ ...(await reported(files)), thresholds: { high: 101 } })).toBe(false);
});

test('pages show survivors below their lines', async () => {
  await withFiles(files, async (dir) => {
    const out = join(dir, 'out');
    const { stdout } = await runWith({}, ['test', '--mutate', '-f', 'html', '-o', out, dir]);
    expect(stdout).toMatch(/^mutation score \d+\.\d %: .*index\.html\n$/);
    const index = readFileSync(join(out, 'index.html'), 'utf8');
    const [, name] = /href="([^"]*authz\.rego\.html)"/.exec(index) ?? [];
    const shown = readFileSync(join(out, decodeURIComponent(name!)), 'utf8');
    expect(shown).toContain('<span class="gone">-\tcount(input.roles) &gt; 0</span>');
    expect(shown).toContain('<span class="new">+\tcount(input.roles) &gt;= 0</span>');
  });
});

test.each([
  [['--since', 'main'], '--since goes with --mutate'],
  [['--prove'], '--prove goes with --mutate'],
  [['--mutate', '--coverage'], '--coverage does not go with --mutate'],
  [['--mutate', '-f', 'junit'], '-f junit does not go with --mutate: use pretty, json, html or github'],
])('%s is refused', async (args, message) => {
  const { exit, stderr } = await runWith({}, ['test', ...args, '.']);
  expect(exit).toBe(1);
  expect(stderr).toContain(message);
});
