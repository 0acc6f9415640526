/**
 * `npm run -s bench -- builtins [--size N] [NAME…]` compares the stated cost of calls of built-ins
 * with large operands to the measured time: one unit of work stands for ten nanoseconds. It prints
 * the slowest call of each built-in, and the calls with the lowest and the highest ratio of units
 * to time.
 */
import { parseArgs } from 'node:util';
import { parseModuleValue } from '../engine/policies/module-value.js';
import { type LargeOperands, largeOperands } from '../test/generators/large-operands.js';
import { callBuiltin, testContext } from '../test/harness/builtins.js';
import { BuiltinError, HaltError } from '../values/builtins/builtin-errors.js';
import { CacheSet } from '../values/builtins/cache.js';
import { nodeHost } from '../values/builtins/host/node.js';
import { builtins } from '../values/builtins/registry.js';
import { heapLimit, heapUsed, SizeError } from '../values/memory.js';
import { msPerUnit } from '../values/work.js';

interface Call {
  readonly kinds: string;
  readonly ms: number;
  readonly statedMs: number;
}

/** The stated cost, in milliseconds, at which a call is ended. */
const maxStatedMs = 500;

/** The fastest of a few calls; V8 has not compiled the first ones yet. */
async function fastest(name: string, kinds: string, operands: readonly never[]): Promise<Call> {
  let best = await timed(name, kinds, operands);
  for (let i = 0; i < 4 && best.ms < 100; i++) {
    const next = await timed(name, kinds, operands);
    if (next.ms < best.ms) best = next;
  }
  return best;
}

async function timed(name: string, kinds: string, operands: readonly never[]): Promise<Call> {
  let units = 0;
  const tick = (n: number) => {
    units += n;
    if (units * msPerUnit > maxStatedMs || heapUsed() > heapLimit() / 2)
      throw new HaltError('eval_cancel_error', 'enough');
  };
  const context = testContext(nodeHost, { tick, caches: new CacheSet(), strict: false, parseModule: parseModuleValue });
  const start = process.cpuUsage();
  try {
    await callBuiltin(name, operands, context);
  } catch (error) {
    if (!(error instanceof BuiltinError || error instanceof HaltError || error instanceof SizeError)) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return { kinds, ms: (user + system) / 1000, statedMs: units * msPerUnit };
}

async function callsOf(name: string, operands: LargeOperands): Promise<Call[]> {
  const calls: Call[] = [];
  for (const { kinds, operands: values } of operands.calls(builtins.get(name)!)) {
    try {
      calls.push(await fastest(name, kinds, values() as readonly never[]));
    } catch (error) {
      process.stdout.write(`${name} (${kinds}): ${error}\n`);
    }
  }
  return calls;
}

const column = (n: number) => n.toFixed(1).padStart(9);

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { size: { type: 'string', default: '100000' } },
  });
  const operands = largeOperands(Number(values.size));
  const names =
    positionals.length > 0 ? positionals : [...builtins.keys()].filter((name) => !/^http|^net.lookup/.test(name));
  process.stdout.write(`${'built-in'.padEnd(50)}       ms    stated  operands\n`);
  for (const name of names) {
    const calls = await callsOf(name, operands);
    const slowest = calls.toSorted((a, b) => b.ms - a.ms)[0];
    const least = calls.filter(({ ms }) => ms > 2).toSorted((a, b) => a.statedMs / a.ms - b.statedMs / b.ms)[0];
    const most = calls
      .filter(({ statedMs }) => statedMs > 2 && statedMs < maxStatedMs)
      .toSorted((a, b) => b.statedMs / b.ms - a.statedMs / a.ms)[0];
    for (const call of new Set([slowest, least, most])) {
      if (call !== undefined)
        process.stdout.write(`${name.padEnd(50)}${column(call.ms)} ${column(call.statedMs)}  ${call.kinds}\n`);
    }
  }
}
