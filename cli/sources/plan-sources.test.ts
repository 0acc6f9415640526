/** The texts of plans: in debug information, beside the plan, on disk, below `--source-root`. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import type { LaunchArguments } from '../../views/debug/session.js';
import { launcher } from '../debug/launch.js';
import type { Io } from '../io.js';
import { pathsBelowRoots, sourceRoots } from './source-roots.js';

const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };

/** Formatting makes one line of the two empty ones, and moves the comment. */
const gate = `package gate

allow if {
  input.role == "admin"   # the formatter changes this line


  input.hour < 18
}
`;

/** A bundle with a formatted policy and its plan, and the author's file in \`pol\`. */
async function inBundle(run: (folder: string) => Promise<void>): Promise<void> {
  await withFiles({ 'pol/gate.rego': gate, 'input.json': '{"role": "admin", "hour": 9}' }, async (folder) => {
    const built = await runCommand('build', '-t', 'plan', '-e', 'gate/allow', join(folder, 'pol'), '-o', join(folder, 'gate.tgz'));
    expect(built.stderr).toBe('');
    await run(folder);
  });
}

function sourceOf(folder: string, ...args: readonly string[]) {
  return runCommand('inspect', join(folder, 'gate.tgz'), '--source', ...args);
}

/** Where the evaluation stops behind a breakpoint at a line of the file. */
async function breakAt(folder: string, row: number, more: LaunchArguments = {}, file = 'gate.rego') {
  const asked = more.plan === undefined ? { query: 'data.gate.allow', bundle: [join(folder, 'gate.tgz')] } : {};
  const session = await launcher(io)({ ...asked, inputPath: join(folder, 'input.json'), ...more });
  const { message } = session.addBreakpoint({ place: { kind: 'line', file, row } });
  const { frame, reason } = await session.start();
  session.dispose();
  return { message, reason, row: frame?.range?.row, paths: session.sources.map(({ path }) => path) };
}

describe('of a bundle whose policies are formatted', () => {
  test('the author’s file is shown, and the plan’s lines are its lines', () =>
    inBundle(async (folder) => {
      const { stdout } = await sourceOf(folder);
      expect(stdout).toMatch(/ 7 \| {3}input\.hour < 18\n +g0\.data\.gate\.allow\/0\.\d+ /);
    }));

  test('a file that has moved is found by a root, and not without', () =>
    inBundle(async (folder) => {
      const moved = join(folder, 'elsewhere');
      renameSync(join(folder, 'pol'), moved);
      const without = await sourceOf(folder);
      expect(without.stderr).toMatch(/the sources of the plan are not there, or have changed: .*pol\/gate\.rego \(--source-root/);
      for (const root of [moved, `${join(folder, 'pol')}=${moved}`])
        expect((await sourceOf(folder, '--source-root', root)).stdout).toContain('# the formatter changes this line');
    }));

  test('queries are debugged by the author’s lines', () =>
    inBundle(async (folder) => {
      const file = join(folder, 'pol/gate.rego');
      expect(await breakAt(folder, 7)).toEqual({ message: undefined, reason: 'breakpoint', row: 7, paths: expect.arrayContaining([file]) });
      const moved = join(folder, 'other');
      renameSync(join(folder, 'pol'), moved);
      expect(await breakAt(folder, 7, { sourceRoots: [moved] })).toMatchObject({ message: undefined, row: 7 });
    }));

  test('a breakpoint says that the text is formatted, where the author’s file is not found', () =>
    inBundle(async (folder) => {
      renameSync(join(folder, 'pol'), join(folder, 'gone'));
      expect(await breakAt(folder, 7)).toMatchObject({
        reason: 'end',
        message: expect.stringMatching(/^nothing is evaluated at line 7 .* formatted/),
      });
      expect(await breakAt(folder, 6)).toMatchObject({
        reason: 'breakpoint',
        row: 6,
        message: expect.stringMatching(/^the bundle's text is formatted/),
      });
    }));

  test('a file with another policy is not taken, even if its places fit', () =>
    inBundle(async (folder) => {
      writeFileSync(join(folder, 'pol/gate.rego'), gate.replace('< 18', '< 23'));
      expect(await breakAt(folder, 7)).toMatchObject({ reason: 'end', message: expect.stringContaining('formatted') });
    }));
});

describe('of a plan alone', () => {
  const planOf = (folder: string): LaunchArguments => ({ plan: join(folder, 'gate.tgz') });

  test('breakpoints and frames have the lines of the file', () =>
    inBundle(async (folder) => {
      const paths = [join(folder, 'pol/gate.rego'), undefined];
      expect(await breakAt(folder, 7, planOf(folder))).toMatchObject({ reason: 'breakpoint', row: 7, paths });
    }));

  test('lines are known by the plan where no file is found', () =>
    inBundle(async (folder) => {
      renameSync(join(folder, 'pol'), join(folder, 'gone'));
      const found = await breakAt(folder, 7, planOf(folder), 'pol/gate.rego');
      const message = 'its text is not there, or has changed since the plan was built';
      expect(found).toMatchObject({ reason: 'breakpoint', row: 7, paths: [undefined], message });
    }));

  test('a breakpoint in a file that has changed says so', () =>
    inBundle(async (folder) => {
      writeFileSync(join(folder, 'pol/gate.rego'), `# one more line\n${gate}`);
      const { message } = await breakAt(folder, 8, planOf(folder));
      expect(message).toMatch(/^nothing is evaluated at line 8 .*: its text is not there, or has changed since the plan was built$/);
    }));
});

test.each([
  ['pol/gate.rego', [], ['/plan'], ['pol/gate.rego', '/plan/pol/gate.rego']],
  ['/pol/gate.rego', [], [], ['/pol/gate.rego', 'pol/gate.rego']],
  ['/ci/src/a/p.rego', ['/ci/src=/home/me'], [], ['/home/me/a/p.rego', '/ci/src/a/p.rego', 'ci/src/a/p.rego']],
  ['ci/srcs/p.rego', ['ci/src=/home/me'], [], ['ci/srcs/p.rego']],
  ['a/p.rego', ['/home/me'], [], ['/home/me/a/p.rego', '/home/me/p.rego', 'a/p.rego']],
  ['pol\\gate.rego', [], ['/plan'], ['pol\\gate.rego', '/plan/pol/gate.rego', 'pol/gate.rego']],
  ['C:\\ci\\a\\p.rego', ['C:\\ci=/home/me'], [], ['/home/me/a/p.rego', 'C:\\ci\\a\\p.rego', 'ci/a/p.rego']],
  ['file:///w/p%20q.rego', [], [], ['/w/p q.rego', 'w/p q.rego']],
])('%s with the roots %j is looked for at', (name, roots, folders, paths) => {
  expect(pathsBelowRoots(name, sourceRoots(roots), folders)).toEqual(paths);
});
