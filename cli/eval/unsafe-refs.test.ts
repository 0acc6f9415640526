import { expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';

async function messages(query: string): Promise<readonly string[]> {
  const { stdout } = await runCommand('eval', '-f', 'json', query);
  return (JSON.parse(stdout) as { errors: readonly { message: string }[] }).errors.map(({ message }) => message);
}

test.each(['foo.bar == 1', 'foo[0] > 1', 'upper(foo.x)', '1 + foo[0][1]', 'count([foo.x])'])(
  'of %s only the variable of the ref is unsafe',
  async (query) => expect(await messages(query)).toEqual(['var foo is unsafe']),
);

test.each(['foo == 1', 'foo + 0', 'upper(foo)'])('of %s the value is unsafe, too', async (query) =>
  expect(await messages(query)).toEqual(['var foo is unsafe', 'var _ is unsafe']),
);
