/** Files on disk for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from './set-up/concurrent-tests.js';

/** A directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files below a directory, which is made if needed, and returns the directory. */
export function writeFiles(directory: string, files: { readonly [name: string]: string | Uint8Array }): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

/** Repeats a check until it holds, for a minute at most. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await check();
      return;
    } catch (error) {
      if (attempt === 1200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
