/** Policies over files in which `«»` ends each line that a person would point at. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCommand, withFiles } from '../../harness/command.js';

export type MarkedRow = readonly [title: string, file: string, text: string, policy: string];

const mark = '«»';

/** Expects `writ verify` to point at the marked lines, once for each failure. */
export async function expectMarkedLines(file: string, marked: string, policy: string): Promise<void> {
  const parts = marked.split(mark);
  const wanted = parts.slice(1).map(
    (_part, i) =>
      parts
        .slice(0, i + 1)
        .join('')
        .split('\n').length,
  );
  const files = { 'policy/a.rego': `package main\n\n${policy}\n`, [`files/${file}`]: parts.join('') };
  await withFiles(files, async (folder) => {
    const { stdout, stderr } = await runCommand('verify', '-o', 'json', '-p', join(folder, 'policy'), join(folder, 'files', file));
    expect(stderr).toBe('');
    const [check] = JSON.parse(stdout) as { failures?: { loc?: { line: number } }[] }[];
    const found = (check?.failures ?? []).map(({ loc }) => loc?.line ?? 0);
    expect(found.sort((a, b) => a - b)).toEqual(wanted);
  });
}
