import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const module = 'package p\n\nx := y if {\n\ty := input.a[_]\n\ty > 1\n}\n\nnoted if trace("here")\n';

async function explained(mode: string, query: string): Promise<Record<string, unknown>> {
  return await withFiles({ 'p.rego': module, 'input.json': '{"a": [1, 2]}' }, async (directory) => {
    const files = ['-d', `${directory}/p.rego`, '-i', `${directory}/input.json`];
    const { stdout } = await runCommand('eval', '--explain', mode, ...files, query);
    return JSON.parse(stdout.replaceAll(`${directory}/`, '')) as Record<string, unknown>;
  });
}

test('an explanation without events is left out', async () => {
  expect(Object.keys(await explained('notes', 'data.p.x'))).toEqual(['result']);
  expect(Object.keys(await explained('off', 'data.p.x'))).toEqual(['result']);
});

test('events have the names of the command, and places', async () => {
  const { explanation } = await explained('full', 'data.p.x');
  const events = explanation as readonly Record<string, unknown>[];
  for (const event of events)
    expect(Object.keys(event).sort()).toEqual(
      ['LocalMetadata', 'Locals', 'Location', 'Message', 'Node', 'Op', 'ParentID', 'QueryID', 'Ref'].sort(),
    );
  expect(events[0]).toMatchObject({ Op: 'Enter', QueryID: 0, ParentID: 0, Locals: null, Message: '' });
  const failed = events.find(({ Op }) => Op === 'Fail')!;
  expect(failed).toMatchObject({ Location: { file: 'p.rego', row: 5, col: 2 }, QueryID: 1, ParentID: 0 });
  const [name, written] = Object.entries(failed.LocalMetadata as object)[0]!;
  expect(written).toEqual({ name: 'y' });
  expect(failed.Locals).toContainEqual({ name, type: 'number', value: 1 });
});

test('a note is an event', async () => {
  const { explanation } = await explained('notes', 'data.p.noted');
  expect(explanation).toContainEqual(expect.objectContaining({ Op: 'Note', Message: 'here' }));
});
