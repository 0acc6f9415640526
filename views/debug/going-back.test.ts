/** The way back through long evaluations. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { withFiles } from '../../test/harness/command.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import type { DebugSession } from './session.js';

const policy = `package p

rows contains y if {
	some x in numbers.range(1, 20000)
	y := x * 2
	y % 3 == 0
}
`;

async function overRows(use: (session: DebugSession) => Promise<void>): Promise<void> {
  await withFiles({ 'p.rego': policy }, async (directory) => {
    const session = await launchFiles({ data: [join(directory, 'p.rego')], query: 'data.p.rows' });
    await use(session);
    session.dispose();
  });
}

test('the last of many stops is found, and the one before it', async () => {
  await overRows(async (session) => {
    const condition = 'x in {5, 10, 19, 9000, 15000}';
    session.addBreakpoint({ place: { kind: 'line', file: 'p.rego', row: 5 }, condition });
    const there: number[] = [];
    for (let stop = await session.start(); stop.reason === 'breakpoint'; stop = await session.continue()) there.push(stop.at);
    expect(there).toHaveLength(5);
    const back: number[] = [];
    for (let stop = await session.reverseContinue(); stop.reason === 'breakpoint'; stop = await session.reverseContinue())
      back.push(stop.at);
    expect(back.reverse()).toEqual(there);
  });
});

test('a pause on the way back stops where it has come to', async () => {
  await overRows(async (session) => {
    const end = await session.start();
    const paused = session.reverseContinue();
    session.pause();
    const stop = await paused;
    expect(stop.reason).toBe('pause');
    expect(stop.at).toBeLessThanOrEqual(end.at);
    expect((await session.continue()).outcome).toEqual(end.outcome);
  });
});

test('in a plan whose statements have no places the start is the first statement', async () => {
  const planned = compile({ policies: { 'p.rego': policy }, entrypoints: ['p/rows'] });
  const placeless = JSON.stringify(planned, (key, value: unknown) => (key === 'row' ? 0 : value));
  await withFiles({ 'plan.json': placeless }, async (directory) => {
    const session = await launchFiles({ plan: join(directory, 'plan.json') });
    const end = await session.start();
    expect(end.at).toBeGreaterThan(20_000);
    expect(await session.reverseContinue()).toMatchObject({ reason: 'start', at: 0 });
    expect(await session.back()).toMatchObject({ reason: 'start', at: 0 });
    expect((await session.continue()).outcome).toEqual(end.outcome);
    session.dispose();
  });
});
