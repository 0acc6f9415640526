import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

const policy = 'package p\n\nimport rego.v1\n\nallow if {\n\tsome role in input.roles\n\trole == "admin"\n}\n';

/** A plan with a member of another compiler in each object, and without columns. */
function foreign(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(foreign);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'col' && name !== 'end_col');
  return Object.fromEntries([...members.map(([name, member]) => [name, foreign(member)]), ['note', 'mine']]);
}

test('a plan with members of another compiler answers as without them, and inspect warns of them', async () => {
  const plan = compile({ policies: { 'p.rego': policy }, entrypoints: ['p/allow'] });
  const files = {
    'own/plan.json': JSON.stringify(plan),
    'foreign/plan.json': JSON.stringify(foreign(plan)),
    'input.json': '{"roles": ["admin"]}',
  };
  await withFiles(files, async (directory) => {
    const own = await runCommand('inspect', `${directory}/own/plan.json`, '--listing');
    const other = await runCommand('inspect', `${directory}/foreign/plan.json`, '--listing');
    expect(own.stderr).toBe('');
    expect(other.exit).toBe(0);
    expect(other.stdout.split('\n')).toHaveLength(own.stdout.split('\n').length);
    expect(other.stderr).toContain('plan.json: /note: member "note" of Policy is not known and is ignored\n');
    expect(other.stderr).toMatch(/^warning: .*: member "note" of ScanStmt is not known and is ignored/m);
    const answer = await runCommand('eval', '-f', 'raw', '-b', `${directory}/foreign`, '-i', `${directory}/input.json`, 'data.p.allow');
    expect(answer).toMatchObject({ exit: 0, stdout: 'true\n' });
    expect(
      answer.stderr.match(/^warning: .*plan\.json: members of the plan are not known and are ignored: "note" of Policy, .* more$/gm),
    ).toHaveLength(1);
    const plain = await runCommand('eval', '-f', 'raw', '-b', `${directory}/own`, '-i', `${directory}/input.json`, 'data.p.allow');
    expect(plain).toMatchObject({ exit: 0, stdout: 'true\n', stderr: '' });
    const run = await runCommand('exec', '-b', `${directory}/foreign`, '--decision', 'p/allow', `${directory}/input.json`);
    expect(run.stderr).toContain('members of the plan are not known');
  });
});
