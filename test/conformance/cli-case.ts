/**
 * Runs a recorded call of the command line (cli/README.md) in its own folder, with the built
 * command.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Comparison, Output } from './cli-compare.js';

export interface CliCase {
  readonly name: string;
  readonly files?: { readonly [path: string]: string | { readonly base64: string } };
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly stdin?: string;
  readonly exit: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly compare?: { readonly stdout?: Comparison; readonly stderr?: Comparison };
  readonly outputs?: { readonly [path: string]: Output };
  readonly replace?: readonly (readonly [string, string])[];
}

export interface CallResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The placeholder for the folder in a recording. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the recordings' notation
export const folderPlaceholder = '${dir}';

/** A call that does not end within this time fails. */
const timeoutMs = 60_000;

/** Compiled code, one folder for all calls: with their own they took a quarter longer. */
const caches = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

const command = fileURLToPath(new URL('../../bin/writ', import.meta.url));

/** Runs a case in a temporary folder, which `judge` may inspect before it is removed. */
export async function runCase<T>(one: CliCase, judge: (ended: CallResult, folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'writ-case-')));
  try {
    const filled = (text: string): string => text.replaceAll(folderPlaceholder, folder);
    for (const [path, content] of Object.entries(one.files ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), typeof content === 'string' ? filled(content) : Buffer.from(content.base64, 'base64'));
    }
    const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CACHE_HOME: caches, TZ: 'UTC', LANG: 'C.UTF-8' };
    for (const [name, value] of Object.entries(one.env ?? {})) Object.assign(env, { [name]: filled(value) });
    return await judge(await call(one.args.map(filled), env, filled(one.stdin ?? ''), folder), folder);
  } finally {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  }
}

function call(args: readonly string[], env: Record<string, string>, stdin: string, cwd: string): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, timeout: timeoutMs });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (stderr += chunk));
    child.on('error', reject).on('close', (exit) => resolve({ exit, stdout, stderr }));
    // A call that reads no input may end before all of it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}
