import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, withFiles } from '../../test/harness/command.js';

const files = {
  // Without a package, YAML reads it as an object with one key.
  'p.reg': 'x := {"a": 1}\n',
  'named.reg': 'package named\n\nx := 1\n',
  'pol/q.rego': 'package q\n\nx := 1\n',
  'pol/sub/r.reg': 'package r\n\nx := 1\n',
  'pol/R.REGO': 'package r2\n\nx := 1\n',
  'pol/keys.reg': 'Windows Registry Editor Version 5.00\n',
};
const asData = (dir: string) =>
  `warning: ${dir}/p.reg was read as data, and not as a policy: policies end in .rego, and begin with \`package\`\n`;
const unread = (dir: string) =>
  ['R.REGO', 'sub/r.reg'].map((name) => `warning: ${dir}/pol/${name} is not read: policies end in .rego\n`).join('');

test.each<[string[], (dir: string) => string]>([
  [['eval', '-d', 'p.reg', 'data.named.x'], asData],
  [['eval', '-d', 'named.reg', 'data.named.x'], () => ''],
  [['eval', '-d', 'pol', 'data.q.x'], unread],
  [['check', 'pol'], unread],
  [['test', 'pol'], unread],
])('writ %j says at a terminal which files are no policies', async (args, told) => {
  await withFiles(files, async (dir) => {
    const placed = args.map((arg) => (/^(?:p\.reg|named\.reg|pol)$/.test(arg) ? `${dir}/${arg}` : arg));
    const atTerminal = await runAtTerminal(...placed);
    const warnings = atTerminal.stderr.split('\n').filter((line) => line.startsWith('warning: ') && line.includes('end in .rego'));
    expect(
      warnings
        .map((line) => `${line}\n`)
        .sort()
        .join(''),
    ).toBe(told(dir));
    const piped = await runCommand(...placed);
    expect(piped.stderr).not.toContain('end in .rego');
    expect(atTerminal.exit).toBe(piped.exit);
  });
});
