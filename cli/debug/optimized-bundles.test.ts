/** Sessions over bundles of `build -O`: authors see what they wrote. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import type { Io } from '../io.js';
import { DebugPrompt } from './debug-prompt.js';
import { launcher } from './launch.js';

const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };

const policy = `package authz

default allow := false

allow if {
	some grant in input.grants
	grant.user == input.user
	enough := data.limits.level
	level_of(grant) >= enough
}

level_of(given) := level if {
	role := lower(given.role)
	level := {"admin": 3, "clerk": 1}[role]
}

allow if {
	not blocked(input.user)
	input.path == "/"
}

blocked(name) if {
	some entry in input.blocked
	entry.name == name
	entry.active
}
`;
const input = JSON.stringify({
  user: 'ann',
  path: '/',
  grants: [
    { user: 'eve', role: 'clerk' },
    { user: 'ann', role: 'ADMIN' },
  ],
  blocked: [{ name: 'bob' }, { name: 'ann', active: true }],
});

/** What a session over a bundle prints for its lines. */
async function sessionOf(
  level: string,
  lines: readonly string[],
  { flag = '--debug-info=sources', query = 'data.authz.allow' } = {},
): Promise<string> {
  return await withFiles({ 'authz.rego': policy, 'data.json': '{"limits": {"level": 2}}', 'input.json': input }, async (dir) => {
    const bundle = join(dir, 'b.tar.gz');
    const built = await runCommand(
      ...['build', '-t', 'plan', '-O', level, '-e', 'authz/allow', flag, '-o', bundle, join(dir, 'authz.rego'), join(dir, 'data.json')],
    );
    expect(built).toMatchObject({ exit: 0, stderr: '' });
    const session = await launcher(io)({ query, bundle: [bundle], inputPath: join(dir, 'input.json') }, {});
    let printed = '';
    const prompt = new DebugPrompt(session, (text) => void (printed += text));
    await prompt.start();
    for (const line of lines) await prompt.line(line);
    session.dispose();
    return printed.replaceAll(`${dir}/`, '');
  });
}

describe.each(['1', '2'])('-O %s', (level) => {
  test('stops at lines of the authors, and shows their names', async () => {
    const lines = ['break authz.rego:9 if grant.role == "ADMIN"', 'continue', 'where', 'locals', 'print grant.user'];
    const printed = await sessionOf(level, lines);
    expect(printed).toMatch(/breakpoint 1, in data\.authz\.\S+( in data\.authz\.allow)? at authz\.rego:(9|13)\n/);
    expect(printed).toContain('grant = {"role": "ADMIN", "user": "ann"}\n');
    expect(printed).toContain('\n"ann"\n');
    expect(printed).not.toMatch(/__local|optimized/);
  });

  test('shows the rule whose body stands in another one', async () => {
    const printed = await sessionOf(level, [
      'input.grants = []',
      'break authz.rego:25 if entry.name == "ann"',
      'continue',
      'where',
      'locals',
    ]);
    expect(printed).toMatch(/\* 0 data\.(authz\.blocked(\(name\))?( in data\.\S+)?|partial\.\S+) at authz\.rego:25\n/);
    expect(printed).toContain('entry = {"active": true, "name": "ann"}\n');
    expect(printed).toContain('name = "ann"\n');
    expect(printed).not.toMatch(/__local|optimized/);
  });

  test('stops where an element is taken, also where the compiler wrote it into what follows', async () => {
    const printed = await sessionOf(level, ['step', 'locals', 'step', 'locals']);
    expect(printed).toMatch(/^entry, in data\.authz\.allow at authz\.rego:6\n> 6 \| \tsome grant in input\.grants\n/);
    expect(printed).toContain(
      'step, in data.authz.allow at authz.rego:7\n> 7 | \tgrant.user == input.user\n  grant = {"role": "clerk", "user": "eve"}\n',
    );
  });

  test('a name whose value is known when the bundle is built has none', async () => {
    const printed = await sessionOf(level, ['watch enough', 'print enough + 1']);
    expect(printed).toContain('  enough has no value here\nenough has no value here\n');
  });

  test('without texts in the debug information those on disk are shown', async () => {
    expect(await sessionOf(level, ['until authz.rego:7', 'print grant'], { flag: '--debug-info' })).toContain(
      '> 7 | \tgrant.user == input.user\n',
    );
  });

  test.each(['x := data.authz.allow', 'data.authz'])('a query whose path is no entrypoint shows what authors wrote: %s', async (query) => {
    const lines = ['break authz.rego:9 if grant.role == "ADMIN"', 'continue', 'where', 'locals', 'print grant.user'];
    const printed = await sessionOf(level, lines, { query });
    expect(printed).toMatch(/breakpoint 1, in data\.authz\.\S+( in data\.authz\.allow)? at authz\.rego:(9|13)\n/);
    expect(printed).toContain('grant = {"role": "ADMIN", "user": "ann"}\n');
    expect(printed).toContain('\n"ann"\n');
    expect(printed).not.toMatch(/__local|optimized/);
  });
});
