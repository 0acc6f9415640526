import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';

/** Encodes a text; each `?` becomes a byte that is not valid UTF-8. */
function broken(text: string): Uint8Array {
  return Buffer.concat(text.split('?').flatMap((part, i) => (i === 0 ? [Buffer.from(part)] : [Buffer.from([0xff]), Buffer.from(part)])));
}

describe('a policy that is no UTF-8 is refused where it stops being that', () => {
  const policy = broken('package p\n\n# é\np := "ä?"\n');

  test.each([
    ['check', []],
    ['eval', ['data.p', '-d']],
    ['parse', []],
  ])('%s', async (command, args) => {
    await withFiles({ 'p.rego': policy }, async (directory) => {
      const { exit, stdout, stderr } = await runCommand(command, ...args, join(directory, 'p.rego'));
      expect(exit).not.toBe(0);
      expect(stdout + stderr).toMatch(/p\.rego:4: rego_parse_error: illegal utf-8 character|"illegal utf-8 character"/);
    });
  });

  test('fmt, which does not change the file', async () => {
    await withFiles({ 'p.rego': policy }, async (directory) => {
      const { exit, stderr } = await runCommand('fmt', '-w', join(directory, 'p.rego'));
      expect(exit).not.toBe(0);
      expect(stderr).toContain('illegal utf-8 character');
      expect(readFileSync(join(directory, 'p.rego'))).toEqual(Buffer.from(policy));
    });
  });

  test('in a bundle', async () => {
    await withFiles({ 'b/p.rego': policy }, async (directory) => {
      const { exit, stdout, stderr } = await runCommand('eval', 'data.p', '-b', join(directory, 'b'));
      expect(exit).not.toBe(0);
      expect(stdout + stderr).toContain('illegal utf-8 character');
    });
  });
});

test('a byte-order mark at the start of a file is not part of its text', async () => {
  await withFiles({ 'p.rego': '\ufeffpackage p\n\nx := 1\n', 'd.yaml': '\ufeffa: 1\n' }, async (directory) => {
    const { stdout } = await runCommand('eval', '-f', 'raw', '[data.p.x, data.a]', '-d', directory);
    expect(stdout).toBe('[1,1]\n');
  });
});

test.each([
  ['a: ?b\n', 'invalid leading UTF-8 octet'],
  ['a: \u00e9?b\n', 'invalid leading UTF-8 octet'],
])('YAML that is no UTF-8 is refused: %j', async (text, complaint) => {
  await withFiles({ 'd.yaml': broken(text) }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand('eval', 'data', '-d', directory);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain(complaint);
  });
});

test('in JSON a byte that is no UTF-8 is a replacement character, as in the reference', async () => {
  await withFiles({ 'd.json': broken('{"a": "x?y"}') }, async (directory) => {
    const { stdout } = await runCommand('eval', '-f', 'raw', 'data.a == "x\\ufffdy"', '-d', directory);
    expect(stdout).toBe('true\n');
  });
});
