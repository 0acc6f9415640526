import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { assembleLazily } from '../../runtime/bytecode/assemble.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

vi.mock('../../runtime/bytecode/assemble.js', { spy: true });
const loaded = vi.hoisted(() => new Set<string>());
vi.mock(import('./server-configuration.js'), async (original) => {
  loaded.add('configuration');
  return await original();
});
vi.mock(import('../../server/services/logs/logger.js'), async (original) => {
  loaded.add('logger');
  return await original();
});
vi.mock(import('../../engine/policies/next-policies.js'), async (original) => {
  loaded.add('compiler');
  return await original();
});

const policy = `package p

x contains user if some user in input.users

y := 1 if input.users

y := 2 if input.users[1]
`;
const plan = JSON.stringify(compile({ policies: { 'p.rego': policy }, entrypoints: ['p/x', 'p/y'] }));
const input = '{"users": ["ann", "bob"]}';

/** The results and errors of a run, and the number of programs that it made. */
async function outcomeOf(decision: string, inputs: number, args: readonly string[] = []) {
  const files = Object.fromEntries(Array.from({ length: inputs }, (_, i) => [`in/${i}.json`, input]));
  return await withFiles({ 'b/plan.json': plan, ...files }, async (directory) => {
    vi.mocked(assembleLazily).mockClear();
    const { exit, stdout, stderr } = await runCommand(
      'exec',
      '-b',
      join(directory, 'b'),
      '--decision',
      decision,
      ...args,
      join(directory, 'in'),
    );
    const { result } = JSON.parse(stdout) as { result: readonly { result?: unknown; error?: unknown; decision_id?: string }[] };
    return { exit, stderr, result, programs: vi.mocked(assembleLazily).mock.calls.length };
  });
}

beforeEach(() => loaded.clear());

describe('a plan without a configuration', () => {
  test('is walked, and nothing of the server or the compiler is loaded', async () => {
    const { exit, stderr, result, programs } = await outcomeOf('p/x', 2);
    expect({ exit, stderr, programs, loaded: [...loaded] }).toEqual({ exit: 0, stderr: '', programs: 0, loaded: [] });
    expect(result.map((one) => one.result)).toEqual([
      ['ann', 'bob'],
      ['ann', 'bob'],
    ]);
  });

  test('is a program for many inputs', async () => {
    const { result, programs } = await outcomeOf('p/x', 300);
    expect(programs).toBe(1);
    expect(result).toHaveLength(300);
    for (const one of result) expect(one.result).toEqual(['ann', 'bob']);
  });

  test('has the places of errors', async () => {
    const { result } = await outcomeOf('p/y', 1);
    expect(result[0]!.error).toMatchObject({ code: 'eval_conflict_error', location: { file: 'p.rego', row: 5 } });
  });
});

test('each decision has a random id of its own', async () => {
  const { result } = await outcomeOf('p/x', 300);
  const ids = result.map(({ decision_id }) => decision_id!);
  expect(new Set(ids).size).toBe(300);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a configuration is read, and its decisions are logged', async () => {
  const { exit, stderr, result } = await outcomeOf('p/x', 1, ['--set', 'decision_logs.console=true']);
  expect(exit).toBe(0);
  expect([...loaded].sort()).toEqual(['configuration', 'logger']);
  expect(stderr).toContain(`"decision_id":"${result[0]!.decision_id}"`);
});

test.each(['1ns', '1.5ms', '10000h'])('a time limit of %s is one', async (limit) => {
  const files = { 'b/plan.json': plan, 'in.json': input };
  await withFiles(files, async (directory) => {
    const [bundle, given] = [join(directory, 'b'), join(directory, 'in.json')];
    const { stderr } = await runCommand('exec', '-b', bundle, '--decision', 'p/x', '--timeout', limit, given);
    expect(stderr).not.toContain('out of range');
  });
});
