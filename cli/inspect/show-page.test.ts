import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const files = { 'p.rego': 'package p\n\nx := input.y\n', 'none.json': '{"runs": []}', 'text.txt': 'x' };

test.each([
  [['--web', '{}/data'], 'there is no plan to show'],
  [['--web', '{}', '--profile', '{}/none.json'], 'is no profile of a plan'],
  [['--web', '{}', '--profile', '{}/text.txt'], 'text.txt: it is no JSON'],
  [['--web', '--trace', '{}/none.json'], 'invalid recording'],
  [['--web', '--trace', '{}/missing'], 'missing'],
  [['--listing', '{}', '--trace', '{}/none.json'], '--trace and --output need --web'],
  [['--web'], 'specify exactly one OPA bundle or path'],
])('inspect %j ends with an error', async (args, message) => {
  await withFiles({ ...files, 'data/d.json': '{}' }, async (directory) => {
    const given = args.map((arg) => arg.replace('{}', directory));
    const { exit, stderr } = await runCommand('inspect', ...given, '-o', join(directory, 'page.html'));
    expect(stderr).toContain(message);
    expect(exit).not.toBe(0);
  });
});

test('of several plans an entrypoint chooses one', async () => {
  await withFiles({ 'p.rego': 'package p\n\nx := input.y\n', 'q.rego': 'package q\n\nx := input.z\n' }, async (directory) => {
    const bundle = join(directory, 'bundle');
    for (const name of ['p', 'q']) {
      mkdirSync(join(bundle, name), { recursive: true });
      const out = join(bundle, name, 'plan.json');
      await runCommand('build', '-t', 'plan', '-e', `${name}/x`, '-o', out, join(directory, `${name}.rego`));
    }
    const shown = async (...names: readonly string[]) => {
      const page = join(directory, 'page.html');
      const { stderr, exit } = await runCommand('inspect', bundle, ...names, '--web', '-o', page);
      return {
        stderr,
        exit,
        entrypoint: exit === 0 ? /"plans":\{"plans":\[\{"name":"([^"]+)"/.exec(readFileSync(page, 'utf8'))?.[1] : undefined,
      };
    };
    expect(await shown('q/x')).toMatchObject({ stderr: '', entrypoint: 'q/x' });
    expect(await shown('p/x')).toMatchObject({ stderr: '', entrypoint: 'p/x' });
    expect(await shown()).toMatchObject({
      stderr: expect.stringMatching(/first of several plans, .*p\/plan\.json; .*\(q\/x\)/),
      entrypoint: 'p/x',
    });
    expect(await shown('r/x')).toMatchObject({ stderr: expect.stringContaining('no plan has the entrypoints r/x'), exit: 1 });
  });
});
