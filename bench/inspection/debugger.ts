/**
 * What people wait for at a debugger: a step back, far from the start, and the way to a breakpoint
 * whose condition holds once. Each figure stands beside the one that it should not exceed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFiles } from '../../test/harness/command.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import type { DebugSession } from '../../views/debug/session.js';
import { median } from '../measure.js';

const iterations = 200_000;
const stepsBack = 300;

const policy = `package p

rows contains y if {
	some x in numbers.range(1, ${iterations})
	y := x * 2
	y % 3 == 0
}
`;

/** Commands as users run them, the start of the process included. */
const command = join(import.meta.dirname, '../../bin/writ');
const session = `break p.rego:5 if x == ${iterations / 2}\nc\nc\nq\n`;

export async function run(): Promise<void> {
  await withFiles({ 'p.rego': policy }, async (directory) => {
    const file = join(directory, 'p.rego');
    const [plain, debugged]: [Used[], Used[]] = [[], []];
    for (let i = 0; i < 5; i++) {
      plain.push(await used(['eval', '-d', file, 'data.p.rows'], ''));
      debugged.push(await used(['debug', '-d', file, 'data.p.rows'], session));
    }
    const times = [debugged, plain].map((runs) => median(runs.map(({ ms }) => ms)));
    show(`${iterations} iterations, a condition that holds once`, times[0]! / times[1]!, 'times plain evaluation', 5);
    show('its memory', Math.max(...debugged.map(({ memory }) => memory)), 'MB', 300);
    await wayBack(await launchFiles({ data: [file], query: 'data.p.rows' }));
  });
}

interface Used {
  readonly ms: number;
  /** Megabytes that the process has had at most. */
  readonly memory: number;
}

async function used(args: readonly string[], lines: string): Promise<Used> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(lines);
  let memory = 0;
  const look = setInterval(() => {
    try {
      memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? memory);
    } catch {
      // It has ended.
    }
  }, 5);
  const [code] = (await once(child, 'close')) as [number];
  clearInterval(look);
  if (code !== 0) throw new Error(`${args.join(' ')} ends with ${code}`);
  return { ms: performance.now() - start, memory: memory / 1024 };
}

async function wayBack(session: DebugSession): Promise<void> {
  const end = await session.start();
  const times: number[] = [];
  for (let i = 0; i < stepsBack; i++) {
    const granularity = (['statement', 'expression', 'rule'] as const)[i % 2]!;
    times.push(await timedAsync(() => session.back({ granularity })));
  }
  times.sort((a, b) => a - b);
  show(`a step back behind ${end.at} statements, p99`, times[Math.floor(times.length * 0.99)]!, 'ms', 100);
  session.dispose();
}

async function timedAsync(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function show(name: string, found: number, unit: string, most: number): void {
  console.log(`${name.padEnd(56)} ${found.toFixed(1)} ${unit} (at most ${most})`);
}
