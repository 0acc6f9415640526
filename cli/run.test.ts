import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Io } from './io.js';
import { runCommandLine } from './run.js';

/**
 * A command line and its expected results; times in the output are replaced by `1`. `{dir}` stands
 * for a directory with the row's files, `{example}` and `{errors}` for bundles of fixtures.
 */
interface Row {
  readonly note: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** The exact output; not checked by default. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdout_has?: readonly string[];
  readonly stdout_lacks?: readonly string[];
  readonly stderr_has?: readonly string[];
  /** 0 by default. */
  readonly exit?: number;
}

const fixtures = join(import.meta.dirname, '../fixtures');

/** Runs a command in this process. */
async function runRow(row: Row) {
  const dir = mkdtempSync(join(tmpdir(), 'writ-cli-'));
  const fill = (text: string) =>
    text
      .replaceAll('{dir}', dir)
      .replaceAll('{example}', join(fixtures, 'bundles/example'))
      .replaceAll('{errors}', join(fixtures, 'bundles/errors'));
  for (const [name, text] of Object.entries(row.files ?? {})) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), fill(text));
  }
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdin: () => new TextEncoder().encode(row.stdin ?? ''),
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    env: Object.fromEntries(Object.entries(row.env ?? {}).map(([name, value]) => [name, fill(value)])),
    color: false,
  };
  try {
    const exit = await runCommandLine(row.args.map(fill), io);
    // Times differ between runs.
    const shown = (text: string) =>
      text
        .replaceAll(dir, '{dir}')
        .replace(/"duration": \d+/g, '"duration": 1')
        .replace(/\([\d.]+(?:ns|µs|ms|s)\)/g, '(1ms)');
    return { exit, stdout: shown(stdout), stderr: shown(stderr) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

for (const file of readdirSync(join(fixtures, 'cli'))) {
  const rows = JSON.parse(readFileSync(join(fixtures, 'cli', file), 'utf8')) as Row[];
  describe(file, () => {
    test.each(rows.map((row) => [row.note, row] as const))('%s', async (_note, row) => {
      const done = await runRow(row);
      for (const text of row.stdout_has ?? []) expect(done.stdout).toContain(text);
      for (const text of row.stdout_lacks ?? []) expect(done.stdout).not.toContain(text);
      for (const text of row.stderr_has ?? []) expect(done.stderr).toContain(text);
      if (row.stdout !== undefined) expect(done.stdout).toBe(row.stdout);
      if (row.stderr !== undefined) expect(done.stderr).toBe(row.stderr);
      else if (row.stderr_has === undefined) expect(done.stderr).toBe('');
      expect(done.exit).toBe(row.exit ?? 0);
    });
  });
}
