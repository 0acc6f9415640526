import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';

test.each(['check', 'test', 'fmt', 'build', 'eval'])('an empty name of a capabilities file is an error: %s', async (command) => {
  await withFiles({ 'p.rego': 'package p\n\na := 1\n' }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand(command, '--capabilities', '', `${directory}/p.rego`);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('no such file or capabilities version found');
  });
});

test('oracle reads policies by the capabilities that it is given', async () => {
  const policy = 'package p\n\nimport future.keywords.or\n\nallow if input.a or input.b\n';
  await withFiles({ 'p.rego': policy }, async (directory) => {
    const place = `${directory}/p.rego:${policy.indexOf('allow')}`;
    const older = await runCommand('oracle', 'find-definition', '--capabilities', 'v1.0.0', place);
    expect(older.stdout).toContain('unexpected keyword, must be one of [contains every if in]');
    expect((await runCommand('oracle', 'find-definition', place)).exit).toBe(0);
  });
});

describe('the keywords that a policy imports are those of the capabilities', () => {
  const words = ['and', 'or', 'not'];
  const capabilities = { builtins: [], features: ['rego_v1'] };
  const commands: readonly (readonly string[])[] = [
    ['check'],
    ['test'],
    ['build', '-o', '/dev/null'],
    ['build', '-O', '1', '-e', 'p/a', '-o', '/dev/null'],
    ['build', '-t', 'plan', '-e', 'p/a', '-o', '/dev/null'],
    ['eval', 'data.p', '-d'],
  ];

  test.each(commands)('%s %s', async (...command) => {
    for (const word of words) {
      const files = {
        'p.rego': `package p\n\nimport future.keywords.${word}\n\na := 1\n`,
        'with.json': JSON.stringify({ ...capabilities, future_keywords: [word] }),
        'without.json': JSON.stringify({ ...capabilities, future_keywords: words.filter((other) => other !== word) }),
      };
      await withFiles(files, async (directory) => {
        const run = (name: string) => runCommand(...command, `${directory}/p.rego`, '--capabilities', `${directory}/${name}.json`);
        const [refused, accepted] = [await run('without'), await run('with')];
        const known = ['contains', 'every', 'if', 'in', ...words.filter((other) => other !== word)].sort().join(' ');
        expect(refused.exit).not.toBe(0);
        expect(refused.stdout + refused.stderr).toContain(`unexpected keyword, must be one of [${known}]`);
        expect(accepted.stdout + accepted.stderr).not.toContain('unexpected keyword');
      });
    }
  });
});

describe('capabilities without `eq` refuse the `=` that authors write, and no other', () => {
  const files = {
    'p.rego': 'package p\n\na := 1\n\nb if input.x > 1\n',
    'caps.json': JSON.stringify({
      features: ['rego_v1'],
      builtins: [{ name: 'gt', decl: { args: [{ type: 'any' }, { type: 'any' }], result: { type: 'boolean' } } }],
    }),
  };
  const run = async (directory: string, ...args: string[]) => {
    const { stdout, stderr } = await runCommand(...args, '-d', `${directory}/p.rego`, '--capabilities', `${directory}/caps.json`);
    return stdout + stderr;
  };

  test.each([
    ['eval', 'data.p.a'],
    ['eval', '-f', 'values', 'data.p'],
    ['eval', 'data.p.a; data.p'],
    ['eval', '--explain', 'full', 'data.p.b'],
    ['eval', '--why', 'data.p.b'],
    ['eval', '--partial', 'data.p.b'],
  ])('%s %s', async (...args) => {
    await withFiles(files, async (directory) => {
      expect(await run(directory, ...args)).not.toContain('undefined function');
      expect(await run(directory, ...args.with(-1, 'data.p.a = 1'))).toContain('undefined function eq');
    });
  });

  test('a residual has `=`: the bundle is not optimized', async () => {
    await withFiles(files, async (directory) => {
      const flags = ['-O', '1', '-e', 'p/a', '--capabilities', `${directory}/caps.json`, '-o', `${directory}/o.tar.gz`];
      expect(await runCommand('build', ...flags, `${directory}/p.rego`)).toEqual({ exit: 0, stdout: '', stderr: '' });
    });
  });
});
