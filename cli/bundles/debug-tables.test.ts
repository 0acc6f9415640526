/** Tables of debug information name only what they have, and a plan is the same without them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanFile } from '../../engine/bundle/bundle.js';
import { debugInfoOf } from '../../engine/bundle/debug-info-file.js';
import { readBundle } from '../../engine/bundle/disk/file-source.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { nodeHost } from '../../values/builtins/host/node.js';

async function built(texts: readonly string[], level: string, ...flags: readonly string[]): Promise<PlanFile> {
  const files = Object.fromEntries(texts.map((text, i) => [`${i}.rego`, `package t\n\n${text}\n`]));
  return await withFiles({ ...files, 'data.json': '{"known": {"min": 3}}' }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const { exit, stderr } = await runCommand('build', '-t', 'plan', '-O', level, '-e', 't/p', ...flags, '-o', out, dir);
    expect([exit, stderr]).toEqual([0, '']);
    return (await readBundle(out)).plans[0]!;
  });
}

const never = 'p if data.known.none.x';

test.each([
  ['a rule that never holds', ['default p := false', 'p if input.q', never]],
  ['a default behind the other rules', [never, 'p if input.q', 'default p := false']],
  ['several of them', [never, 'default p := false', never, 'p if input.q', never]],
  ['a set with a constant', ['p contains "a" if input.a', 'p contains "b" if data.known.none.x', 'p contains "c"']],
  ['another rule', ['p if { q; input.p }', 'q if input.q', 'q if data.known.none.x', 'r if q']],
])('with a file of its own for %s', async (_title, texts) => {
  for (const level of ['0', '1', '2']) {
    const plan = await built(texts, level, '--debug-info=sources');
    const { sources, rules, expressions, owners } = debugInfoOf(plan, (bytes) => nodeHost.crypto!.hashHex('sha256', bytes))!;
    for (const { source, origin } of rules) {
      expect(sources[source]).toBeDefined();
      if (origin !== undefined) expect(sources[rules[origin]!.source]!.generated).toBeUndefined();
    }
    for (const [source, rule, parent, , , , , , origin] of expressions) {
      expect(sources[source]).toBeDefined();
      expect(rule < rules.length && parent < expressions.length && origin < expressions.length).toBe(true);
    }
    for (const [, , rule, expression] of owners.flatMap(({ runs }) => runs)) {
      expect(rule < rules.length && expression < expressions.length).toBe(true);
    }
  }
});

test.each([
  ['elements', 'p contains x.id if { some x in input.xs; x.n > data.known.min }'],
  ['parts of refs', 'p if { u := input.user; role := u.roles[0]; role.name == u.name; role.id }'],
  ['results of calls', 'p if { s := upper(input.s); startswith(s, "A"); count(s) > 2 }'],
  ['functions', 'p if not f(input.a)\n\nf(x) if { y := x.n; y.m == data.known.min; y.k }'],
])('the plan of %s is the same without debug information', async (_title, text) => {
  for (const level of ['0', '1', '2']) {
    const [plain, described] = [await built([text], level), await built([text], level, '--debug-info=sources')];
    // The sources are in folders of their own.
    const textOf = ({ policy }: PlanFile): string => JSON.stringify(policy).replaceAll(/"value":"[^"]*[.]rego"/g, '');
    expect(textOf(plain)).toBe(textOf(described));
  }
});
