/** What the tables of debug information of `build -O` name is in them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeHost } from '../../builtins/host/node.js';
import { debugInfoOf } from '../../bundle/debug-info-file.js';
import { readBundle } from '../../bundle/disk/file-source.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

async function built(texts: readonly string[], level: string): Promise<DebugInfo> {
  const files = Object.fromEntries(texts.map((text, i) => [`${i}.rego`, `package t\n\n${text}\n`]));
  return await withFiles({ ...files, 'data.json': '{"known": {"min": 3}}' }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const { exit, stderr } = await runCommand('build', '-t', 'plan', '-O', level, '-e', 't/p', '--debug-info=sources', '-o', out, dir);
    expect([exit, stderr]).toEqual([0, '']);
    const [plan] = (await readBundle(out)).plans;
    return debugInfoOf(plan!, (bytes) => nodeHost.crypto!.hashHex('sha256', bytes))!;
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
    const { sources, rules, expressions, owners } = await built(texts, level);
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
