/**
 * `npm run -s bench -- lsp [--modules N] [--rounds N]` times `writ language-server` of the build:
 * the answer to `initialize`, and the time from a change to its diagnostics, with 4 modules and
 * with many. It reports medians of milliseconds, and the memory of the process beside that of a
 * process whose engine has the same modules.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ServerProcess } from '../../test/harness/language/server-process.js';
import { median } from '../measure.js';
import { policyRepository } from '../policy-repository.js';

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { modules: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '15' } },
  });
  for (const modules of [4, Number(values.modules)]) await measure(modules, Number(values.rounds));
}

async function measure(modules: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-lsp-'));
  try {
    const files = [...policyRepository({ lines: modules * 120, version: 'v1' })].slice(0, modules + 1);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const server = await ServerProcess.start(folder);
    const [path, text] = files.find(([name]) => name.startsWith('constraints/'))!;
    const uri = `file://${join(folder, path)}`;
    server.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'rego', version: 0, text } });
    // Answered once all files were read.
    await server.ask('textDocument/documentSymbol', { textDocument: { uri } });
    const times: number[] = [];
    for (let i = 1; i <= rounds; i++) {
      const isFaulty = i % 2 === 1;
      const changed = `${text}\nbench_${i} := ${isFaulty ? 'unknown_variable' : i}\n`;
      const heard = server.heard(({ method, params }) => {
        const { uri: of, diagnostics = [] } = (params ?? {}) as { uri?: string; diagnostics?: { message: string }[] };
        const hasError = diagnostics.some(({ message }) => message.includes('unknown_variable'));
        return method === 'textDocument/publishDiagnostics' && of === uri && hasError === isFaulty;
      });
      const started = performance.now();
      server.tell('textDocument/didChange', { textDocument: { uri, version: i }, contentChanges: [{ text: changed }] });
      await heard;
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const memory = Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    process.stdout.write(
      `${files.length - 1} modules: initialize ${server.initializeMs.toFixed(0)} ms, ` +
        `change to diagnostics ${median(times).toFixed(0)} ms, memory ${memory.toFixed(0)} MB, ` +
        `of an engine ${engineMemory(folder).toFixed(0)} MB\n`,
    );
    await server.end();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The memory of a process that has opened a folder with the built library, in MB. */
function engineMemory(folder: string): number {
  const library = JSON.stringify(join(import.meta.dirname, '../../dist/esm/index.js'));
  const text = `import { Engine } from ${library};
globalThis.engine = await Engine.open(${JSON.stringify(folder)});
process.stdout.write(String(process.memoryUsage.rss()));`;
  return (
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' })) / 1024 ** 2
  );
}
