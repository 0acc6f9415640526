import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const policy = `package p

# METADATA
# labels: {"team": "blue"}
x := n if n := rand.intn("a", 5)

y := 1 if input.a

y := 2 if input.b
`;

/** The events that a run of `exec` logs. */
async function eventsOf(decision: string, input: object, settings: readonly string[]) {
  return await withFiles({ 'b/p.rego': policy, 'in.json': JSON.stringify(input) }, async (folder) => {
    const log = ['decision_logs.console=true', ...settings].flatMap((one) => ['--set', one]);
    const { stdout, stderr } = await runCommand('exec', '-b', join(folder, 'b'), '--decision', decision, ...log, join(folder, 'in.json'));
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
    const events = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Decision Log');
    return { events, results: JSON.parse(stdout).result };
  });
}

test('an event of exec has what the configuration asks for, as that of a server', async () => {
  const { events, results } = await eventsOf('p/x', {}, ['decision_logs.nd_builtin_cache=true']);
  expect(events).toMatchObject([
    {
      decision_id: results[0].decision_id,
      path: 'p/x',
      input: {},
      result: results[0].result,
      nd_builtin_cache: { 'rand.intn': { '["a",5]': expect.any(Number) } },
      rule_labels: [{ team: 'blue' }],
    },
  ]);
});

test('an event of exec explains its decision where the log wants it', async () => {
  const { events } = await eventsOf('p/y', { a: true }, ['decision_logs.why=true']);
  expect(events).toMatchObject([{ result: 1, why: [{ outcome: 'holds' }, { outcome: 'fails' }] }]);
});

test('an event of exec has the error of its decision', async () => {
  const { events, results } = await eventsOf('p/y', { a: true, b: true }, []);
  expect(results[0].error.code).toBe('eval_conflict_error');
  expect(events).toMatchObject([{ path: 'p/y', error: results[0].error.message }]);
});
