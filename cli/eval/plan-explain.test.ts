import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

async function explained(body: string, ...flags: string[]): Promise<string> {
  const plan = compile({ policies: { 'p.rego': `package p\n\n${body}\n` }, entrypoints: ['p/x'] });
  return await withFiles({ 'b/plan.json': JSON.stringify(plan) }, async (directory) => {
    return (await runCommand('eval', '-b', `${directory}/b`, 'data.p.x', '--explain', 'full', '-f', 'pretty', ...flags)).stdout;
  });
}

test('the trace of a long evaluation of a plan is whole, and the same each time', async () => {
  const body = 'x := count([i | some i in numbers.range(1, 300000); i >= 0])';
  const trace = await explained(body);
  expect(trace).not.toContain('ends here');
  expect(trace).toContain('300000');
  expect(await explained(body)).toBe(trace);
});

test('the trace of a plan ends after a number of events, and says so', async () => {
  const trace = await explained('x := count([i | some i in numbers.range(1, 60000); i < 0])');
  const lines = trace.split('\n').filter((line) => line.includes('|'));
  expect(trace).toContain('the trace ends after 50000 events');
  expect(lines.length).toBeLessThan(50_100);
});
