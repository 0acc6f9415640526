import { expect, test } from 'vitest';
import { policyRepository } from '../../bench/policy-repository.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

test.each(['v0', 'v1'] as const)('all tests of a repository of 10,000 lines in %s pass, and cover it', async (version) => {
  const files = Object.fromEntries(policyRepository({ lines: 10_000, version }));
  await withFiles(files, async (directory) => {
    const flags = version === 'v0' ? ['--v0-compatible'] : [];
    const { exit, stdout, stderr } = await runCommand('test', ...flags, directory);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: 'PASS: 1076/1076\n', stderr: '' });
    const covered = await runCommand('test', '--coverage', ...flags, directory);
    const { files: reports } = JSON.parse(covered.stdout) as { files: Record<string, { not_covered?: unknown }> };
    const policies = Object.entries(reports).filter(([path]) => /c\d{4}\.rego$/.test(path));
    expect(policies.length).toBeGreaterThan(50);
    expect(policies.filter(([, report]) => report.not_covered !== undefined)).toEqual([]);
  });
});
