/** Starts the load generator in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadPlan, LoadReport } from './http-load.js';
import { prioritized } from './priority.js';

/** Asks while `work` goes on. */
export async function loadDuring<T>(
  plan: LoadPlan,
  work: () => Promise<T>,
): Promise<LoadReport & { readonly done: T }> {
  const script = join(import.meta.dirname, 'http-load.ts');
  const [command, ...args] = prioritized(process.execPath, ...process.execArgv, script, JSON.stringify(plan));
  const load = spawn(command!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  load.stdout.on('data', (part: Buffer) => (text += part));
  const done = await work();
  load.stdin.end();
  await once(load, 'exit');
  return { ...(JSON.parse(text) as LoadReport), done };
}
