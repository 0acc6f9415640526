import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const files = { 'b/p.rego': 'package p\n\nx := 1\n', 'in/a.json': '{}' };
const missingKey = 'verification key not provided';

/** A folder with a signed bundle, either intact or with a policy changed after signing. */
async function withSigned<T>(kind: 'intact' | 'tampered', use: (dir: string) => Promise<T>): Promise<T> {
  return await withFiles(files, async (dir) => {
    const signed = await runCommand(
      'sign',
      '-b',
      '--signing-key',
      'secret',
      '--signing-alg',
      'HS256',
      '-o',
      join(dir, 'b'),
      join(dir, 'b'),
    );
    expect(signed).toMatchObject({ exit: 0, stderr: '' });
    if (kind === 'tampered') writeFileSync(join(dir, 'b/p.rego'), 'package p\n\nx := 2\n');
    execFileSync('tar', ['-czf', 'b.tar.gz', '-C', 'b', '.'], { cwd: dir });
    return await use(dir);
  });
}

describe.each(['intact', 'tampered'] as const)('%s signed bundle', (kind) => {
  test.each(['b', 'b.tar.gz'])('build and exec refuse %s without a key', async (bundle) => {
    await withSigned(kind, async (dir) => {
      const built = await runCommand('build', '-b', '-o', join(dir, 'out.tar.gz'), join(dir, bundle));
      expect(built).toMatchObject({ exit: 1, stdout: expect.stringContaining(missingKey) });
      const decided = await runCommand('exec', '-b', join(dir, bundle), '--decision', 'p/x', join(dir, 'in'));
      expect(decided).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(missingKey) });
    });
  });

  test('--skip-verify accepts it', async () => {
    await withSigned(kind, async (dir) => {
      const built = await runCommand('build', '-b', '--skip-verify', '-o', join(dir, 'out.tar.gz'), join(dir, 'b'));
      expect(built).toMatchObject({ exit: 0, stdout: '' });
      const decided = await runCommand('exec', '-b', join(dir, 'b'), '--skip-verify', '--decision', 'p/x', join(dir, 'in'));
      expect(decided).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"result": ${kind === 'intact' ? 1 : 2}`) });
    });
  });

  test('a key verifies it', async () => {
    await withSigned(kind, async (dir) => {
      const key = ['--verification-key', 'secret', '--signing-alg', 'HS256'];
      const built = await runCommand('build', '-b', ...key, '-o', join(dir, 'out.tar.gz'), join(dir, 'b'));
      expect(built.exit).toBe(kind === 'intact' ? 0 : 1);
      const config = {
        keys: { default: { key: 'secret', algorithm: 'HS256' } },
        bundles: { b: { resource: `file://${dir}/b`, signing: { keyid: 'default' } } },
      };
      writeFileSync(join(dir, 'c.json'), JSON.stringify(config));
      const decided = await runCommand('exec', '-c', join(dir, 'c.json'), '--decision', 'p/x', join(dir, 'in'));
      expect(decided.exit).toBe(kind === 'intact' ? 0 : 1);
    });
  });
});

test('unsigned bundles need no key', async () => {
  await withFiles(files, async (dir) => {
    expect((await runCommand('build', '-b', '-o', join(dir, 'out.tar.gz'), join(dir, 'b'))).exit).toBe(0);
    expect((await runCommand('exec', '-b', join(dir, 'b'), '--decision', 'p/x', join(dir, 'in'))).exit).toBe(0);
  });
});
