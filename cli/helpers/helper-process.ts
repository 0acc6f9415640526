/** Processes that help a command: their work is done in one piece, so that only an end stops it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type HelperProcess = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts one. The end of its output and its exit tell what is wrong with it.
 * @param entry the script of this process
 * @param args the argument that names the work, and others for it
 */
export function startHelper(entry: string, ...args: string[]): HelperProcess {
  // It may be killed while it writes a cache of its scripts.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  for (const part of [child, child.stdin]) part.on('error', () => undefined);
  return child;
}
