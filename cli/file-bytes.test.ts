import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../test/harness/command.js';
import { useYaml } from '../values/index.js';

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

describe('UTF-16 with a byte-order mark, as PowerShell writes it, is read', () => {
  const little = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
  const big = (text: string): Uint8Array => Buffer.from(little(text)).swap16();
  const files = (encode: typeof little) => ({
    'in.json': encode('{"x": 1, "s": "ü😀"}'),
    'in.yaml': encode('x: 1\ns: ü😀\n'),
    'd/a.json': encode('{"j": [1, "é"]}'),
    'd/b.yaml': encode('y: é\n'),
    'd/p.rego': encode('package p\n\nx := "é"\n'),
    'b/.manifest': encode('{"roots": ["q"]}'),
    'b/q/data.json': encode('{"j": 1}'),
    'b/q/p.rego': encode('package q.p\n\nx := data.q.j + 1\n'),
    'schema.json': encode('{"type": "object", "properties": {"x": {"type": "number"}}}'),
    'config.yaml': encode('labels: {a: é}\n'),
  });
  const input = '{"s":"ü😀","x":1}\n';

  describe.each([
    ['little', little],
    ['big', big],
  ])('%s end first', (_title, encode) => {
    test.each<[string, string[], string]>([
      ['an input of JSON', ['eval', '-f', 'raw', 'input', '-i', 'in.json'], input],
      ['an input of YAML', ['eval', '-f', 'raw', 'input', '-i', 'in.yaml'], input],
      ['data and policies', ['eval', '-f', 'raw', '[data.j, data.y, data.p.x]', '-d', 'd'], '[[1,"é"],"é","é"]\n'],
      ['a bundle', ['eval', '-f', 'raw', 'data.q', '-b', 'b'], '{"j":1,"p":{"x":2}}\n'],
      ['a schema', ['eval', '-f', 'raw', 'input.x', '-i', 'in.json', '-s', 'schema.json'], '1\n'],
    ])('%s', async (_name, [command, ...args], stdout) => {
      await withFiles(files(encode), async (directory) => {
        const paths = args.map((arg) => (Object.keys(files(encode)).some((file) => file.startsWith(arg)) ? join(directory, arg) : arg));
        expect(await runCommand(command!, ...paths)).toEqual({ exit: 0, stdout, stderr: '' });
      });
    });

    test('the inputs of exec', async () => {
      await withFiles(files(encode), async (directory) => {
        const inputs = ['in.json', 'in.yaml'].map((name) => join(directory, name));
        const { stdout } = await runCommand('exec', '-b', join(directory, 'b'), '--decision', 'q/p/x', ...inputs);
        expect(JSON.parse(stdout).result.map(({ result }: { result: unknown }) => result)).toEqual([2, 2]);
      });
    });

    test('configuration files of verify and conftest, in each format', async () => {
      const given = {
        'conftest.toml': encode('namespace = "checks"\npolicy = "policy"\n'),
        'policy/checks.rego': encode('package checks\n\ndeny contains input.x if input.x\n'),
        'in.json': encode('{"x": "é"}'),
        'in.yaml': encode('x: é\n'),
        'in.toml': encode('x = "é"\n'),
        'in.hcl': encode('x = "é"\n'),
        'in.properties': encode('x=é\n'),
        'in.env': encode('x=é\n'),
      };
      await withFiles(given, async (directory) => {
        const config = ['--config-file', join(directory, 'conftest.toml'), '-p', join(directory, 'policy')];
        for (const name of Object.keys(given).filter((file) => file.startsWith('in.'))) {
          const { exit, stdout, stderr } = await runCommand('conftest', 'test', ...config, join(directory, name));
          expect([name, exit, stderr]).toEqual([name, 1, '']);
          expect(stdout).toContain('in.');
          expect(stdout).toMatch(/é$/m);
        }
        // Conftest reads YAML 1.1 in its whole process.
        useYaml('1.2');
      });
    });

    test('logs of decisions, the configuration of warnings, and files of keys', async () => {
      const event = { decision_id: '1', path: 'p/x', result: 1, timestamp: '2026-01-01T00:00:00Z' };
      const given = {
        'log.jsonl': encode(`${JSON.stringify(event)}\n${JSON.stringify({ ...event, decision_id: '2' })}\n`),
        'p.rego': encode('package p\n\nx := 2\n'),
        'w/.writ.yaml': encode('warnings:\n  known: [data.given]\n'),
        'w/q.rego': encode('package q\n\nx := data.given.e\n'),
        'key.txt': encode('secret'),
        'claims.json': encode('{"scope": "write"}'),
        'b/q.rego': encode('package q\n\nx := 1\n'),
      };
      await withFiles(given, async (directory) => {
        const at = (name: string): string => join(directory, name);
        const imported = await runCommand('logs', 'import', '--db', at('log.db'), at('log.jsonl'));
        expect(imported).toMatchObject({ exit: 0, stdout: expect.stringContaining('2 events') });
        expect(await runCommand('check', at('w'))).toEqual({ exit: 0, stdout: '', stderr: '' });
        const signed = await runCommand(
          'sign',
          '--signing-alg',
          'HS256',
          '--signing-key',
          at('key.txt'),
          '--claims-file',
          at('claims.json'),
          '-b',
          at('b'),
          '-o',
          directory,
        );
        expect(signed).toEqual({ exit: 0, stdout: '', stderr: '' });
      });
    });

    test('standard input', async () => {
      const given = { stdin: () => encode('{"x": 1, "s": "ü😀"}') };
      expect(await runWith(given, ['eval', '-f', 'raw', '-I', 'input'])).toMatchObject({ exit: 0, stdout: input });
    });
  });

  test('a large data file, which is read in steps', async () => {
    const text = JSON.stringify({ list: Array.from({ length: 40_000 }, (_, i) => `é${i}`) });
    await withFiles({ 'b/data.json': little(text), 'd.json': little(text) }, async (directory) => {
      for (const [flag, path] of [
        ['-b', 'b'],
        ['-d', 'd.json'],
      ] as const) {
        const { stdout } = await runCommand('eval', '-f', 'raw', 'data.list[39999]', flag, join(directory, path));
        expect(stdout).toBe('é39999\n');
      }
    });
  });
});
