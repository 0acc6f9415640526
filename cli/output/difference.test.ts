import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { coloredDifference, patchOf } from './difference.js';
import { textEdits } from './edits.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é'), maxLength: 40 });

test('edits lead from one text to the other, by no more than the longest text they share', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edits = textEdits(before, after);
      const joined = (without: string): string =>
        edits
          .filter(({ kind }) => kind !== without)
          .map((edit) => edit.text)
          .join('');
      expect(joined('new')).toBe(before);
      expect(joined('gone')).toBe(after);
      const changed = edits.filter(({ kind }) => kind !== 'same').reduce((sum, edit) => sum + edit.text.length, 0);
      expect(changed).toBe(before.length + after.length - 2 * longestShared(before, after));
    }),
  );
});

function longestShared(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const unit of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++) next.push(unit === b[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!));
    row = next;
  }
  return row[b.length]!;
}

test('inserted lines are green, deleted lines are red', () => {
  expect(coloredDifference('a:=1\n\n\nb\n', 'a := 1\nb\n')).toBe(
    'a\u001b[32m \u001b[0m:=\u001b[32m \u001b[0m1\u001b[31m\u001b[0m\n\u001b[31m\u001b[0m\n\u001b[31m\u001b[0m\nb\n',
  );
});

const hasPatch = spawnSync('patch', ['--version']).status === 0;
if (!hasPatch) console.log('patches are not applied: there is no patch on this machine');

test.skipIf(!hasPatch)('a patch turns the one file into the other', async () => {
  const lines = fc.array(fc.constantFrom('p := 1', 'q if {', '\tx', '}', '', '# c'), { maxLength: 25 }).map((all) => all.join('\n'));
  await fc.assert(
    fc.asyncProperty(lines, lines, async (before, after) => {
      fc.pre(before !== '' && after !== '' && before !== after);
      await withFiles({ 'a.rego': before, 'a.patch': patchOf('a.rego', before, after) }, async (folder) => {
        const { status, stdout } = spawnSync('patch', ['-p0', '-i', 'a.patch'], { cwd: folder, encoding: 'utf8' });
        expect(status, stdout).toBe(0);
        expect(readFileSync(join(folder, 'a.rego'), 'utf8')).toBe(after);
      });
    }),
    { numRuns: randomCases(30) },
  );
});

test('texts with nothing in common end in time', () => {
  expect(textEdits('ab'.repeat(100_000), 'cd'.repeat(100_000))).toHaveLength(2);
});
