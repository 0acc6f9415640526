/** For tests: the scripts that threads start with. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** For all test files of a process. Scripts in it find the packages of this repository. */
const folder = mkdtempSync(join(tmpdir(), 'writ-threads-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Vitest ends its processes so, without the event above.
process.once('SIGTERM', () => process.exit());

/**
 * Writes a script that may import sources by their paths from the root, `./engine/…`. A thread has
 * no loader for them, and one of its own takes a second for each thread: they are bundled once.
 */
export function threadScript(name: string, text: string): string {
  const outdir = join(folder, name);
  buildSync({
    stdin: { contents: text, resolveDir: root },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return join(outdir, 'stdin.mjs');
}

/** Writes the script of a thread that evaluates. */
export function evaluationEntry(): string {
  return threadScript('evaluations', `(await import('./engine/threads/worker.js')).serveEvaluations();`);
}
