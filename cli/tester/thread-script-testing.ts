import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'writ-test-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A script for a thread. Threads get the sources as they are, so something strips their types. */
export function threadScript(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();\n${text}`);
  return path;
}

/** The URL of the code that runs tests, as a literal of a script. */
export const worker = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'worker.ts')).href);

/** The script of a thread that runs tests. */
export const entry = threadScript('entry', `await (await import(${worker})).runTests();`);
