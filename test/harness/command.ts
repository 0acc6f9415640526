/** Runs commands in this process, for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Io } from '../../cli/io.js';
import { runCommandLine } from '../../cli/run.js';

interface CommandResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCommand(...args: string[]): Promise<CommandResult> {
  return runWith({}, args);
}

/** As at a terminal without colours. */
export function runAtTerminal(...args: string[]): Promise<CommandResult> {
  return runWith({ env: { NO_COLOR: '1' }, isTerminal: () => true }, args);
}

/** With streams or an environment of its own. */
export async function runWith(over: Partial<Io>, args: string[]): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdin: () => new Uint8Array(),
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    env: {},
    color: false,
    ...over,
  };
  return { exit: await runCommandLine(args, io), stdout, stderr };
}

/** A temporary directory with files; removed after `use`. */
export async function withFiles<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'writ-cli-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
