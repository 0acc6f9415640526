/**
 * `npm run -s bench -- evaluator [DIR…]`: microseconds per decision on the VM and on the evaluator
 * (`engine/query/`), and their ratio. Both evaluate the same compiled modules, and no code is
 * generated.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/build/bundle.js';
import { workloadFolders } from './decisions.js';

const worker = fileURLToPath(new URL('evaluator-worker.ts', import.meta.url));

/** tsx names each closure when it is made, which the evaluator would spend its time on. */
async function bundleWorker(scratch: string): Promise<string> {
  const { files } = await bundle({
    entryPoints: [worker],
    format: 'esm',
    outdir: scratch,
    splitting: true,
    outExtension: { '.js': '.mjs' },
  });
  for (const { path, contents } of files) writeFileSync(path, contents);
  return join(scratch, 'evaluator-worker.mjs');
}

export async function run(args: readonly string[]): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  try {
    const script = await bundleWorker(scratch);
    console.log(
      `${'workload'.padEnd(18)}${['VM µs', 'evaluator µs', 'ratio'].map((title) => title.padStart(14)).join('')}`,
    );
    for (const folder of workloadFolders(args)) {
      const { status } = spawnSync(process.execPath, [script, folder], { stdio: 'inherit' });
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
