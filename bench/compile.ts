/**
 * `npm run -s bench -- compile [--json] [--modules N] [--rounds N] [FOLDER]`: wall time of whole
 * `writ` processes that check and build many modules, as medians and as ratios to the time of the
 * lexer alone. It runs the built command: run `npm run build` after a change. FOLDER holds modules,
 * or a `modules.mjs` that writes them (`--out DIR --modules N`); without it the modules come from
 * `corpus.ts`. Rules named `result` are the entrypoints.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeCorpus } from './corpus.js';
import { modulesBelow } from './modules.js';

interface Row {
  readonly name: string;
  readonly ms: number;
  readonly limitMs: number | undefined;
}

const writ = fileURLToPath(new URL('../bin/writ', import.meta.url));
const lexer = fileURLToPath(new URL('lex.ts', import.meta.url));

/** Throws an Error if a command fails. */
export function run(argv: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      modules: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const scratch = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  try {
    const folder = corpus(positionals[0], join(scratch, 'modules'), Number(values.modules));
    const report = measure(folder, join(scratch, 'bundle.tar.gz'), Number(values.rounds));
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : table(report));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function corpus(given: string | undefined, folder: string, count: number): string {
  if (given === undefined) writeCorpus(folder, count);
  else if (existsSync(join(given, 'modules.mjs')))
    execute(process.execPath, [join(given, 'modules.mjs'), '--out', folder, '--modules', String(count)]);
  else return given;
  return folder;
}

interface Report {
  readonly modules: number;
  readonly bytes: number;
  readonly entrypoints: number;
  readonly lexerMs: number;
  readonly rows: readonly Row[];
}

function measure(folder: string, output: string, rounds: number): Report {
  const texts = modulesBelow(folder).map((file) => readFileSync(file, 'utf8'));
  const entrypoints = texts.flatMap(entrypointOf);
  if (entrypoints.length === 0) throw new Error(`${folder} has no rule named result`);
  const build = (names: readonly string[]) => [
    'build',
    '-t',
    'plan',
    ...names.flatMap((name) => ['-e', name]),
    '-o',
    output,
    folder,
  ];
  // The limits hold for 1,000 modules of 1.4 kB.
  const limit = (ms: number) => (texts.length === 1000 ? ms : undefined);
  const commands = [
    { name: 'start (version)', args: ['version'], limitMs: undefined },
    { name: 'check', args: ['check', folder], limitMs: limit(1_500) },
    { name: 'build, one entrypoint', args: build(entrypoints.slice(0, 1)), limitMs: limit(2_000) },
    { name: `build, all ${entrypoints.length}`, args: build(entrypoints), limitMs: limit(3_500) },
  ];
  return {
    modules: texts.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    entrypoints: entrypoints.length,
    lexerMs: median(rounds, () => Number(execute(process.execPath, ['--import', 'tsx', lexer, folder]))),
    rows: commands.map(({ name, args, limitMs }) => ({ name, ms: median(rounds, () => timed(args)), limitMs })),
  };
}

function entrypointOf(text: string): string[] {
  const path = /^package (\S+)/m.exec(text)?.[1];
  return path !== undefined && /^result\b/m.test(text) ? [`${path.replaceAll('.', '/')}/result`] : [];
}

function timed(args: readonly string[]): number {
  const start = performance.now();
  execute(writ, args);
  return performance.now() - start;
}

function execute(command: string, args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr || stdout);
  return stdout;
}

function median(rounds: number, measureOnce: () => number): number {
  const times = Array.from({ length: rounds }, measureOnce).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)]!;
}

function table({ modules, bytes, lexerMs, rows }: Report): string {
  const lines = [
    `${modules} modules, ${(bytes / 1e6).toFixed(2)} MB`,
    `${''.padEnd(24)}${'ms'.padStart(8)}${'limit'.padStart(8)}${'× lexer'.padStart(10)}`,
    line('lexer alone', lexerMs, undefined, 1),
    ...rows.map(({ name, ms, limitMs }) => line(name, ms, limitMs, ms / lexerMs)),
  ];
  return `${lines.join('\n')}\n`;
}

function line(name: string, ms: number, limitMs: number | undefined, ratio: number): string {
  return `${name.padEnd(24)}${ms.toFixed(0).padStart(8)}${String(limitMs ?? '').padStart(8)}${ratio.toFixed(1).padStart(10)}`;
}
