/** For tests: the scripts that threads start with. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** For all test files of a process. */
const folder = mkdtempSync(join(tmpdir(), 'writ-threads-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a script that may import sources: a thread has no loader that strips their types. */
export function threadScript(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();\n${text}`);
  return path;
}

const worker = pathToFileURL(join(import.meta.dirname, '../../engine/threads/worker.ts')).href;

/** Writes the script of a thread that evaluates. */
export function evaluationEntry(): string {
  return threadScript('evaluations', `(await import(${JSON.stringify(worker)})).serveEvaluations();`);
}
